/** What the pass over a text has to know of a character, as bits. */
export const delimits = 1;
export const isDigit = 2;
export const hidesText = 4;
export const isTrigger = 8;

const invisible = [0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff];

/** Bits of every UTF-16 unit. A run is of the characters of base64 and base64url, but for `=`. */
export function classesOfUnits(): Uint8Array {
  const classes = new Uint8Array(65_536);
  for (let code = 0; code < 128; code++) {
    if (!/[\w+/-]/.test(String.fromCharCode(code))) classes[code] = delimits;
  }
  classes.fill(delimits, 128);
  for (let code = 48; code < 58; code++) classes[code] = isDigit;
  for (const code of [...invisible, 0x25, 0x3d, 0x5c]) classes[code] = delimits | hidesText;
  return classes;
}

/** A table that has 1 at the units of `signs`. */
export function tableOf(signs: string): Uint8Array {
  const table = new Uint8Array(65_536);
  for (const sign of signs) table[sign.charCodeAt(0)] = 1;
  return table;
}

const wordUnits = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
const hexUnits = tableOf("0123456789abcdefABCDEF");

/** True for an ASCII letter or digit, and for `_`. */
export function isWord(code: number): boolean {
  return wordUnits[code] === 1;
}

export function isHex(code: number): boolean {
  return hexUnits[code] === 1;
}

export function isDigitCode(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isInvisible(code: number): boolean {
  return code === 0xad || code === 0xfeff || code === 0x2060 || (code >= 0x200b && code <= 0x200d);
}
