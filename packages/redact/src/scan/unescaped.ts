import { isHex, isInvisible, isLetterCode, isRun, tableOf } from "../text/classes.js";
import type { Source } from "../text/source.js";
import { beginsLine, foldedLine, goesOnBehind, isFold } from "./folds.js";
import { reach } from "./windows.js";

const simple = new Uint8Array(0x10000);
for (const [sign, unit] of Object.entries({ n: 10, r: 13, t: 9, b: 8, f: 12 }))
  simple[sign.charCodeAt(0)] = unit;

/** The units that stand for themselves behind a backslash: in JSON, in code and in Markdown. */
const itself = tableOf("\"'/_*-");
/** The units that a backslash may stand before. */
const escapable = tableOf("\\unrtbf\"'/_*-\r\n");
/** The units that may hide text: `\\`, `%`, `=`, ESC and signs without width. */
export const hides = tableOf("\\%=\u001b\u00ad\u200b\u200c\u200d\u2060\ufeff");

/** 1 for the same and line breaks, 2 for what else ends a line of base64. */
const ends = Uint8Array.from(hides, (hides, code) =>
  hides === 1 || code === 10 || code === 13 ? 1 : isRun(code) ? 0 : 2,
);

/** True if the `\\`, `%`, `=`, ESC or sign without width at `at` hides something. */
export function isEscape(units: Uint16Array, at: number): boolean {
  const code = units[at] as number;
  const next = units[at + 1] as number;
  if (code === 92) return escapable[next] === 1;
  if (code === 61) return next === 10 || (next === 13 && units[at + 2] === 10);
  if (code === escapeSign) return colourEnd(units, at + 1) > 0;
  return code !== 37 || (isHex(next) && isHex(units[at + 2] as number));
}

/** The unit that an escape stands for; -1 if for none. */
let unit = -1;

/** The facts that `writeUnescaped` has found about a part of a text. */
export interface Written {
  /** The place in what was written behind which all is as it is in the text. */
  readonly escaped: number;
  /** True if letters are one word that an escape parts in the text. */
  readonly joins: boolean;
  /** True if lines were joined, and more than line breaks was escaped or left out. */
  readonly folds: boolean;
}

/**
 * Reads JSON's escapes, however often they were escaped again, and percent escapes (RFC 3986) where asked; leaves
 * out characters without width, colours of terminals and, if `joinsLines`, line breaks that continue a line or a block
 * of base64.
 *
 * Unit `n` of what is written into `into` begins at `starts[n]` in the text.
 *
 * @param doubts - takes what is in doubt, in rows as `Before` has them.
 */
export function writeUnescaped(
  { units }: Source,
  from: number,
  to: number,
  readsPercents: boolean,
  joinsLines: boolean,
  into: Source,
  starts: Uint32Array,
  doubts: number[],
): Written {
  const out = into.room(to - from);
  let size = 0;
  // The beginnings of a block and of its line, and the end of its last line that is long enough.
  let block = 0;
  let line = 0;
  let full = 0;
  let escaped = 0;
  let joins = false;
  let isJoined = false;
  let hasOther = false;
  let at = from;
  while (at < to) {
    const endsLine = ends[units[at] as number] as number;
    if (endsLine !== 1) {
      if (endsLine !== 0) block = size + 1;
      do {
        out[size] = units[at] as number;
        starts[size] = at;
        size += 1;
        at += 1;
      } while (at < to && ends[units[at] as number] === 0);
      continue;
    }
    let end = unitEnd(units, at, readsPercents);
    // `=` or `\\` before a line break.
    const isSoft = unit < 0 && units[end - 1] === 10;
    if (isSoft && !joinsLines) {
      unit = units[at] as number;
      end = at + 1;
    }
    const isFull = size - Math.max(block, line) >= foldedLine;
    if (
      joinsLines &&
      (unit === 10 || unit === 13) &&
      // What is joined must not depend on text far before, which a stream has no more.
      (isFull || (full > block && size - full <= reach)) &&
      goesOn(units, end, unit, readsPercents)
    ) {
      // Whether a block that shows only without its escapes goes on here depends on what is read of it.
      if (!isFold(units, at, size - escaped >= foldedLine))
        doubts.push(at - reach, end + reach, at, at);
      if (isFull) full = size;
      line = size;
      unit = -1;
      isJoined = true;
      if (end - at > 1) hasOther = true;
    } else if (isSoft) isJoined = true;
    else if (unit !== units[at]) hasOther = true;
    const isEscaped = unit !== units[at] || end - at > 1;
    if (unit >= 0) {
      if (!isRun(unit)) block = size + 1;
      out[size] = unit;
      starts[size] = at;
      size += 1;
    }
    at = end;
    if (!isEscaped) continue;
    escaped = size;
    if (isLetterCode(units[end] as number) && isLetterCode(out[size - 1] as number)) joins = true;
  }
  starts[size] = at;
  into.close(size);
  into.starts = starts;
  return { escaped, joins, folds: isJoined && hasOther };
}

