import { isDigitCode, isLetterCode, isWord, tableOf } from "../text/classes.js";
import { opensMark } from "../text/marks.js";
import type { Source } from "../text/source.js";
import type { Before, Place } from "./before.js";
import type { Detector } from "./detector.js";
import { jointBehind, valueBefore } from "./joint.js";
import { passwordWords, shortWords } from "./password-words.js";
import {
  assignedEnd,
  assignedSeen,
  bitsOf,
  ends,
  farEnd,
  isForeign,
  isPassword,
  isStrongAt,
  isWordOnly,
  quotedEnd,
} from "./values.js";

/*
 * A value is what stands behind `=`, `:` or a word such as `is`, or in quotes beside the word: the first thing that
 * stands there decides. Elsewhere, in prose and tables, only what neither a word nor a name looks like is one.
 */

/** The number of units behind the word in which a value may begin. */
const reach = 72;
const mostWords = 8;
/** Words up to this length, by themselves, are ones before `=` and `:` only: `pass` and `pwd`. */
const longestBare = 5;

/** Values behind a word for a password. */
export const passwords: readonly Detector[] = [
  {
    kind: "secret.password",
    anchors: passwordWords,
    anyCase: true,
    insideWords: "p",
    atAnchor: (source, at, before, end) => atWord(source, at, before, end, false),
  },
  {
    kind: "secret.password",
    anchors: shortWords,
    anyCase: true,
    insideWords: "",
    next: "=:\"'`])>*? \t_-0123456789\\",
    atAnchor: (source, at, before, end) => atWord(source, at, before, end, true),
  },
];

/** The end of what was looked at behind the last word. */
let lookedAt = 0;

function atWord(source: Source, at: number, before: Before, end: number, isShort: boolean) {
  const { units } = source;
  const from = beginsWord(units, at, isShort) ? tailEnd(units, end) : -1;
  if (from < 0) return undefined;
  const isBare = isShort && end - at <= longestBare && !isPartOfName(units, at);
  if (isBare && !mayJoin(units, at, from)) return undefined;
  const place = valueAt(source, at, from, isBare);
  before.noteValue(at, Math.max(place?.end ?? 0, lookedAt));
  if (place === undefined) before.doubt(at, at, lookedAt);
  return place;
}

/** False where nothing joins a value to a word: at the end of a line, and before another word. */
function mayJoin(units: Uint16Array, at: number, from: number): boolean {
  const code = units[from] as number;
  if (code === 10 || code === 13) return false;
  return code !== 32 || units[at - 1] === 45 || !isLetterCode(units[from + 1] as number);
}

/** In a longer name, such as `db_pass`, a short word stands in tables too. */
function isPartOfName(units: Uint16Array, at: number): boolean {
  const previous = units[at - 1] as number;
  return previous === 95 || (previous === 45 && isWord(units[at - 2] as number));
}

/** `dbPassword` and `PGPASSWORD` name one; `desenha`, `compass` and a row of base64 do not. */
function beginsWord(units: Uint16Array, at: number, isShort: boolean): boolean {
  if (at === 0) return true;
  const previous = units[at - 1] as number;
  if (!isLetterCode(previous)) return !isDigitCode(previous);
  const first = units[at] as number;
  if (!isShort) return (first | 32) === 112;
  const second = units[at + 1] as number;
  // `smtpPass` and `MQTTPASS`.
  return first < 97 && (previous > 96 ? second > 96 : second < 97);
}

/** PASSWORD_MIN_LENGTH and `password.hint` are no password; DB_PASSWORD_2 is one. In `user:password@host` it is the value itself. */
function tailEnd(units: Uint16Array, end: number): number {
  let at = end;
  if (units[at] === 95 || units[at] === 45) at += 1;
  let digits = 0;
  for (; digits < 2 && isDigitCode(units[at] as number); digits++) at += 1;
  if (at > end && digits === 0) return -1;
  const code = units[at] as number;
  const next = units[at + 1] as number;
  if (isWord(code) || code === 64 || code === 45 || code === 43) return -1;
  if ((code === 46 || code === 47) && isWord(next)) return -1;
  return code === 62 && next === 64 ? -1 : at;
}

