import { isHex } from "../text/classes.js";

/** Up to so many units an encoded run is a finding as a whole; of a longer one, only the part that holds an item. */
export const longestWhole = 8_192;

/** A run of base64 or hexadecimal digits, decoded: `unitsPer` units of it stand for `per` of the text. */
export interface DecodedRun {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly unitsPer: number;
  readonly per: number;
}

const shortestHex = 20;

/** Decodes a run if it holds text. */
export function decodedRun(text: string, from: number, to: number): DecodedRun | undefined {
  const isPrefixed = text.charCodeAt(from) === 48 && (text.charCodeAt(from + 1) | 32) === 120;
  const start = isPrefixed ? from + 2 : from;
  const isLong = to - start > longestWhole;
  if (isHexRun(text, start, to)) {
    if (to - start < shortestHex || (!isLong && !looksLikeText(text, start, to, "hex")))
      return undefined;
    const even = to - ((to - start) % 2);
    return decodedAs("hex", text, start, even, 2, 1);
  }
  if (start !== from || (!isLong && !looksLikeText(text, start, to, "base64"))) return undefined;
  let end = to;
  while (end - to < 2 && text.charCodeAt(end) === 61) end += 1;
  return decodedAs("base64", text, start, end, 4, 3);
}

function decodedAs(
  encoding: "hex" | "base64",
  text: string,
  start: number,
  end: number,
  unitsPer: number,
  per: number,
): DecodedRun | undefined {
  const bytes = Buffer.from(text.slice(start, end), encoding);
  if (end - start <= longestWhole && !isText(bytes)) return undefined;
  // Latin-1 keeps bytes and units in step; the items that are looked for are ASCII but for mail.
  return { text: bytes.toString("latin1"), start, end, unitsPer, per };
}

function isHexRun(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isHex(text.charCodeAt(at))) return false;
  return true;
}

/** Looks at the first bytes: most runs are no text, and end here. */
function looksLikeText(
  text: string,
  start: number,
  end: number,
  encoding: "hex" | "base64",
): boolean {
  const bytes = encoding === "hex" ? 4 : 6;
  let bits = 0;
  let held = 0;
  for (let at = start, read = 0; at < end && read < bytes; at++) {
    const value = digitOf(text.charCodeAt(at), encoding);
    bits = (bits << (encoding === "hex" ? 4 : 6)) | value;
    held += encoding === "hex" ? 4 : 6;
    if (held < 8) continue;
    held -= 8;
    const byte = (bits >> held) & 0xff;
    if (!isTextByte(byte)) return false;
    read += 1;
  }
  return true;
}

function digitOf(code: number, encoding: "hex" | "base64"): number {
  if (code >= 48 && code <= 57) return encoding === "hex" ? code - 48 : code + 4;
  if (encoding === "hex") return (code | 32) - 87;
  if (code >= 97) return code - 71;
  if (code >= 65 && code <= 90) return code - 65;
  return code === 43 || code === 45 ? 62 : 63;
}

function isTextByte(byte: number): boolean {
  return (byte >= 32 && byte !== 127) || byte === 9 || byte === 10 || byte === 13;
}

function isText(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (!isTextByte(byte)) return false;
  return true;
}
