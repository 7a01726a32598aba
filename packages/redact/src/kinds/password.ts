import { isDigitCode, isLetterCode, tableOf } from "../text/classes.js";
import { opensMark } from "../text/marks.js";
import type { Source } from "../text/source.js";
import type { Detector, Place } from "./detector.js";
import { passwordWords } from "./password-words.js";
import { isPlaceholder } from "./placeholder.js";

/** The number of units behind the word in which a value may begin. */
const reach = 72;
const shortestValue = 8;
const longestValue = 128;
const mostWords = 8;
/** Words that name the place of a value. */
const neutral = new Set(["value", "is", "es", "ist"]);

/** A value behind a word for a password. One of lower-case letters only is not told from a word, and is not found. */
export const password: Detector = {
  kind: "secret.password",
  anchors: passwordWords,
  anyCase: true,
  insideWords: "p",
  atAnchor(source, at, _before, end) {
    const { units } = source;
    const from = isWhole(units, at, end) ? tailEnd(units, end) : -1;
    return from < 0 ? undefined : valueBehind(source, from);
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

/** Ends a value that no quote opened. */
const ends = tableOf(" \t\r\n\"'`<>&,;|\\()[]{}");
const quotes = tableOf("\"'`>");
/** Signs between a word and a value. Some may also begin a value: `#Xv9…`. */
const between = tableOf(":=|.*#!?-+/，、。：（）\u00a0");
const beginnings = tableOf("*#&-!?/+.=~^%$@");
const opened = tableOf(" \t:=>");

function valueBehind(source: Source, from: number): Place | undefined {
  const { units, length } = source;
  const limit = Math.min(length, from + reach);
  let passed = 0;
  let lines = 0;
  let at = from;
  while (at < limit && passed <= mostWords) {
    const code = units[at] as number;
    if (code === 10 && ++lines > 2) return undefined;
    if ((code === 38 && at > from) || (code === 91 && opensMark(source, at))) return undefined;
    const previous = units[at - 1] as number;
    if (
      ends[code] === 1 ||
      (between[code] === 1 && !(beginnings[code] === 1 && opened[previous] === 1))
    ) {
      at = code === 60 ? tagEnd(units, at) : at + 1;
      continue;
    }
    let end = at + 1;
    while (end - at <= longestValue && end < length && ends[units[end] as number] !== 1) end += 1;
    const whole =
      quotes[previous] === 1 ? quotedEnd(source, at, end, previous) : withoutStop(units, at, end);
    if (isPassword(source, at, whole, passed === 0)) return { start: at, end: whole };
    // A call: what stands in it is a name.
    if (units[end] === 40 && passed > 0) return undefined;
    if (end - at > 5 || end - at === 1 || !neutral.has(source.text.slice(at, end).toLowerCase()))
      passed += 1;
    at = end;
  }
  return undefined;
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
  let end = first;
  while (end - start <= longestValue && end < length) {
    const code = units[end] as number;
    if (code === closing) return end;
    if (code === 10 || code === 92 || code === 32 || code === 34 || code === 39 || code === 123)
      return first;
    if (code === 91 && opensMark(source, end)) return first;
    end += 1;
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
/** Members of programs: `config.password`. */
const member = /^[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)+$/;

function isPassword(source: Source, start: number, end: number, isNext: boolean): boolean {
  const { units } = source;
  if (end - start < shortestValue || end - start > longestValue) return false;
  let digits = false;
  let lower = false;
  let upper = false;
  let signs = false;
  for (let at = start; at < end; at++) {
    const code = units[at] as number;
    if (code >= 97 && code <= 122) lower = true;
    else if (code >= 48 && code <= 57) digits = true;
    else if (code >= 65 && code <= 90) upper = true;
    else if (code !== 95 && code !== 45 && code !== 46 && code !== 47 && code !== 58) signs = true;
  }
  if (!lower && !upper) return false;
  const isMixed = (upper && lower && digits) || (signs && digits) || (signs && upper && lower);
  const isLettersOnly = !digits && !signs;
  if (!(isMixed || (isNext && (digits || signs)) || (isLettersOnly && isNext && upper && lower)))
    return false;
  const value = source.text.slice(start, end);
  if (isPlaceholder(value) || never.test(value) || member.test(value)) return false;
  if (
    isPlaceholder(value.replace(/^\w+=/, "") || "none") ||
    /[A-Za-z_]\(/.test(value) ||
    units[end] === 40
  )
    return false;
  if (isLettersOnly) return isScrambled(value);
  return isNext || !/^[A-Za-z_]{2,}=/.test(value);
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
