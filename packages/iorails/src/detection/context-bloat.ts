/** The limits, by NeMo's names. Lengths are in code points. */
export interface BloatLimits {
  readonly max_chars: number;
  readonly min_chars: number;
  readonly min_entropy: number;
  readonly max_repetition_ratio: number;
  readonly ngram_size: number;
  readonly max_run_ratio: number;
}

export type Bloat = "size_cap_exceeded" | "low_entropy" | "long_run" | "high_repetition";

export interface BloatFound {
  readonly tooLong: boolean;
  /** The first that the text fires, beside its length. */
  readonly detection: Exclude<Bloat, "size_cap_exceeded"> | undefined;
  /** The first `max_chars` characters. */
  readonly cut: string;
  readonly metrics: {
    readonly chars: number;
    readonly entropy: number;
    readonly longest_run_ratio: number;
    readonly repetition_ratio: number;
  };
}

/** A text of more characters is sampled: its entropy is taken of so many at its start, middle and end. */
const sampledAbove = 10_000;
const sample = 2_666;

/**
 * Measures a text.
 *
 * With `truncates`, the text is measured as it would be cut, but for its length;
 * the whole text says whether it is long enough.
 */
export function measureBloat(text: string, limits: BloatLimits, truncates: boolean): BloatFound {
  const chars = lengthOf(text);
  const tooLong = chars > limits.max_chars;
  const cut = tooLong ? firstCharacters(text, limits.max_chars) : text;
  const measured = truncates ? cut : text;
  const { entropy, runs } = ofCharacters(measured, measured === text ? chars : limits.max_chars);
  const repetition = repetitionOf(measured, limits.ngram_size);
  return {
    tooLong,
    detection: chars < limits.min_chars ? undefined : firstOf(limits, entropy, runs, repetition),
    cut,
    metrics: {
      chars,
      entropy: rounded(entropy),
      longest_run_ratio: rounded(runs),
      repetition_ratio: rounded(repetition),
    },
  };
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function firstCharacters(text: string, most: number): string {
  let end = 0;
  let taken = 0;
  for (const character of text) {
    if (taken++ === most) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function firstOf(
  limits: BloatLimits,
  entropy: number,
  runs: number,
  repetition: number,
): BloatFound["detection"] {
  if (entropy < limits.min_entropy) return "low_entropy";
  if (runs > limits.max_run_ratio) return "long_run";
  return repetition > limits.max_repetition_ratio ? "high_repetition" : undefined;
}

/** The entropy in bits for each character, and the longest run of one character as a share of all. */
function ofCharacters(text: string, length: number): { entropy: number; runs: number } {
  const middle = Math.floor((length - sample) / 2);
  const isSampled = (at: number): boolean =>
    length <= sampledAbove ||
    at < sample ||
    (at >= middle && at < middle + sample) ||
    at >= length - sample;
  const counts = new Map<string, number>();
  let [at, counted, run, longest, last] = [0, 0, 0, 0, ""];
  for (const character of text) {
    if (isSampled(at++)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
      counted++;
    }
    run = character === last ? run + 1 : 1;
    last = character;
    if (run > longest) longest = run;
  }
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / counted) * Math.log2(count / counted);
  return { entropy, runs: length === 0 ? 0 : longest / length };
}

/** The share of runs of words that have come before. */
function repetitionOf(text: string, size: number): number {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const all = words.length - size + 1;
  if (all <= 0) return 0;
  const seen = new Set<string>();
  for (let at = 0; at < all; at++) seen.add(words.slice(at, at + size).join(" "));
  return (all - seen.size) / all;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
