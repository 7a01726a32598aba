import { isDigitCode, tableOf } from "../text/classes.js";
import { continuesAfter, continuesBefore } from "../text/marks.js";
import type { Detector, Place } from "./detector.js";
import { isInternationalNumber, isNorthAmericanNumber } from "./phone-plans.js";

const signs = tableOf(" -./()\u00a0\u2009\u202f\u2010\u2011");
const mostDigits = 15;
const mostGroups = 8;
/** The ends of the groups that were read last: in the text, and in the digits. */
const ends = new Uint32Array(mostGroups);
const sizes = new Uint8Array(mostGroups);

/** Reads groups of digits from `start` on; the number of groups. */
function readGroups(text: string, start: number): number {
  let size = 0;
  let groups = 0;
  let at = start;
  while (groups < mostGroups && size < mostDigits) {
    const from = at;
    while (size < mostDigits && isDigitCode(text.charCodeAt(at))) {
      at += 1;
      size += 1;
    }
    if (at === from) break;
    ends[groups] = at;
    sizes[groups] = size;
    groups += 1;
    let passed = 0;
    while (passed < 3 && signs[text.charCodeAt(at)] === 1) {
      at += 1;
      passed += 1;
    }
    if (passed === 0) break;
  }
  return groups;
}

function digitsOf(text: string, start: number, end: number): string {
  return text.slice(start, end).replace(/\D+/g, "");
}

/** A number by a country's plan, or one behind a word for phones. */
export const phone: Detector = {
  kind: "personal.phone",
  anchors: ["+"],
  atAnchor(text, at): Place | undefined {
    const first = text.charCodeAt(at + 1) === 40 ? at + 2 : at + 1;
    if (!isDigitCode(text.charCodeAt(first)) || continuesBefore(text, at)) return undefined;
    return international(text, at, first, 0);
  },
  atDigits(text, at, before, groupEnd): Place | undefined {
    const start = text.charCodeAt(at - 1) === 40 ? at - 1 : at;
    if (before.says("phone", start, 64))
      return isLoose(text, start) ? named(text, start, at) : undefined;
    if (groupEnd - at !== 3 || !isLoose(text, start)) return undefined;
    northAmerican.lastIndex = at;
    if (!northAmerican.test(text)) return undefined;
    const end = northAmerican.lastIndex;
    const next = text.charCodeAt(end);
    if (continuesAfter(text, end) || joins(next) || before.says("number", at, 32)) return undefined;
    return isNorthAmericanNumber(digitsOf(text, at, end)) ? { start, end } : undefined;
  },
};

/** Three, three and four digits with signs between them, the first behind `(` or before `-` or `.`. */
const northAmerican = /[2-9]\d{2}(?:\) ?|[-.])[2-9]\d{2}[-. ]\d{4}/y;

function joins(code: number): boolean {
  return code === 45 || code === 46 || code === 47;
}

/** True if no other number, name or address goes on here. */
function isLoose(text: string, start: number): boolean {
  const previous = text.charCodeAt(start - 1);
  const isJoined =
    joins(previous) || previous === 43 || previous === 58 || previous === 64 || previous === 35;
  // `tel:0301234567` is a URI (RFC 3966).
  return (
    (!isJoined || (previous === 58 && !isDigitCode(text.charCodeAt(start - 2)))) &&
    !continuesBefore(text, start)
  );
}

/** The longest row of groups that the plan of its country has: a number may be followed by another. */
function international(
  text: string,
  start: number,
  first: number,
  prefix: number,
): Place | undefined {
  const groups = readGroups(text, first);
  const digits = groups === 0 ? "" : digitsOf(text, first, ends[groups - 1] as number);
  for (let group = groups - 1; group >= 0; group--) {
    const size = sizes[group] as number;
    const end = ends[group] as number;
    if (size - prefix < 7) return undefined;
    if (!continuesAfter(text, end) && isInternationalNumber(digits.slice(prefix, size)))
      return { start, end };
  }
  return undefined;
}

/** A number behind a word for phones: 7 to 12 digits, which do not look like a date or an amount. */
function named(text: string, start: number, first: number): Place | undefined {
  if (text.startsWith("00", first)) {
    const found = international(text, start, first, 2);
    if (found !== undefined) return found;
  }
  const groups = readGroups(text, first);
  const size = sizes[groups - 1] as number;
  const end = ends[groups - 1] as number;
  if (size < 7 || size > 12 || continuesAfter(text, end)) return undefined;
  const next = text.charCodeAt(end);
  if (next === 58 || next === 37 || (next === 46 && isDigitCode(text.charCodeAt(end + 1))))
    return undefined;
  const isDate = groups === 3 && size === 8 && sizes[0] === 4 && sizes[1] === 6;
  return isDate ? undefined : { start, end };
}
