import { type Awaitable, list, such } from "@toolstile/core/provider";
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
  readonly find: (text: string, signal: AbortSignal) => Awaitable<readonly RecognizedFinding[]>;
}

/** Something that a recogniser found. */
export interface RecognizedFinding extends Finding {
  /** From 0 to 1. The engine reads it, for its `score_threshold`. Default: 1. */
  readonly score?: number | undefined;
}

/** A recogniser has no answer. Its message may be shown: it has nothing of what was asked or written. */
export class NoAnswer extends Error {}

export const defaultTimeoutMs = 3_000;
export const defaultMaxCharacters = 100_000;

const kindShape = /^personal\.[a-z0-9_]{1,39}$/;

/** The kind that stands for an entity, as Presidio names it. */
export function kindOf(entity: string): string {
  return `personal.${entity.toLowerCase()}`;
}

export function isKind(value: unknown): value is string {
  return typeof value === "string" && kindShape.test(value);
}

/** The option that takes recognisers. */
export const recognizerList = list(
  such<Recognizer>(
    isRecognizer,
    "a recognizer: an object with name, kinds (which begin with personal.) and find()",
  ),
);

function isRecognizer(value: unknown): value is Recognizer {
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
