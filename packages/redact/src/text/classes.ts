/** What the pass over a text has to know of a unit, as bits. Units without a bit are `_` and `/`, and units of no interest. */
export const delimits = 1;
export const isDigit = 2;
export const hidesText = 4;
/** Literals begin with it, or detectors ask for it. */
export const isTrigger = 8;
/** An ASCII letter; without one of the two that follow, a lower-case letter in which no word begins. */
export const isLetter = 16;
export const isCapital = 32;
/** Words may begin with it behind another letter: `PGPASSWORD`. */
export const beginsAnywhere = 64;

const invisible = [0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff];

/** Bits of every UTF-16 unit. A run is of the characters of base64 and base64url, but for `=`. */
export function classesOfUnits(): Uint8Array {
  const classes = new Uint8Array(65_536);
  for (let code = 0; code < 128; code++) {
    if (!/[\w+/-]/.test(String.fromCharCode(code))) classes[code] = delimits;
  }
  classes.fill(delimits, 128);
  for (let code = 48; code < 58; code++) classes[code] = isDigit;
  for (let code = 97; code < 123; code++) {
    classes[code] = isLetter;
    classes[code - 32] = isLetter | isCapital;
  }
  for (const code of [...invisible, 0x25, 0x3d, 0x5c]) classes[code] = delimits | hidesText;
  return classes;
}

/** A table that has 1 at the units of `signs`. */
export function tableOf(signs: string): Uint8Array {
  const table = new Uint8Array(65_536);
  for (const sign of signs) table[sign.charCodeAt(0)] = 1;
  return table;
}

export const asciiDigitsAndLetters =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const wordUnits = tableOf(`${asciiDigitsAndLetters}_`);
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

export function isLetterCode(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

export function isInvisible(code: number): boolean {
  return code === 0xad || code === 0xfeff || code === 0x2060 || (code >= 0x200b && code <= 0x200d);
}
