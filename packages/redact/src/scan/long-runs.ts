import { isHex } from "../text/classes.js";
import type { Source } from "../text/source.js";
import { asciiText, base64, decode, type Encoding, hex, shortestHex, sizeOf } from "./encoded.js";
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
    for (const [index, texts] of textsIn(encoding, units, first, end, into).entries()) {
      const start = first + index;
      const size = sizeOf(encoding, start, end);
      for (const [index, text] of texts.starts.entries()) {
        const begin = Math.max(0, text - around);
        const length = Math.min(size, (texts.ends[index] as number) + around) - begin;
        decode(encoding, units, start, begin, begin + length, into.room(length), anyByte);
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
const anyByte = new Uint8Array(256).fill(1);
/** So many digits of such a text, one behind the other, begin at a place that is a multiple of four. */
const digitsLooked = 7;

/**
 * The bytes that may be text, if groups begin at the first digit, at the second, and so on.
 *
 * One look at a few digits says for which of these they may be text: mostly for none.
 */
function textsIn(
  encoding: Encoding,
  units: Uint16Array,
  from: number,
  to: number,
  into: Source,
): readonly Places[] {
  const { unitsPer, per } = encoding;
  const pairs = pairsOf(encoding);
  const all = (1 << unitsPer) - 1;
  const texts = Array.from({ length: unitsPer }, () => new Places(2 * around));
  // For each, the number of the byte up to which all were looked at, and the place of the digit behind it.
  const passed = new Uint32Array(unitsPer);
  const known = new Uint32Array(unitsPer);
  const out = into.room(sizeOf(encoding, from, to));
  for (let at = from; at + digitsLooked <= to; at += 4) {
    let groups =
      pairAt(pairs, units, at) &
      (pairAt(pairs, units, at + 2) >> 2) &
      pairAt(pairs, units, at + 4) &
      all;
    if (groups === 0) continue;
    groups &=
      (pairAt(pairs, units, at + 1) >> 3) &
      (pairAt(pairs, units, at + 3) >> 1) &
      (pairAt(pairs, units, at + 5) >> 3);
    for (let group = 0; groups >> group !== 0; group++) {
      if (((groups >> group) & 1) === 0 || at < (known[group] as number)) continue;
      const start = from + group;
      const seen = passed[group] as number;
      let first = Math.max(0, Math.ceil(((at - start) * per) / unitsPer));
      const end = decode(
        encoding,
        units,
        start,
        first,
        sizeOf(encoding, start, to),
        out,
        asciiText,
      );
      while (
        first > seen &&
        decode(encoding, units, start, first - 1, first, out, asciiText) === first
      )
        first -= 1;
      if (end - first >= leastText) texts[group]?.note(first, end);
      passed[group] = end;
      known[group] = start + Math.ceil((end * unitsPer) / per);
    }
  }
  return texts;
}

function pairAt(pairs: Uint8Array, units: Uint16Array, at: number): number {
  return pairs[((units[at] as number) << 7) | (units[at + 1] as number)] as number;
}

const madePairs = new Map<Encoding, Uint8Array>();

/**
 * Where in a row of four two digits may stand that are of ASCII text, at `first << 7 | second`: bit 0 is the first
 * place, bit 3 the second, bit 2 the third, bit 1 the fourth, and bits 4 to 7 are the same again.
 *
 * So of two digits `n` behind a place, shifted to the right by `4 - n`, bit `m` is of rows that begin `m` behind it.
 */
function pairsOf(encoding: Encoding): Uint8Array {
  const made = madePairs.get(encoding);
  if (made !== undefined) return made;
  const { bits, digits, values } = encoding;
  const begins = Array.from({ length: 9 }, (_, size) => beginningsOf(size));
  const pairs = new Uint8Array(1 << 14);
  for (let place = 0; place < 4; place++) {
    // Behind the bits of a byte that begins before, the two have those of one byte, and of one more.
    const size = 2 * bits - (-(place * bits) & 7);
    const more = Math.max(0, size - 8);
    const isText = begins[size - more] as Uint8Array;
    const isMore = begins[more] as Uint8Array;
    for (const first of digits) {
      for (const second of digits) {
        const value = ((values[first] as number) << bits) | (values[second] as number);
        const both =
          (isText[(value >> more) & (isText.length - 1)] as number) &
          (isMore[value & (isMore.length - 1)] as number);
        const pair = (first << 7) | second;
        pairs[pair] = (pairs[pair] as number) | ((both * 0x11) << (-place & 3));
      }
    }
  }
  madePairs.set(encoding, pairs);
  return pairs;
}

/** The first bits, so many, that a byte of ASCII text may have. */
function beginningsOf(size: number): Uint8Array {
  const beginnings = new Uint8Array(1 << size);
  for (const [byte, isText] of asciiText.entries())
    if (isText === 1) beginnings[byte >> (8 - size)] = 1;
  return beginnings;
}
