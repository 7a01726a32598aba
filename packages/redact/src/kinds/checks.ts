import { isDigitCode, isLetterCode } from "../text/classes.js";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (IEEE) of ASCII text. */
function crc32(text: string): number {
  let value = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    value = (value >>> 8) ^ (crcTable[(value ^ text.charCodeAt(at)) & 0xff] as number);
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** True if the last six characters are the CRC-32 of what stands before them, in base 62: GitHub's and npm's tokens. */
export function endsWithCrc(body: string): boolean {
  let rest = crc32(body.slice(0, -6));
  for (let at = body.length - 1; at >= body.length - 6; at--) {
    if (body[at] !== base62[rest % 62]) return false;
    rest = Math.floor(rest / 62);
  }
  return rest === 0;
}

/** The check digits of an IBAN, which signs may part: ISO 13616, mod 97. */
export function passesMod97(units: Uint16Array, start: number, end: number): boolean {
  return restOf97(units, start, start + 4, restOf97(units, start + 4, end, 0)) === 1;
}

/** The rest of the digits and letters from `start` on, behind those that left `before`. */
function restOf97(units: Uint16Array, start: number, end: number, before: number): number {
  let rest = before;
  for (let at = start; at < end; at++) {
    const code = units[at] as number;
    if (isDigitCode(code)) rest = (rest * 10 + code - 48) % 97;
    else if (isLetterCode(code)) rest = (rest * 100 + (code | 32) - 87) % 97;
  }
  return rest;
}

/** JSON of an object that base64url text holds; undefined if it holds none. */
export function jsonInBase64(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The password of `name:password` in base64, as RFC 7617 has it; undefined if the text holds no such thing.
 *
 * A line break at its end, which `echo` adds, is none of it. JSON is no name.
 */
export function passwordInBase64(text: string): string | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== text.replace(/=+$/, "")) return undefined;
  return /^(?!\{)[^:\p{C}\ufffd]*:([^\p{C}\ufffd]+?)[\r\n]*$/u.exec(read(bytes))?.[1];
}

/** The text of bytes that are UTF-8, or Latin-1 with a plain name and few letters beyond ASCII: words that are no base64 have more. */
function read(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!text.includes("\ufffd")) return text;
  const latin1 = bytes.toString("latin1");
  const others = bytes.filter((byte) => byte > 127).length;
  return 8 * others <= bytes.length && latin1Name.test(latin1) ? latin1 : text;
}

const latin1Name = /^[\w.@+\\\u00c0-\u00ff-]*:/;
