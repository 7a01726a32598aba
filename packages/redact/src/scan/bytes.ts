import { tableOf } from "../text/classes.js";
import type { Source } from "../text/source.js";

/** No item has fewer units of ASCII, or spaces that do not break, one behind the other, but for mail. */
const leastInItem = 5;
const inItem = tableOf("\t\n\r\u00a0").fill(1, 32, 127);

/** False for bytes that are no text, but have no byte that a text has not: some runs decode so by chance. */
export function mayHoldItem({ units, length }: Source): boolean {
  let size = 0;
  for (let at = 0; at < length && size < leastInItem; at++) {
    const code = units[at] as number;
    if (code === 64) return true;
    size = inItem[code] === 1 ? size + 1 : 0;
  }
  return size === leastInItem;
}

/** Letters of Latin, Greek and Cyrillic script begin with a byte up to this one. */
const lastOfNames = 0xd3;
const letterOfNames = 0xe9;
/** Others are written without spaces around an address. */
const otherLetter = 0xac00;

/**
 * Writes a letter in place of each byte of UTF-8 that is part of one: names of mailboxes and hosts have letters beyond
 * ASCII, and nobody asks which ones. Bytes and units stay in step.
 */
export function writeLetters({ units, length }: Source): void {
  for (let at = 0; at < length; at++) {
    const first = units[at] as number;
    // Signs of punctuation begin with 0xe2, and no letter of two bytes with 0xc2.
    if (first < 0xc3 || first === 0xe2 || first > 0xed) continue;
    const end = at + (first < 0xe0 ? 2 : 3);
    let next = at + 1;
    while (next < end && isContinuation(units[next] as number)) next += 1;
    if (next < end) continue;
    units.fill(first <= lastOfNames ? letterOfNames : otherLetter, at, end);
    at = end - 1;
  }
}

function isContinuation(code: number): boolean {
  return code >= 0x80 && code < 0xc0;
}
