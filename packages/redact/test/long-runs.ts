import fc from "fast-check";
import { item } from "./items.js";

/** A run of base64 or hexadecimal digits, longer than what a stream holds back, with an item in it. */
export interface LongRun {
  readonly item: string;
  readonly encoding: "base64" | "base64url" | "hex";
  /** True for what is encoded twice, which is not looked into. */
  readonly isNested: boolean;
  /** The length in hundredths of a hold-back, and the part of it in hundredths that stands before the item. */
  readonly size: number;
  readonly place: number;
  /** The text before the run. */
  readonly head: string;
  /** Each so many digits, the first of them at a place that is counted from the start, one is escaped in this way. */
  readonly escape: (digit: string) => string;
  readonly every: number;
  readonly first: number;
  /** The digits in a line; 0 for one line. */
  readonly width: number;
  readonly lineBreak: string;
}

const hexOf = (digit: string) => digit.charCodeAt(0).toString(16);
const escapes: readonly LongRun["escape"][] = [
  (digit) => digit,
  (digit) => `\\u00${hexOf(digit)}`,
  (digit) => `\\\\u00${hexOf(digit)}`,
  (digit) => `%${hexOf(digit)}`,
  (digit) => `${digit}\u200b`,
  (digit) => (digit === "/" ? "\\/" : digit === "+" ? "%2B" : digit),
];

export const longRun: fc.Arbitrary<LongRun> = fc.record({
  item: fc
    .tuple(fc.constantFrom("personal.email", "personal.card", "personal.ssn"), fc.nat())
    .map(([kind, seed]) => item(kind, seed)),
  encoding: fc.constantFrom("base64", "base64", "base64url", "hex"),
  isNested: fc.constantFrom(false, false, false, true),
  size: fc.integer({ min: 100, max: 500 }),
  place: fc.nat({ max: 100 }),
  head: fc.constantFrom("", "file: ", '{"result":"\\n', "\\u000a", "data%3A", "0x"),
  escape: fc.constantFrom(...escapes),
  every: fc.constantFrom(1, 2, 3, 17, 64, 997, 20_011),
  first: fc.nat({ max: 999 }),
  width: fc.oneof(fc.constant(0), fc.integer({ min: 60, max: 130 }), fc.constant(9_001)),
  lineBreak: fc.constantFrom("\n", "\r\n", "\\n", "\\r\\n"),
});

const words = "The report says how each department spent its budget, über alles. ";

/** The text of a run for a stream that holds back so many units. */
export function textOf(run: LongRun, holdback: number): string {
  const { encoding, isNested } = run;
  const filler = (size: number) => words.repeat(Math.ceil(size / words.length)).slice(0, size);
  const size = Math.round((run.size / 100) * holdback * (encoding === "hex" ? 0.5 : 0.75));
  const before = Math.round((size * run.place) / 100);
  const value = `${filler(before)} note ${run.item} end ${filler(size - before)}`;
  const inner = isNested ? Buffer.from(value).toString("base64") : value;
  const digits = Buffer.from(inner).toString(encoding).replaceAll("=", "");
  const parts: string[] = [];
  for (let at = 0; at < digits.length; at++) {
    if (run.width > 0 && at > 0 && at % run.width === 0) parts.push(run.lineBreak);
    const digit = digits.charAt(at);
    parts.push(at % run.every === run.first % run.every ? run.escape(digit) : digit);
  }
  return `x ${run.head}${parts.join("")} end`;
}

/** All that can be read in a text, in whatever way digits are escaped in it and whichever of them is the first of a group. */
export function decodedIn(text: string): string {
  const plain = text
    .replace(/\\+u00(..)|%(..)/g, (_, json, percent) =>
      String.fromCharCode(Number.parseInt(json ?? percent, 16)),
    )
    .replace(/\\+[nr]|[\n\r\u200b\\]/g, "");
  const read = (encoding: "base64" | "hex", runs: RegExp, steps: readonly number[]) =>
    (plain.match(runs) ?? []).flatMap((run) =>
      steps.map((step) => Buffer.from(run.slice(step), encoding).toString("latin1")),
    );
  return [
    ...read("base64", /[\w+/-]{16,}/g, [0, 1, 2, 3]),
    ...read("hex", /[0-9a-f]{20,}/g, [0, 1]),
  ].join("\n");
}
