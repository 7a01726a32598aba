import { createHmac } from "node:crypto";
import type { Finding } from "../scan/findings.js";

/**
 * What stands in place of a finding.
 *
 * - "mask": `[redacted personal.card]`.
 * - "remove": `[redacted]`, without the kind. Something always remains: what stands on either side must not join to
 *   something new.
 * - "hash": `[redacted personal.card 9f86d081884c7d65]`, the same for the same value under one key.
 * - "last4": `[redacted personal.card *4444]`. Of items shorter than 12 letters and digits, and of encoded ones, nothing is kept.
 * - "token": `[redacted personal.card #…]`, which the host can turn back.
 */
export type RedactAction = "mask" | "remove" | "hash" | "last4" | "token";

export const redactActions: readonly RedactAction[] = ["mask", "remove", "hash", "last4", "token"];

/** Keeps values for the tokens that stand in place of them. */
export interface RedactTokens {
  /** The token of a value: letters and digits, at most 24, the same for the same value. */
  readonly tokenOf: (kind: string, value: string) => string;
  /** The value of a token; undefined if it never gave it. */
  readonly valueOf: (token: string) => string | undefined;
}

export type Replace = (finding: Finding, text: string) => string;

/** @param actionOf - the action of a kind. */
export function replacing(
  actionOf: (kind: string) => RedactAction,
  key: string | Uint8Array | undefined,
  tokens: RedactTokens | undefined,
): Replace {
  return ({ kind, start, end }, text) => {
    const value = () => text.slice(start, end);
    switch (actionOf(kind)) {
      case "remove":
        return "[redacted]";
      case "hash":
        return mark(
          kind,
          createHmac("sha256", key ?? "")
            .update(value())
            .digest("hex")
            .slice(0, 16),
        );
      case "last4":
        return mark(kind, lastFour(value()));
      case "token":
        return mark(kind, `#${tokens?.tokenOf(kind, value()) ?? ""}`);
      default:
        return mark(kind, "");
    }
  };
}

function mark(kind: string, rest: string): string {
  return rest === "" ? `[redacted ${kind}]` : `[redacted ${kind} ${rest}]`;
}

function lastFour(value: string): string {
  const kept = value.replace(/[\s.()/+-]/g, "");
  return kept.length >= 12 && kept.length <= 64 && /^[0-9A-Za-z]+$/.test(kept)
    ? `*${kept.slice(-4)}`
    : "";
}
