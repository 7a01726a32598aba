import { isHex, tableOf } from "../text/classes.js";
import type { Source } from "../text/source.js";
import { base64, type Encoding, hex, shortestHex, sizeOf } from "./encoded.js";
import { Places } from "./windows.js";

/**
 * Shows a text that was decoded from a part of a run.
 *
 * @param start - the place of the digit from which bytes are counted.
 * @param first - the number of the first byte of the text.
 */
type Show = (encoding: Encoding, start: number, first: number) => void;

/**
 * Decodes each part of a long run that may be text into `into`, and shows it.
 *
 * Where such a run begins, and whether all of it is hexadecimal, says nothing of a part that is far from there: a
 * stream does not know it, and an escape is a break in one reading and a digit in the other. So each digit is read as
 * each of the four in a group of base64, and in a row of hexadecimal digits as each of the two. What is out of step is
 * no text, but for a few bytes.
 */
export function textsInRun(
  { units }: Source,
  from: number,
  to: number,
  into: Source,
  show: Show,
): void {
  const read = (encoding: Encoding, first: number, end: number) => {
    for (let start = first; start < first + encoding.unitsPer; start++) {
      const size = sizeOf(encoding, start, end);
      const texts = textsIn(encoding, units, start, size);
      for (const [index, text] of texts.starts.entries()) {
        const begin = Math.max(0, text - around);
        const length = Math.min(size, (texts.ends[index] as number) + around) - begin;
        const out = into.room(length);
        for (let at = 0; at < length; at++) out[at] = encoding.byteAt(units, start, begin + at);
        into.close(length);
        show(encoding, start, begin);
      }
    }
  };
  read(base64, from, to);
  for (let start = from; start + shortestHex <= to; ) {
    let at = start + shortestHex - 1;
    while (at >= start && isHex(units[at] as number)) at -= 1;
    if (at < start) {
      at = start + shortestHex;
      while (at < to && isHex(units[at] as number)) at += 1;
      read(hex, start, at);
    }
    start = at + 1;
  }
}

/** So many bytes of ASCII text one behind the other are taken for text. */
const leastText = 8;
/** So much around it is read with it: no word before an item, or sign beyond ASCII in one, says anything from farther away. */
const around = 96;
const asciiText = tableOf("\t\n\r").fill(1, 32, 127);

/** The places of bytes that may be text. Of others, one in a few is looked at. */
function textsIn(encoding: Encoding, units: Uint16Array, start: number, size: number): Places {
  const texts = new Places(2 * around);
  let from = 0;
  let end = leastText;
  while (end <= size) {
    let at = end - 1;
    while (at >= from && asciiText[encoding.byteAt(units, start, at)] === 1) at -= 1;
    if (at < from) {
      while (end < size && asciiText[encoding.byteAt(units, start, end)] === 1) end += 1;
      texts.note(from, end);
      at = end;
    }
    from = at + 1;
    end = from + leastText;
  }
  return texts;
}
