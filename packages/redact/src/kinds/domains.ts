import { parse } from "tldts";
import { asciiDigitsAndLetters, isDigitCode, isLetterCode, tableOf } from "../text/classes.js";
import type { Source } from "../text/source.js";
import type { Before } from "./before.js";
import { documentationDomains } from "./facts.js";

/** Labels may be of any script (RFC 5890); the last one must be a name of the root zone. */
const domain =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|[a-z]{2,24}|[\p{L}\p{M}]{2,24})/iuy;

const hyphen = 45;
const dot = 46;
const longestLabel = 63;
const longestName = 24;
const mostDots = 8;
const labelUnits = tableOf(`${asciiDigitsAndLetters}-`);
/** The dots of the domain that is read. */
const dots = new Float64Array(mostDots);

/** What tldts answered, by the name. A short one stands as a number, which costs no string. */
const known = new Map<number | string, boolean>();
const mostKnown = 20_000;
const longestNumber = 6;
/** So many names are looked up for one text. From then on, mail at any name is somebody's: hostile text costs no more. */
const mostLookUps = 2_000;

/** The domain that was read last, as far as it was looked at, and how long it is. Most mail of a text is at few domains. */
let textOfLast = 0;
let startOfLast = 0;
let lookedAt = 0;
let lengthOfLast = 0;

/** The end of the domain of somebody's mail that begins at `start`; -1 if none does. */
export function domainEnd(source: Source, start: number, before: Before): number {
  const { units, id } = source;
  if (id !== textOfLast || !isLast(units, start)) {
    textOfLast = id;
    startOfLast = start;
    const end = readDomain(source, start, before);
    lengthOfLast = end < 0 || isDocumentation(units, start, end) ? 0 : end - start;
  }
  return lengthOfLast === 0 ? -1 : start + lengthOfLast;
}

function isLast(units: Uint16Array, start: number): boolean {
  let at = 0;
  while (at < lookedAt && units[start + at] === units[startOfLast + at]) at += 1;
  return at > 0 && at === lookedAt;
}

/**
 * The end of the domain that begins at `start`; -1 if none does.
 *
 * It is the longest beginning that ends in a top-level domain: what follows may be a sentence, or a token with dots of
 * its own.
 */
function readDomain(source: Source, start: number, before: Before): number {
  const { units } = source;
  lookedAt = 0;
  let size = 0;
  let numbers = 0;
  let label = start;
  let end = start;
  for (;;) {
    while (labelUnits[units[end] as number] === 1 && end - label <= longestLabel) end += 1;
    if (end - label > longestLabel) break;
    const next = units[end] as number;
    // Most are of ASCII only, and the pattern takes ten times as long.
    if (next > 127) return endInAnyScript(source, start, before);
    if (next !== dot || size === mostDots || !isLabel(units, label, end)) break;
    if (isNumber(units, label, end)) numbers += 1;
    dots[size] = end;
    size += 1;
    end += 1;
    label = end;
  }
  lookedAt = end + 1 - start;
  // `module@1.2.3.dev` is a version.
  if (numbers > 1) return -1;
  // What follows the last dot may be none, or begin with one: then a label before it counts.
  for (; size > 0; size--) {
    const last = nameEnd(units, (dots[size - 1] as number) + 1);
    if (last > 0) return topLevelEnd(source, size, last, before);
  }
  return -1;
}

function isNumber(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigitCode(units[at] as number)) return false;
  return true;
}

function isLabel(units: Uint16Array, start: number, end: number): boolean {
  return end > start && units[start] !== hyphen && units[end - 1] !== hyphen;
}

/** The end of what may be a top-level domain; -1 if nothing at `start` may be. */
function nameEnd(units: Uint16Array, start: number): number {
  const isEncoded =
    ((units[start] as number) | 32) === 120 &&
    ((units[start + 1] as number) | 32) === 110 &&
    units[start + 2] === hyphen &&
    units[start + 3] === hyphen;
  if (isEncoded) {
    let end = start + 4;
    while (end - start < longestLabel && labelUnits[units[end] as number] === 1) end += 1;
    if (end - start >= 6) return end;
  }
  const end = lettersEnd(units, start, start + longestName);
  return end - start < 2 ? -1 : end;
}

function lettersEnd(units: Uint16Array, start: number, to: number): number {
  let end = start;
  while (end < to && isLetterCode(units[end] as number)) end += 1;
  return end;
}

function endInAnyScript(source: Source, start: number, before: Before): number {
  const { text, units } = source;
  domain.lastIndex = start;
  if (!domain.test(text)) return -1;
  const end = domain.lastIndex;
  let size = 0;
  for (let at = start; at < end; at++) if (units[at] === dot) dots[size++] = at;
  return topLevelEnd(source, size, end, before);
}

/** The end of the last label that is a top-level domain, of those behind so many dots. */
function topLevelEnd(source: Source, size: number, last: number, before: Before): number {
  let end = last;
  for (let index = size - 1; index >= 0; index--) {
    const start = (dots[index] as number) + 1;
    if (isTopLevel(source, start, end, before)) return end;
    // Other scripts go on without a space: `zoe@mail.jpです`.
    const letters = lettersEnd(source.units, start, Math.min(end, start + longestName));
    const goesOn = letters < end && (source.units[letters] as number) > 127;
    if (goesOn && letters - start > 1 && isTopLevel(source, start, letters, before)) return letters;
    end = start - 1;
  }
  return -1;
}

/** True for a top-level domain of the root zone, by tldts; what it answers is kept. */
function isTopLevel(source: Source, start: number, end: number, { lookUps }: Before): boolean {
  const key = keyOf(source, start, end);
  if (!lookUps.has(key)) {
    // Whatever is known of other texts: the same text always has the same findings.
    if (lookUps.size >= mostLookUps) return true;
    lookUps.add(key);
  }
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const name = source.text.slice(start, end).toLowerCase();
  const answer =
    parse(`a.${name}`, { extractHostname: false, validateHostname: false, detectIp: false })
      .isIcann === true;
  // A copy: a part of a text would keep the whole text alive.
  known.set(typeof key === "number" ? key : Buffer.from(key).toString(), answer);
  return answer;
}

/** The name in lower case; as a number if it is of few letters. */
function keyOf(source: Source, start: number, end: number): number | string {
  const { units } = source;
  let number = 0;
  for (let at = start; at < end; at++) {
    const code = units[at] as number;
    if (end - start > longestNumber || !isLetterCode(code))
      return source.text.slice(start, end).toLowerCase();
    number = number * 27 + (code | 32) - 96;
  }
  return number;
}

const documentation = documentationDomains.map((name) =>
  Uint16Array.from(name, (sign) => sign.charCodeAt(0)),
);

/** True for a domain that documentation uses, and for those below it. */
function isDocumentation(units: Uint16Array, start: number, end: number): boolean {
  for (const name of documentation) {
    const from = end - name.length;
    if (from < start || (from > start && units[from - 1] !== dot)) continue;
    let at = 0;
    while (at < name.length && ((units[from + at] as number) | 32) === name[at]) at += 1;
    if (at === name.length) return true;
  }
  return false;
}
