import { isDigitCode, isWord, tableOf } from "../text/classes.js";
import { continuesAfter, continuesBefore } from "../text/marks.js";
import type { Source } from "../text/source.js";
import { type Before, type Place, said } from "./before.js";
import { passesMod97 } from "./checks.js";
import type { Detector } from "./detector.js";
import { cardNetworks, ibanLengths, testCards } from "./facts.js";
import { phones } from "./phone.js";

/** Pages and documents have spaces that do not break. */
const betweenGroups = tableOf(" -\u00a0\u202f");
const space = 32;
const hyphen = 45;
const dot = 46;

/** True if more digits follow directly. */
function goesOn(source: Source, end: number): boolean {
  const { units } = source;
  return (
    continuesAfter(source, end) || (units[end] === dot && isDigitCode(units[end + 1] as number))
  );
}

const fewestCardDigits = 12;
const mostCardDigits = 19;
const cardDigits = new Uint8Array(mostCardDigits);

/** The lengths that the networks have, as bits, by the first four digits. */
const lengthsOfNetworks = new Uint32Array(10_000);
for (const [first, last, shortest, longest] of cardNetworks)
  for (let prefix = first; prefix <= last; prefix++)
    for (let length = shortest; length <= longest; length++)
      lengthsOfNetworks[prefix] = (lengthsOfNetworks[prefix] as number) | (1 << length);

/** The groups in which cards are written. The number is the lengths as digits of a decimal number. */
const cardShapes = new Set([4444, 465, 464, 44443, 444, 4441, 4442, 4443, 445, 4333]);

const card: Detector = {
  kind: "personal.card",
  groups: [
    { from: 4, to: 4, next: " -." },
    { from: fewestCardDigits, to: mostCardDigits },
  ],
  atDigits(source, at, before, groupEnd): Place | undefined {
    const { units } = source;
    const length = groupEnd - at;
    if (length !== 4 && (length < fewestCardDigits || length > mostCardDigits)) return undefined;
    const previous = at === 0 ? 0 : (units[at - 1] as number);
    if (previous === hyphen || previous === dot || previous === 43 || continuesBefore(source, at))
      return undefined;
    if (length > 4) {
      for (let index = 0; index < length; index++)
        cardDigits[index] = (units[at + index] as number) - 48;
      return isCard(source, at, groupEnd, length, before, false)
        ? { start: at, end: groupEnd }
        : undefined;
    }
    return groupedCard(source, at, before);
  },
};

function groupedCard(source: Source, at: number, before: Before): Place | undefined {
  const { units } = source;
  const sign = units[at + 4] as number;
  if (sign !== dot && betweenGroups[sign] !== 1) return undefined;
  for (let digit = 0; digit < 4; digit++) cardDigits[digit] = (units[at + digit] as number) - 48;
  if (lengthsOfNetworks[numberOf(4)] === 0) return undefined;
  let size = 4;
  let shape = 4;
  let place = at + 4;
  let longest = 0;
  for (;;) {
    const goesOnWithSign = units[place] === sign && isDigitCode(units[place + 1] as number);
    // A part of a longer row is one only at full length.
    if (size >= (goesOnWithSign ? 15 : fewestCardDigits) && cardShapes.has(shape)) {
      if (isCard(source, at, place, size, before, isBehindFour(units, at, sign))) longest = place;
    }
    if (!goesOnWithSign || size === mostCardDigits) break;
    place += 1;
    const from = place;
    while (size < mostCardDigits && isDigitCode(units[place] as number)) {
      cardDigits[size] = (units[place] as number) - 48;
      size += 1;
      place += 1;
    }
    shape = shape * 10 + Math.min(9, place - from);
  }
  if (longest > 0) return { start: at, end: longest };
  if (size >= fewestCardDigits) before.doubt(at, at - 6, place);
  return undefined;
}

/**
 * True behind a group of four digits, or one that ends as an IBAN begins, which the same sign parts from what stands at
 * `at`: a longer row goes on there. Behind any other number, a card is one by itself: `qty 2 4539 1488 0343 6467`.
 */
function isBehindFour(units: Uint16Array, at: number, sign: number): boolean {
  if (at < 5 || units[at - 1] !== sign || !isDigitCode(units[at - 2] as number)) return false;
  let hasLetter = false;
  for (let place = at - 5; place < at - 2; place++) {
    if (!isWord(units[place] as number)) return false;
    if (!isDigitCode(units[place] as number)) hasLetter = true;
  }
  return hasLetter || at < 6 || !isWord(units[at - 6] as number);
}

function isCard(
  source: Source,
  start: number,
  end: number,
  size: number,
  before: Before,
  isBehindFour: boolean,
): boolean {
  if (!isOfNetwork(size) || !passesLuhn(size) || goesOn(source, end)) return false;
  if (testCards.has(numberOf(size))) return false;
  if (before.says(said.card, start, 64)) return true;
  // Numbers of other things pass Luhn one time in ten.
  return !isBehindFour && mayBeAlone(size) && !before.saysOther(start);
}