function valueAt(source: Source, word: number, from: number, isBare: boolean): Place | undefined {
  lookedAt = Math.min(source.length, from + reach);
  const first = valueBefore(source, word, from);
  if (first !== undefined) {
    // The word has said what it says.
    if (opensMark(source, first.start)) return undefined;
    if (isPassword(source, first.start, first.end, true)) return first;
  }
  const joint = jointBehind(source, word, from);
  if (joint === undefined) return isBare ? undefined : farBehind(source, from, false);
  const { start, quote, isSaid } = joint;
  if (isBare && !isSaid) return undefined;
  const end = quote === 0 ? assignedEnd(source, word, start) : quotedEnd(source, start, quote);
  lookedAt = Math.max(lookedAt, end, quote === 0 ? assignedSeen : 0);
  if (isPassword(source, start, end, isSaid && quote !== 0)) return { start, end };
  if (isBare) return undefined;
  if (!isSaid) return farBehind(source, from, false);
  if (quote !== 0) return undefined;
  // Prose may go on behind `:`, up to the end of the line, and a value may stand on the next one.
  if (isWordOnly(source, start)) return farBehind(source, start, true);
  const isNext = source.units[start] === 10 || source.units[start] === 13;
  return isNext && source.units[from] !== 61 ? farBehind(source, start, false) : undefined;
}

/** The first strong value in the words behind `from`, up to a blank line or the end of the sentence. */
function farBehind(source: Source, from: number, onLine: boolean): Place | undefined {
  const { units, length } = source;
  const limit = Math.min(length, from + reach);
  let passed = 0;
  let lines = 0;
  let at = from;
  while (at < limit && passed <= mostWords) {
    const code = units[at] as number;
    const previous = units[at - 1] as number;
    if (code === 10) {
      lines += 1;
      const isBlank = units[at + 1] === 10 || units[at + 1] === 13;
      if (onLine || lines > 2 || (isBlank && previous !== 58)) return undefined;
    }
    if ((code === 38 && at > from) || (code === 91 && opensMark(source, at))) return undefined;
    if (code === 46 && endsSentence(units, at)) return undefined;
    if (
      (bitsOf[code] as number) >= ends
        ? bitsOf[code] !== isForeign
        : between[code] === 1 && !(beginnings[code] === 1 && opened[previous] === 1)
    ) {
      at = code === 60 ? tagEnd(units, at) : passedOver(source, at);
      continue;
    }
    const end = farEnd(source, at);
    lookedAt = Math.max(lookedAt, end);
    const isCall = units[end] === 40;
    if (!isCall && isStrongAt(source, at)) return { start: at, end };
    // What stands in a call is a name.
    if (isCall && passed > 0) return undefined;
    passed += 1;
    at = end;
  }
  return undefined;
}

/** Units that are passed over whatever stands beside them: spaces, brackets, and letters of scripts without spaces. */
const passed = bitsOf.map((bits, code) =>
  bits >= ends && bits !== isForeign && !"\n&[<".includes(String.fromCharCode(code)) ? 1 : 0,
);
/** The row of these that was read last: several words may stand before one row, or in it. */
let textOfRow = 0;
let startOfRow = 0;
let endOfRow = 0;

/** The end of what is passed over at `at`, of one unit at least. */
function passedOver({ units, id }: Source, at: number): number {
  if (passed[units[at] as number] !== 1) return at + 1;
  if (id !== textOfRow || at < startOfRow || at >= endOfRow) {
    textOfRow = id;
    startOfRow = at;
    endOfRow = at + 1;
    while (passed[units[endOfRow] as number] === 1) endOfRow += 1;
  }
  return endOfRow;
}

/** Signs between a word and a value. Some may also begin a value: `#Xv9…`. */
const between = tableOf(":=|.*#!?-+/");
const beginnings = tableOf("*#&-!?/+.=~^%$@");
const opened = tableOf(" \t:=>\"'`");

/** A stop behind a word, and not one of a row of dots. */
function endsSentence(units: Uint16Array, at: number): boolean {
  const next = units[at + 1] as number;
  const previous = units[at - 1] as number;
  return (next === 32 || next === 10 || next === 13) && previous !== 32 && previous !== 46;
}

/** `<b>` and `</b>` are passed over; any other `<` is one sign. */
function tagEnd(units: Uint16Array, at: number): number {
  let end = at + 1;
  while (end - at < 14 && (isLetterCode(units[end] as number) || units[end] === 47)) end += 1;
  return units[end] === 62 ? end + 1 : at + 1;
}
