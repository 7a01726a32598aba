import {
  asciiDigitsAndLetters,
  isDigitCode,
  isLetterCode,
  isRun,
  tableOf,
} from "../text/classes.js";
import { opensMark } from "../text/marks.js";
import type { Source } from "../text/source.js";
import type { Place } from "./before.js";
import type { Detector } from "./detector.js";
import { passwordWords } from "./password-words.js";
import { isPlaceholder, isPlaceholderAt } from "./placeholder.js";

/** The number of units behind the word in which a value may begin. */
const reach = 72;
const shortestValue = 8;
const longestValue = 128;
const mostWords = 8;
/** Words that name the place of a value. */
const neutral = new Set(["value", "is", "es", "ist"]);
const neutralBegin = tableOf("vieVIE");

/** A value behind a word for a password. One of lower-case letters only is not told from a word, and is not found. */
export const password: Detector = {
  kind: "secret.password",
  anchors: passwordWords,
  anyCase: true,
  insideWords: "p",
  atAnchor(source, at, before, end) {
    const { units } = source;
    const from = isWhole(units, at, end) ? tailEnd(units, end) : -1;
    if (from < 0) return undefined;
    if (end - at === shortestWord && isInBase64(units, at, end)) {
      before.doubt(at, at - lineOfBase64, end + lineOfBase64);
      return undefined;
    }
    const place = valueBehind(source, from);
    before.noteValue(at, place?.end ?? lookedAt);
    if (place === undefined) before.doubt(at, at, lookedAt);
    return place;
  },
};

/** `dbPassword` and `PGPASSWORD` name one; `desenha` and `passwords` do not. */
function isWhole(units: Uint16Array, at: number, end: number): boolean {
  if (isLetterCode(units[end] as number)) return false;
  return at === 0 || ((units[at] as number) | 32) === 112 || !isLetterCode(units[at - 1] as number);
}

/** PASSWORD_MIN_LENGTH is no password; DB_PASSWORD_2 is one. In `user:password@host` it is the value itself. */
function tailEnd(units: Uint16Array, end: number): number {
  const code = units[end];
  if (code === 64) return -1;
  if (code !== 95 && code !== 45) return end;
  return isDigitCode(units[end + 1] as number) ? end + 2 : -1;
}

/** What a value has, as bits. Digits with `-`, `_`, `.`, `/` and `:` are dates, paths and ranges. */
const hasSmall = 1;
const hasCapital = 2;
const hasDigit = 4;
const hasSign = 8;
/** What dates, paths, addresses, names of members and versions have. */
const hasJoint = 16;
/** `=` and `(`. */
const hasAssignment = 32;
/** Ends a value that no quote opened. No other bit is higher. */
const ends = 64;
const bitsOf = new Uint8Array(65_536).fill(hasSign);
for (const sign of " \t\r\n\"'`<>&,;|\\()[]{}") bitsOf[sign.charCodeAt(0)] = hasSign | ends;
bitsOf[40] = hasSign | hasAssignment | ends;
bitsOf[61] = hasSign | hasAssignment;
bitsOf[64] = hasSign | hasJoint;
bitsOf[95] = 0;
for (const sign of "-./:") bitsOf[sign.charCodeAt(0)] = hasJoint;
for (const sign of asciiDigitsAndLetters) {
  const code = sign.charCodeAt(0);
  bitsOf[code] = isDigitCode(code) ? hasDigit : code > 96 ? hasSmall : hasCapital;
}

/** `pwd`. The letters of base64 spell it by chance. */
const shortestWord = 3;
/** The shortest line in which tools write base64. */
const lineOfBase64 = 60;
const inBase64 = hasSmall | hasCapital | hasDigit;
const breaksLine = tableOf("\n\r\\");

