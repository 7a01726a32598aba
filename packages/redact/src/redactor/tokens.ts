import { randomBytes } from "node:crypto";
import { readOptions, whole } from "@toolstile/core/provider";
import type { RedactTokens } from "./actions.js";

/** Tokens in memory, and the way back. */
export interface MemoryTokens extends RedactTokens {
  /** A text with the values in place of the marks that have this memory's tokens. Never show it to a model. */
  readonly restore: (text: string) => string;
}

/**
 * Keeps the values of tokens in this process, at most `most` (default 100,000).
 *
 * Tokens are random: nobody can write one that was not given to them. When the
 * memory is full, the oldest value is forgotten, and its token stays a mask.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`.
 */
export function memoryTokens(options: { readonly most?: number | undefined } = {}): MemoryTokens {
  const { most } = readOptions("memoryTokens()", options, { most: whole(1).default(100_000) });
  const byValue = new Map<string, string>();
  const byToken = new Map<string, string>();
  return {
    tokenOf(kind, value) {
      const name = `${kind} ${value}`;
      const known = byValue.get(name);
      if (known !== undefined) return known;
      const token = randomBytes(12).toString("hex");
      byValue.set(name, token);
      byToken.set(token, value);
      if (byToken.size > most) {
        const [oldestName = "", oldest = ""] = byValue.entries().next().value ?? [];
        byValue.delete(oldestName);
        byToken.delete(oldest);
      }
      return token;
    },
    valueOf: (token) => byToken.get(token),
    restore: (text) =>
      text.replace(
        /\[redacted [a-z0-9_.]{1,48} #([0-9A-Za-z]{1,24})\]/g,
        (whole, token: string) => byToken.get(token) ?? whole,
      ),
  };
}
