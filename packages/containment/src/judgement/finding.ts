import type { Deny } from "@toolstile/core";
import { deny, quoted } from "@toolstile/core/provider";
import type { Kind } from "../destinations/address.js";
import { noSession } from "../session/session.js";

/** The rules by which a call is held, which are the codes of denials. */
export type Code =
  | "destination"
  | "link"
  | "text"
  | "irreversible"
  | "no-destination"
  | "plan"
  | "budget";

/** A reason to hold a call. */
export interface Finding {
  readonly code: Code;
  readonly kind?: Kind | undefined;
  /** The pointer, as the host declared it. */
  readonly at?: string | undefined;
  /** True for a value that can be read in two ways. */
  readonly isAmbiguous?: boolean | undefined;
  /** True if there are more values than are read. */
  readonly isCut?: boolean | undefined;
}

const words: Readonly<Record<Kind, string>> = {
  url: "a URL",
  host: "a host",
  mail: "a mail address",
  iban: "an IBAN",
  phone: "a phone number",
  handle: "a name",
  id: "an id",
  text: "a text",
};

function sentence({ code, kind, at, isAmbiguous, isCut }: Finding): string {
  const what = `${kind === undefined ? "a value" : words[kind]}${at === undefined ? "" : ` at ${at}`}`;
  switch (code) {
    case "destination":
    case "text":
      if (isCut) return `there are more values${at === undefined ? "" : ` at ${at}`} than are read`;
      return isAmbiguous
        ? `${what} can be read in two ways`
        : `${what} stands neither in what the user said nor in a trusted field`;
    case "link":
      return isAmbiguous
        ? "a URL in a text can be read in two ways"
        : "a URL in a text stands neither in what the user said nor in a trusted field";
    case "irreversible":
      return "it cannot be undone, and the user did not name all that it is done to";
    case "no-destination":
      return "it sends data out, and no destination can be read from it";
    case "plan":
      return "the plan of the session does not name this tool";
    case "budget":
      return "it would send more to one destination than its budget";
  }
}

export interface HoldingTerms {
  readonly hold: "ask" | "deny";
  readonly expiresInMs: number | undefined;
}

const mostFindings = 4;

/** The denial for some findings. It names kinds and sources, and no value. */
export function denialOf(
  findings: readonly Finding[],
  fallenBy: string | undefined,
  { hold, expiresInMs }: HoldingTerms,
): Deny {
  const sentences = [...new Set(findings.map(sentence))].slice(0, mostFindings);
  const reason = `held: ${sentences.join("; ")}${fallen(fallenBy)}`;
  const found = [...new Set(findings.map(({ code }) => code))];
  const details = {
    code: found.join("+"),
    metadata: {
      findings: findings.slice(0, mostFindings).map(({ code, kind, at }) => ({ code, kind, at })),
      fallenBy,
    },
  };
  if (hold === "deny") return deny(reason, details);
  return deny(reason, { ...details, approval: { summary: reason, expiresInMs } });
}

function fallen(by: string | undefined): string {
  if (by === undefined) return "";
  return by === noSession
    ? `, and ${noSession} counts as one that has read what others wrote: the host must pass context: { sessionId }`
    : `, and a result of ${quoted(by)} was read that others may have written`;
}