/** True for a word in a line of so many units of base64, in which JSON may escape `/`. */
function isInBase64(units: Uint16Array, at: number, end: number): boolean {
  let first = at;
  let last = end;
  let bits = 0;
  for (; at - first < lineOfBase64 && isInRun(units, first - 1); first--)
    bits |= bitsOf[units[first - 1] as number] as number;
  for (; last - end < lineOfBase64 && isInRun(units, last); last++)
    bits |= bitsOf[units[last] as number] as number;
  if (last - first < lineOfBase64 || (bits & inBase64) !== inBase64) return false;
  const begins = first < at || units[at - 1] === 10;
  return begins && (last > end || breaksLine[units[end] as number] === 1);
}

function isInRun(units: Uint16Array, at: number): boolean {
  return isRun(units[at] as number) || (units[at] === 92 && units[at + 1] === 47);
}

const quotes = tableOf("\"'`>");
/** Signs between a word and a value. Some may also begin a value: `#Xv9…`. */
const between = tableOf(":=|.*#!?-+/，、。：（）\u00a0");
const beginnings = tableOf("*#&-!?/+.=~^%$@");
const opened = tableOf(" \t:=>");

const endsQuoted = tableOf("\n\\ \"'{");

/** The end of what was looked at behind the last word. */
let lookedAt = 0;

function valueBehind(source: Source, from: number): Place | undefined {
  const { units, length } = source;
  const limit = Math.min(length, from + reach);
  let passed = 0;
  let lines = 0;
  let at = from;
  lookedAt = from;
  while (at < limit && passed <= mostWords) {
    const code = units[at] as number;
    if (code === 10 && ++lines > 2) return undefined;
    const previous = units[at - 1] as number;
    // It ends the pair of a form. Behind a colon and a space, it begins a type or an anchor: `let password: &str = "…"`.
    if (code === 38 && at > from && !(previous === 32 && units[at - 2] === 58)) return undefined;
    if (code === 91 && opensMark(source, at)) return undefined;
    if (
      (bitsOf[code] as number) >= ends ||
      (between[code] === 1 && !(beginnings[code] === 1 && opened[previous] === 1))
    ) {
      at = code === 60 ? tagEnd(units, at) : at + 1;
      continue;
    }
    const value = valueAt(source, at);
    const end = valueEnds[value] as number;
    let bits = valueBits[value] as number;
    lookedAt = end;
    const whole =
      quotes[previous] === 1 ? quotedEnd(source, at, end, previous) : withoutStop(units, at, end);
    for (let more = end; more < whole; more++) bits |= bitsOf[units[more] as number] as number;
    if (isPassword(source, at, whole, bits, passed === 0)) return { start: at, end: whole };
    // A call: what stands in it is a name.
    if (units[end] === 40 && passed > 0) return undefined;
    if (!isNeutral(source, at, end)) passed += 1;
    at = end;
  }
  lookedAt = Math.max(lookedAt, at);
  return undefined;
}

/** The values of a text that were read last, each at the place of its first unit: several words may stand before one. */
const mostKept = 128;
const valueStarts = new Int32Array(mostKept);
const valueEnds = new Int32Array(mostKept);
const valueBits = new Uint8Array(mostKept);
let textOfValues = 0;

/** The place in the arrays of the value that begins at `start`. */
function valueAt({ units, length, id }: Source, start: number): number {
  if (id !== textOfValues) valueStarts.fill(-1);
  textOfValues = id;
  const value = start % mostKept;
  if (valueStarts[value] === start) return value;
  const most = Math.min(length, start + longestValue + 1);
  let end = start + 1;
  let bits = bitsOf[units[start] as number] as number;
  for (; end < most; end++) {
    const next = bitsOf[units[end] as number] as number;
    if (next >= ends) break;
    bits |= next;
  }
  valueStarts[value] = start;
  valueEnds[value] = end;
  valueBits[value] = bits;
  return value;
}

function isNeutral(source: Source, start: number, end: number): boolean {
  if (end - start > 5 || neutralBegin[source.units[start] as number] !== 1) return false;
  return neutral.has(source.text.slice(start, end).toLowerCase());
}

