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
    const end = to - ((to - start) % 2);
    const isHex = to - start >= shortestHex;
    return isHex && decodesTo(hex, units, start, end, into) ? { start, end } : undefined;
  }
  if (start !== from || !decodesTo(base64, units, start, to, into)) return undefined;
  return { start, end: paddedEnd(units, to) };
}

/** Most runs are no text, and end here after a few bytes. */
function decodesTo(
  encoding: Encoding,
  units: Uint16Array,
  start: number,
  end: number,
  into: Source,
): boolean {
  const size = sizeOf(encoding, start, end);
  if (decode(encoding, units, start, 0, size, into.room(size), textBytes) < size) return false;
  into.close(size);
  return true;
}

/**
 * Writes the bytes from the one of number `from` in the digits that begin at `start` up to the one of number `to`, or
 * up to the first that `wanted` has not. No division finds the digits of each: that took twice as long.
 *
 * @returns the number of the byte behind the last one that was written.
 */
export function decode(
  { bits, unitsPer, per, values }: Encoding,
  units: Uint16Array,
  start: number,
  from: number,
  to: number,
  out: Uint16Array,
  wanted: Uint8Array,
): number {
  let at = start + Math.floor((from * unitsPer) / per);
  let read = 0;
  // The bits that were read and belong to no byte before; the first ones of a digit may.
  let left = -((8 * from) % bits);
  for (let byte = from; byte < to; at++) {
    read = (read << bits) | (values[units[at] as number] as number);
    left += bits;
    if (left < 8) continue;
    left -= 8;
    const value = (read >> left) & 0xff;
    if (wanted[value] === 0) return byte;
    out[byte - from] = value;
    byte += 1;
  }
  return to;
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

/** Bytes that a text has. Latin-1 keeps bytes and units in step; the items that are looked for are ASCII but for mail. */
const textBytes = bytesOf(32, 127, 128, 256);
/** Those of ASCII, of which a text in a long run has some at least. */
export const asciiText = bytesOf(32, 127);

/** Tab, the line breaks, and those from each first number up to the second. */
function bytesOf(...ends: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(256).fill(1, 9, 11).fill(1, 13, 14);
  for (let at = 0; at < ends.length; at += 2) bytes.fill(1, ends[at], ends[at + 1]);
  return bytes;
}

/** A way to write bytes in digits of so many bits: `unitsPer` digits stand for `per` bytes. */
export interface Encoding {
  readonly bits: number;
  readonly unitsPer: number;
  readonly per: number;
  readonly digits: readonly number[];
  /** The value of each digit. */
  readonly values: Uint8Array;
}

/** @param others - digits that stand for the last ones too. */
function encodingOf(bits: number, first: string, others: string): Encoding {
  const digits = Array.from(first + others, (digit) => digit.charCodeAt(0));
  const values = new Uint8Array(128);
  for (const [index, code] of digits.entries())
    values[code] = index < first.length ? index : index - others.length;
  return { bits, unitsPer: bits === 6 ? 4 : 2, per: bits === 6 ? 3 : 1, digits, values };
}

export const hex = encodingOf(4, "0123456789abcdef", "ABCDEF");
export const base64 = encodingOf(
  6,
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  "-_",
);