/** True for a number that may be a card's with no word for cards before it: of 16 digits, or 15 for American Express. */
function mayBeAlone(size: number): boolean {
  const isAmex = size === 15 && cardDigits[0] === 3 && (cardDigits[1] === 4 || cardDigits[1] === 7);
  return (size > 15 || isAmex) && hasFourDigits(size);
}

/** True if four or more of the ten digits stand in the number: others are made up. */
function hasFourDigits(size: number): boolean {
  let all = 0;
  let different = 0;
  for (let at = 0; at < size; at++) {
    const digit = 1 << (cardDigits[at] as number);
    if ((all & digit) === 0) different += 1;
    all |= digit;
  }
  return different > 3;
}

function isOfNetwork(size: number): boolean {
  return (((lengthsOfNetworks[numberOf(4)] as number) >> size) & 1) === 1;
}

/** The first digits as a number. Those of 17 digits and more are not exact, and no test card is so long. */
function numberOf(size: number): number {
  let number = 0;
  for (let at = 0; at < size; at++) number = number * 10 + (cardDigits[at] as number);
  return number;
}

/** The check digit of payment cards: ISO/IEC 7812-1. */
function passesLuhn(size: number): boolean {
  let sum = 0;
  for (let at = size - 1, double = false; at >= 0; at--, double = !double) {
    const digit = cardDigits[at] as number;
    sum += double ? (digit > 4 ? 2 * digit - 9 : 2 * digit) : digit;
  }
  return sum % 10 === 0;
}

/** Areas that were ever issued: not 000, 666 or 9xx; no group 00, no serial 0000 (SSA, POMS RM 10201.035). */
const ssnShape = /(?!000|666|9)\d{3}([- ]?)(?!00)\d{2}\1(?!0000)\d{4}/y;
/** Printed as samples, and never anybody's. */
const sampleSsns = new Set(["078051120", "219099999", "123456789", "457555462"]);

const ssn: Detector = {
  kind: "personal.ssn",
  groups: [
    { from: 3, to: 3, next: " -" },
    { from: 9, to: 9 },
  ],
  atDigits(source, at, before, groupEnd): Place | undefined {
    const { units } = source;
    const sign = units[groupEnd];
    if (groupEnd - at === 3) {
      if ((sign !== hyphen && sign !== space) || units[at + 6] !== sign) return undefined;
    } else if (groupEnd - at !== 9) return undefined;
    const isNamed = before.says(said.ssn, at, 64);
    if (!isNamed && sign !== hyphen) return undefined;
    if (at > 0 && joinsDigits(units[at - 1] as number)) return undefined;
    const { text } = source;
    ssnShape.lastIndex = at;
    if (!ssnShape.test(text)) return undefined;
    const end = ssnShape.lastIndex;
    // A dot ends a sentence, if no digit follows it.
    if (units[end] !== dot && joinsDigits(units[end] as number)) return undefined;
    if (continuesBefore(source, at) || goesOn(source, end)) return undefined;
    if (sampleSsns.has(text.slice(at, end).replace(/\D/g, ""))) return undefined;
    return isNamed || !before.saysOther(at) ? { start: at, end } : undefined;
  },
};

function joinsDigits(code: number): boolean {
  return code === hyphen || code === dot || code === 43 || code === 47;
}

/** By the two letters of the country, read as a number. */
const lengthsByCode = new Uint8Array(26 * 26);
for (const [country, length] of ibanLengths) {
  lengthsByCode[(country.charCodeAt(0) - 65) * 26 + country.charCodeAt(1) - 65] = length;
}

const iban: Detector = {
  kind: "personal.iban",
  anchors: [...ibanLengths.keys()].map((country) => country.toLowerCase()),
  anyCase: true,
  next: "0123456789",
  atAnchor(source, start): Place | undefined {
    const { units } = source;
    if (!isDigitCode(units[start + 2] as number) || !isDigitCode(units[start + 3] as number))
      return undefined;
    if (continuesBefore(source, start)) return undefined;
    const first = ((units[start] as number) & ~32) - 65;
    const second = ((units[start + 1] as number) & ~32) - 65;
    const length = lengthsByCode[first * 26 + second] as number;
    let size = 0;
    let place = start;
    while (size < length) {
      const code = units[place] as number;
      if (isWord(code) && code !== 95) size += 1;
      // One space or hyphen between groups of four.
      else if (betweenGroups[code] !== 1 || size % 4 !== 0 || !isWord(units[place + 1] as number)) {
        return undefined;
      }
      place += 1;
    }
    if (continuesAfter(source, place)) return undefined;
    return passesMod97(units, start, place) ? { start, end: place } : undefined;
  },
};

export const numbers: readonly Detector[] = [card, iban, ssn, ...phones];