/** `<b>` and `</b>` are passed over; any other `<` is one sign. */
function tagEnd(units: Uint16Array, at: number): number {
  let end = at + 1;
  while (end - at < 14 && (isLetterCode(units[end] as number) || units[end] === 47)) end += 1;
  return units[end] === 62 ? end + 1 : at + 1;
}

/** In quotes a value goes on to the quote that closes it, over signs that end others. */
function quotedEnd(source: Source, start: number, first: number, quote: number): number {
  const { units, length } = source;
  const closing = quote === 62 ? 60 : quote;
  const most = Math.min(length, start + longestValue + 1);
  for (let end = first; end < most; end++) {
    const code = units[end] as number;
    lookedAt = end;
    if (code === closing) return end;
    if (endsQuoted[code] === 1 || (code === 91 && opensMark(source, end))) return first;
  }
  return first;
}

function withoutStop(units: Uint16Array, start: number, end: number): number {
  let last = end;
  while (last > start && (units[last - 1] === 46 || units[last - 1] === 58)) last -= 1;
  return last;
}

const never =
  /^(?:[\d\s.,:/+TZ-]+|[0-9a-f]{8}-[0-9a-f-]{27}|(?:[a-z][\w+.-]*:)?\/\/.*|\.{0,2}\/[\w./-]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\$(?:2[aby]?|argon2\w*|scrypt|pbkdf2[\w-]*|[156y])\$.*|(?:arn|vault|op|ssm|secretsmanager|env|file|projects)[:/].*|[vV]?\d+(?:\.\d+)+[\w.+-]*|v\d+)$/;
/** What matches this has small letters only with a joint, or begins with one of these. */
const beginsOther = tableOf("$v");
/** Members of programs: `config.password`. */
const member = /^[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)+$/;

function isPassword(
  source: Source,
  start: number,
  end: number,
  bits: number,
  isNext: boolean,
): boolean {
  if (end - start < shortestValue || end - start > longestValue || !isMixed(bits, isNext))
    return false;
  if (isPlaceholderAt(source, start, end)) return false;
  const { text, units } = source;
  const mayBeOther =
    (bits & (hasJoint | hasSmall)) !== hasSmall || beginsOther[units[start] as number] === 1;
  const mayAssign = (bits & hasAssignment) !== 0;
  const isLetters = (bits & (hasDigit | hasSign)) === 0;
  if (units[end] === 40) return false;
  if (!mayBeOther && !mayAssign && !isLetters) return true;
  const value = text.slice(start, end);
  if (mayBeOther && (never.test(value) || member.test(value))) return false;
  const behindName = value.replace(/^\w+=/, "");
  if (behindName !== value && isPlaceholder(behindName || "none")) return false;
  if (/[A-Za-z_]\(/.test(value)) return false;
  if (isLetters) return isScrambled(value);
  return isNext || !/^[A-Za-z_]{2,}=/.test(value);
}

/** True for letters with what words do not have: directly behind the word for a password, less of it. */
function isMixed(bits: number, isNext: boolean): boolean {
  const hasBoth = (bits & hasSmall) !== 0 && (bits & hasCapital) !== 0;
  const hasDigits = (bits & hasDigit) !== 0;
  const hasSigns = (bits & hasSign) !== 0;
  if ((bits & (hasSmall | hasCapital)) === 0) return false;
  if (isNext) return hasBoth || hasDigits || hasSigns;
  return (hasBoth && hasDigits) || (hasSigns && (hasDigits || hasBoth));
}

/** Letters only, in a case that no name of words has: `bmDcxcgutvpqEuuHxP`. */
function isScrambled(letters: string): boolean {
  return (
    letters.length >= 12 &&
    /^[A-Za-z]+$/.test(letters) &&
    (letters.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0) >= 2 &&
    /[bcdfghjklmnpqrstvwxz]{4}/i.test(letters)
  );
}
