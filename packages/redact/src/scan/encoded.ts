import { isHex } from "../text/classes.js";
import type { Source } from "../text/source.js";

/**
 * Up to so many units of the text, escapes and line breaks counted, an encoded run is read from its beginning, must
 * be text, and is a finding as a whole.
 *
 * A longer run is read without regard to where it begins and ends, so that a part of it is read as the whole is: see
 * `textsInRun`.
 */
export const longestWhole = 7_680;

/** The place of a run of base64 or hexadecimal digits that was decoded. */
export interface DecodedRun {
  readonly start: number;
  readonly end: number;
}

export const shortestHex = 20;

/** Decodes a run into `into` if it is text. */
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
    const isHex = to - start >= shortestHex;
    return isHex && decodeHex(units, start, even, into) ? { start, end: even } : undefined;
  }
  if (start !== from || !decodeBase64(units, start, to, into)) return undefined;
  return { start, end: paddedEnd(units, to) };
}

function decodeHex(units: Uint16Array, start: number, end: number, into: Source): boolean {
  const size = sizeOf(hex, start, end);
  const out = into.room(size);
  for (let index = 0; index < size; index++) {
    const byte = hex.byteAt(units, start, index);
    if (textBytes[byte] === 0) return false;
    out[index] = byte;
  }
  into.close(size);
  return true;
}

/** Most runs are no text, and end here after a few bytes. No division finds the digits of a byte: that took twice as long. */
function decodeBase64(units: Uint16Array, start: number, end: number, into: Source): boolean {
  const out = into.room(sizeOf(base64, start, end));
  let size = 0;
  let shift = 4;
  for (let at = start; at + 1 < end; at++) {
    const high = base64Values[units[at] as number] as number;
    const bits = (high << 6) | (base64Values[units[at + 1] as number] as number);
    const byte = (bits >> shift) & 0xff;
    if (textBytes[byte] === 0) return false;
    out[size] = byte;
    size += 1;
    shift -= 2;
    if (shift >= 0) continue;
    shift = 4;
    at += 1;
  }
  into.close(size);
  return true;
}

/** The number of bytes in so many digits. */
export function sizeOf({ unitsPer, per }: Encoding, start: number, end: number): number {
  return Math.floor(((end - start) * per) / unitsPer);
}

export function paddedEnd(units: Uint16Array, to: number): number {
  let end = to;
  while (end - to < 2 && units[end] === 61) end += 1;
  return end;
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

/** A way to write bytes in digits: `unitsPer` digits stand for `per` bytes. */
export interface Encoding {
  readonly unitsPer: number;
  readonly per: number;
  /** The byte of that number in the digits that begin at `start`. */
  readonly byteAt: (units: Uint16Array, start: number, index: number) => number;
}

export const hex: Encoding = {
  unitsPer: 2,
  per: 1,
  byteAt(units, start, index) {
    const at = start + 2 * index;
    const high = hexValues[units[at] as number] as number;
    return (high << 4) | (hexValues[units[at + 1] as number] as number);
  },
};

export const base64: Encoding = {
  unitsPer: 4,
  per: 3,
  byteAt(units, start, index) {
    const group = (index / 3) | 0;
    const at = start + index + group;
    const high = base64Values[units[at] as number] as number;
    const bits = (high << 6) | (base64Values[units[at + 1] as number] as number);
    // Of 12 bits the first 8, the middle 8 or the last 8.
    return (bits >> (4 - 2 * (index - 3 * group))) & 0xff;
  },
};