/** True if a block may go on behind a line break, also with a digit that is escaped. */
function goesOn(
  units: Uint16Array,
  end: number,
  lineBreak: number,
  readsPercents: boolean,
): boolean {
  if (goesOnBehind(units, end, lineBreak)) return true;
  if (lineBreak === 13) return false;
  let at = end;
  unit = -1;
  while (unit < 0 && hides[units[at] as number] === 1) at = unitEnd(units, at, readsPercents);
  const next = unit < 0 ? (units[at] as number) : unit;
  unit = lineBreak;
  return beginsLine(next);
}

/** The end of the unit, escaped or not, that begins at `at` in a text. */
export function unitEnd(units: Uint16Array, at: number, readsPercents: boolean): number {
  const code = units[at] as number;
  unit = code;
  let end = at + 1;
  if (hides[code] !== 1) return end;
  if (code === 92) end = jsonEscape(units, at);
  else if (code === 37) {
    if (readsPercents) end = percentEscape(units, at);
  } else if (code === 61) {
    if (!isEscape(units, at)) return end;
    unit = -1;
    end = lineEnd(units, end);
  } else if (code !== escapeSign) unit = -1;
  if (unit !== escapeSign) return end;
  const last = colourEnd(units, end);
  if (last < 0) return end;
  unit = -1;
  return last;
}

/** The unit at `at`, or the one for which an escape stands that begins there; -1 if it stands for none. */
export function readUnit(units: Uint16Array, at: number): number {
  unitEnd(units, at, true);
  return unit;
}

/** The beginning of an item that seems to begin at `start`: behind the escape or the colour whose last letters it took. */
export function behindEscape(units: Uint16Array, start: number): number {
  const previous = units[start - 1] as number;
  // `\n`, ESC as it stands.
  if (previous === 92 || previous === escapeSign) return behindUnit(units, start - 1, start);
  let at = start;
  while (start - at < 32 && (units[at - 1] as number) >= 48 && (units[at - 1] as number) < 64)
    at -= 1;
  if (units[at - 1] !== 91) return start;
  // ESC as it stands, or as JSON's `\u001b`, before `[31m`.
  const end = behindUnit(units, at - 2, start);
  return end > start ? end : behindUnit(units, at - 7, start);
}

/** The end of the escape at `at`, if one reaches beyond `start`. */
function behindUnit(units: Uint16Array, at: number, start: number): number {
  if (units[at] !== 92 && units[at] !== escapeSign) return start;
  return Math.max(start, unitEnd(units, at, false));
}

const escapeSign = 27;

/** The end of a control sequence of ECMA-48 whose `[` stands at `at`; -1 if none does. No mark is one. */
function colourEnd(units: Uint16Array, at: number): number {
  if (units[at] !== 91) return -1;
  let end = at + 1;
  while (end - at < 32 && (units[end] as number) >= 32 && (units[end] as number) < 64) end += 1;
  const last = units[end] as number;
  return last >= 64 && last < 127 && !(last === 114 && end === at + 1) ? end + 1 : -1;
}

function lineEnd(units: Uint16Array, at: number): number {
  return units[at] === 13 && units[at + 1] === 10 ? at + 2 : at + 1;
}

/** Reads the escape that the backslash at `at` begins; the end of it. */
function jsonEscape(units: Uint16Array, at: number): number {
  let end = at + 1;
  while (units[end] === 92) end += 1;
  const next = units[end] as number;
  const value = next === 117 ? hexAt(units, end + 1, 4) : -1;
  if (value >= 0) {
    unit = isInvisible(value) ? -1 : value;
    return end + 5;
  }
  if (next === 10 || (next === 13 && units[end + 1] === 10)) {
    unit = -1;
    return lineEnd(units, end);
  }
  if (itself[next] === 1) unit = next;
  else if (simple[next] !== 0) unit = simple[next] as number;
  else {
    unit = 92;
    return end;
  }
  return end + 1;
}

/** Reads one percent-encoded character of UTF-8, or a `%` that begins none; the end of it. */
function percentEscape(units: Uint16Array, at: number): number {
  const first = hexAt(units, at + 1, 2);
  if (first < 0) return at + 1;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  let point = length === 1 ? first : first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const place = at + 3 * index;
    const byte = units[place] === 37 ? hexAt(units, place + 1, 2) : -1;
    if (byte < 0x80 || byte > 0xbf) {
      point = -1;
      break;
    }
    point = (point << 6) | (byte & 0x3f);
  }
  if (length > 0 && point > 0 && isInvisible(point)) {
    unit = -1;
    return at + 3 * length;
  }
  // Not a character of this plane: its first byte is left as it is.
  if (length === 0 || point < 0 || point > 0xffff) {
    unit = 37;
    return at + 1;
  }
  unit = point;
  return at + 3 * length;
}

const hexValues = new Int8Array(0x10000).fill(-1);
for (const [value, sign] of [..."0123456789abcdef"].entries()) {
  hexValues[sign.charCodeAt(0)] = value;
  hexValues[sign.toUpperCase().charCodeAt(0)] = value;
}

/** The value of some hexadecimal digits; less than 0 if one is none. */
function hexAt(units: Uint16Array, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index++)
    value = (value << 4) | (hexValues[units[index] as number] as number);
  return value;
}
