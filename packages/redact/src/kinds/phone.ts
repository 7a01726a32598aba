import { isDigitCode } from "../text/classes.js";
import { continuesAfter, continuesBefore } from "../text/marks.js";
import type { Source } from "../text/source.js";
import { type Before, type Place, said } from "./before.js";
import type { Detector } from "./detector.js";
import { DigitRow } from "./digit-row.js";
import { isInternationalNumber, isNorthAmericanNumber } from "./phone-plans.js";

const row = new DigitRow();

/** The end of the groups behind a word for phones. */
let groupsEnd = 0;

function digitsOf(source: Source, start: number, end: number): string {
  return source.text.slice(start, end).replace(/\D+/g, "");
}

/** A number by its country's plan. */
const withCode: Detector = {
  kind: "personal.phone",
  anchors: ["+"],
  next: "(0123456789",
  atAnchor(source, at): Place | undefined {
    const { units } = source;
    const first = units[at + 1] === 40 ? at + 2 : at + 1;
    if (!isDigitCode(units[first] as number) || continuesBefore(source, at)) return undefined;
    return international(source, at, first, 0, 7);
  },
};

/** The same behind the zeros that stand for `+` in most countries, and with a sign behind the code. */
const withZeros: Detector = {
  kind: "personal.phone",
  groups: [{ from: 3, to: 5, next: " -.(/" }],
  atDigits(source, at, before): Place | undefined {
    const { units } = source;
    if (units[at] !== 48 || units[at + 1] !== 48 || units[at + 2] === 48) return undefined;
    if (!isLoose(source, at)) return undefined;
    const followsDigits = units[at - 1] === 32 && isDigitCode(units[at - 2] as number);
    if (!followsDigits) return international(source, at, at, 2, 9);
    before.doubt(at, at - 2, at);
    return undefined;
  },
};

/** A number behind a word for phones. */
const behindWord: Detector = {
  kind: "personal.phone",
  groups: [{ from: 1, to: 20, behind: "phone" }],
  atDigits(source, at, before): Place | undefined {
    const start = numberStart(source, at);
    if (!isBehindWord(before, start) || !isLoose(source, start)) return undefined;
    const place = named(source, start, at);
    if (place === undefined) before.doubt(at, at, groupsEnd);
    return place;
  },
};

/** Three, three and four digits with signs between them, the first behind `(` or before `-` or `.`. */
const threeThreeFour = /[2-9]\d{2}(?:\) ?[2-9]\d{2}[-. ]|-[2-9]\d{2}[- ]|\.[2-9]\d{2}[. ])\d{4}/y;

const northAmerican: Detector = {
  kind: "personal.phone",
  groups: [{ from: 3, to: 3, next: ")-." }],
  atDigits(source, at, before): Place | undefined {
    const start = numberStart(source, at);
    threeThreeFour.lastIndex = at;
    if (!threeThreeFour.test(source.text)) return undefined;
    const end = threeThreeFour.lastIndex;
    if (isBehindWord(before, start) || !isLoose(source, start)) {
      before.doubt(at, start - nearWord, start);
      return undefined;
    }
    if (continuesAfter(source, end) || joins(source.units[end] as number)) return undefined;
    if (before.saysOther(at)) return undefined;
    return isNorthAmericanNumber(digitsOf(source, at, end)) ? { start, end } : undefined;
  },
};

export const phones: readonly Detector[] = [withCode, withZeros, behindWord, northAmerican];

const nearWord = 64;

/** A bracket belongs to what stands in it. */
function numberStart({ units }: Source, at: number): number {
  return at > 0 && units[at - 1] === 40 ? at - 1 : at;
}

function isBehindWord(before: Before, start: number): boolean {
  return before.says(said.phone, start, nearWord);
}

function joins(code: number): boolean {
  return code === 45 || code === 46 || code === 47;
}

/** True if no other number, name or address goes on here. */
function isLoose(source: Source, start: number): boolean {
  if (start === 0) return true;
  const { units } = source;
  const previous = units[start - 1] as number;
  const isJoined =
    joins(previous) || previous === 43 || previous === 58 || previous === 64 || previous === 35;
  // `tel:0301234567` is a URI (RFC 3966).
  return (
    (!isJoined || (previous === 58 && !(start > 1 && isDigitCode(units[start - 2] as number)))) &&
    !continuesBefore(source, start)
  );
}

/** The longest row of groups, of so many digits at least behind `prefix`, that the plan of its country has: a number may be followed by another. */
function international(
  source: Source,
  start: number,
  first: number,
  prefix: number,
  fewest: number,
): Place | undefined {
  const groups = row.read(source, first);
  const digits = groups === 0 ? "" : digitsOf(source, first, row.endOf(groups - 1));
  for (let group = groups - 1; group >= 0; group--) {
    const size = row.sizeOf(group);
    const end = row.endOf(group);
    if (size - prefix < fewest) return undefined;
    if (!continuesAfter(source, end) && isInternationalNumber(digits.slice(prefix, size)))
      return { start, end };
  }
  return undefined;
}

/** A number behind a word for phones: 7 to 12 digits, which do not look like a date or an amount. */
function named(source: Source, start: number, first: number): Place | undefined {
  const { units } = source;
  if (units[first] === 48 && units[first + 1] === 48) {
    const found = international(source, start, first, 2, 7);
    if (found !== undefined) return found;
  }
  const groups = row.read(source, first);
  const size = row.sizeOf(groups - 1);
  const end = row.endOf(groups - 1);
  groupsEnd = end;
  if (size < 7 || size > 12 || continuesAfter(source, end)) return undefined;
  const next = units[end];
  if (next === 58 || next === 37 || (next === 46 && isDigitCode(units[end + 1] as number)))
    return undefined;
  const beginsAsYear = size === 8 && row.sizeOf(0) === 4;
  const isDate = groups === 3 && beginsAsYear && row.sizeOf(1) === 6;
  const isRange = groups === 2 && beginsAsYear && isYear(units, first) && isYear(units, end - 4);
  return isDate || isRange ? undefined : { start, end };
}

function isYear(units: Uint16Array, at: number): boolean {
  const [first, second] = [units[at], units[at + 1]];
  return (first === 49 && second === 57) || (first === 50 && second === 48);
}
