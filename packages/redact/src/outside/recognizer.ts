import type { Awaitable } from "@toolstile/core/provider";
import type { Finding } from "../scan/findings.js";

/**
 * Finds in texts what no structure tells: names, addresses, dates of birth.
 *
 * It gets the text with secrets and personal data masked already, and never a
 * value that `paths` keeps. If it throws, is late, or answers with anything but
 * findings in that text, the call is denied, or its result is withheld.
 */
export interface Recognizer {
  /** Stands in denials. */
  readonly name: string;
  /** The kinds that it finds, which begin with `personal.`: `personal.person`. */
  readonly kinds: readonly string[];
  /** Milliseconds that one answer may take. Default 3,000. */
  readonly timeoutMs?: number | undefined;
  /** UTF-16 units of one text. A longer one is not asked about, and counts as not answered. Default 100,000. */
  readonly maxCharacters?: number | undefined;
  /** In any order, in UTF-16 units. The signal aborts when the time is over, or the caller gives up. */
  readonly find: (text: string, signal: AbortSignal) => Awaitable<readonly Finding[]>;
}

export const defaultTimeoutMs = 3_000;
export const defaultMaxCharacters = 100_000;

const kindShape = /^personal\.[a-z0-9_]{1,39}$/;

export function isKind(value: unknown): value is string {
  return typeof value === "string" && kindShape.test(value);
}

export function isRecognizer(value: unknown): value is Recognizer {
  const { name, kinds, timeoutMs, maxCharacters, find } = Object(value) as Partial<Recognizer>;
  return (
    typeof name === "string" &&
    name !== "" &&
    Array.isArray(kinds) &&
    kinds.length > 0 &&
    kinds.every(isKind) &&
    isBound(timeoutMs, 2 ** 31 - 1) &&
    isBound(maxCharacters, 2 ** 30) &&
    typeof find === "function"
  );
}

function isBound(value: unknown, most: number): boolean {
  if (value === undefined) return true;
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
}
