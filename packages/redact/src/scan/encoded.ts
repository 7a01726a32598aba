import { isHex } from "../text/classes.js";
import type { Source } from "../text/source.js";

/** Up to so many units an encoded run is a finding as a whole; of a longer one, only the part that holds an item. */
export const longestWhole = 8_192;

/** The place of a run of base64 or hexadecimal digits that was decoded: `unitsPer` units of it stand for `per` of the text. */
export interface DecodedRun {
  readonly start: number;
  readonly end: number;
  readonly unitsPer: number;
  readonly per: number;
}

const shortestHex = 20;

/** Decodes a run into `into` if it holds text. */
export function decodedRun(
  source: Source,
  from: number,
  to: number,
  into: Source,
): DecodedRun | undefined {
  const { units } = source;
  const start = behindPrefix(units, from);
  if (isHexRun(units, start, to)) {
    const even = to - ((to - start) % 2);
    if (to - start < shortestHex || !decodeHex(units, start, even, into)) return undefined;
    return { start, end: even, unitsPer: 2, per: 1 };
  }
  let end = to;
  while (end - to < 2 && units[end] === 61) end += 1;
  if (start !== from || !decodeBase64(units, start, to, end - start <= longestWhole, into))
    return undefined;
  return { start, end, unitsPer: 4, per: 3 };
}

/** Behind the `0x` or `\x` that says that digits are hexadecimal. */
function behindPrefix(units: Uint16Array, from: number): number {
  if (units[from] === 48 && ((units[from + 1] as number) | 32) === 120) return from + 2;
  return units[from] === 120 && from > 0 && units[from - 1] === 92 ? from + 1 : from;
}

function isHexRun(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isHex(units[at] as number)) return false;
  return true;
}

/** The digits of base64 and base64url, and of hexadecimal text, by their value. */
const base64Values = valuesOf(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  "-_",
);
const hexValues = valuesOf("0123456789abcdef", "ABCDEF");

/** `others` have the values of the last of `digits`. */
function valuesOf(digits: string, others: string): Uint8Array {
  const values = new Uint8Array(128);
  for (let at = 0; at < digits.length; at++) values[digits.charCodeAt(at)] = at;
  for (let at = 0; at < others.length; at++)
    values[others.charCodeAt(at)] = digits.length - others.length + at;
  return values;
}

/** Bytes that a text has. Latin-1 keeps bytes and units in step; the items that are looked for are ASCII but for mail. */
const textBytes = new Uint8Array(256).fill(1, 32).fill(1, 9, 11);
textBytes[13] = 1;
textBytes[127] = 0;

/** A run that is found as a whole must be text as a whole: most are none, and end here after a few bytes. */
function decodeHex(units: Uint16Array, start: number, end: number, into: Source): boolean {
  const isWhole = end - start <= longestWhole;
  const out = into.room((end - start) / 2);
  let size = 0;
  for (let at = start; at < end; at += 2) {
    const high = hexValues[units[at] as number] as number;
    const byte = (high << 4) | (hexValues[units[at + 1] as number] as number);
    if (isWhole && textBytes[byte] === 0) return false;
    out[size++] = byte;
  }
  into.close(size);
  return true;
}

function decodeBase64(
  units: Uint16Array,
  start: number,
  end: number,
  isWhole: boolean,
  into: Source,
): boolean {
  const out = into.room(end - start);
  let size = 0;
  let bits = 0;
  let held = 0;
  for (let at = start; at < end; at++) {
    bits = ((bits << 6) | (base64Values[units[at] as number] as number)) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    const byte = (bits >> held) & 0xff;
    if (isWhole && textBytes[byte] === 0) return false;
    out[size++] = byte;
  }
  into.close(size);
  return true;
}
