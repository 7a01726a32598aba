import { isRun, isWord } from "../text/classes.js";

/** The shortest line in which base64 or hexadecimal text is written: 60 (`xxd -p`), 64 (PEM), 76 (MIME). */
export const foldedLine = 60;

/**
 * True if the line break at `at` is one inside of a block of base64 or hexadecimal text.
 *
 * @param endsLine - true if a line of a block is known to end there. Default: it is looked at.
 */
export function isFold(units: Uint16Array, at: number, endsLine = false): boolean {
  if (!goesOnBehind(units, at + 1, units[at] as number)) return false;
  return endsLine || endsLongRun(units, at > 0 && units[at - 1] === 13 ? at - 1 : at);
}

/** True if a block may go on behind a line break, or behind the first unit of one, that ends at `end`. */
export function goesOnBehind(units: Uint16Array, end: number, lineBreak: number): boolean {
  const next = units[end] as number;
  return lineBreak === 13 ? next === 10 || next === 92 : beginsLine(next);
}

/** True for the units with which a line of a block begins: no `-`, which begins a list and the end of a key. */
export function beginsLine(code: number): boolean {
  return isWord(code) || code === 43 || code === 47;
}

/** True if a line of a block ends at `end`. */
export function endsLongRun(units: Uint16Array, end: number): boolean {
  if (end < foldedLine) return false;
  for (let at = end - 1; at >= end - foldedLine; at--) {
    if (!isRun(units[at] as number)) return false;
  }
  return true;
}
