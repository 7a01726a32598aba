import { systemClock, valueWithin } from "@toolstile/core/provider";
import {
  defaultMaxCharacters,
  defaultTimeoutMs,
  NoAnswer,
  type RecognizedFinding,
  type Recognizer,
} from "./recognizer.js";

/** A recogniser did not answer as it must. Its message names it, and nothing that it was asked or wrote. */
export class Unrecognized extends Error {
  constructor(name: string, what: string) {
    super(`the recognizer '${name}' ${what}`);
  }
}

/**
 * Asks all recognisers at once.
 *
 * @throws Unrecognized for the first that throws, is late, or answers with what is not in the text.
 */
export async function ask(
  recognizers: readonly Recognizer[],
  text: string,
  signal: AbortSignal | undefined,
): Promise<readonly RecognizedFinding[]> {
  if (text.trim() === "") return [];
  // Presidio answers 500 to half a character. What stands in its place is as long.
  const whole = text.toWellFormed();
  const answers = await Promise.all(recognizers.map((each) => askOne(each, whole, signal)));
  return answers.flat();
}

async function askOne(
  recognizer: Recognizer,
  text: string,
  signal: AbortSignal | undefined,
): Promise<readonly RecognizedFinding[]> {
  const { name, timeoutMs = defaultTimeoutMs, maxCharacters = defaultMaxCharacters } = recognizer;
  if (text.length > maxCharacters) throw new Unrecognized(name, "takes no text of that length");
  if (signal?.aborted === true) throw new Unrecognized(name, "was not waited for");
  const over = new AbortController();
  const bounds = { clock: systemClock, timeoutMs, caller: signal };
  try {
    const answer = await valueWithin(bounds, found(recognizer, text, over.signal), (why) => {
      throw new Unrecognized(
        name,
        why === "timeout" ? "did not answer in time" : "was not waited for",
      );
    });
    const findings = checked(answer, recognizer.kinds, text);
    if (findings === undefined) throw new Unrecognized(name, "did not answer with findings");
    return findings;
  } finally {
    over.abort();
  }
}

async function found(
  { name, find }: Recognizer,
  text: string,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await find(text, signal);
  } catch (error) {
    // Another error may quote the text.
    throw new Unrecognized(name, error instanceof NoAnswer ? error.message : "did not answer");
  }
}

/** The findings of an answer, widened to whole characters; undefined if one of them is none. */
function checked(
  answer: unknown,
  kinds: readonly string[],
  text: string,
): readonly RecognizedFinding[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  const findings: RecognizedFinding[] = [];
  for (const each of answer) {
    const { start, end, kind, score = 1 } = Object(each) as Partial<RecognizedFinding>;
    if (!isPlace(start, end, text.length) || !kinds.includes(kind as string)) return undefined;
    if (typeof score !== "number" || !(score >= 0 && score <= 1)) return undefined;
    findings.push({
      ...wholeCharacters(text, start as number, end as number),
      kind: kind as string,
      score,
    });
  }
  return findings;
}

function isPlace(start: unknown, end: unknown, length: number): boolean {
  if (!Number.isInteger(start) || !Number.isInteger(end)) return false;
  return Number(start) >= 0 && Number(start) < Number(end) && Number(end) <= length;
}

function wholeCharacters(text: string, start: number, end: number) {
  return {
    start: isInside(text, start) ? start - 1 : start,
    end: isInside(text, end) ? end + 1 : end,
  };
}

/** True between the two halves of a character. */
function isInside(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
