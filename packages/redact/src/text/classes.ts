/** The facts about a unit that the pass needs, as bits. `/` has none. */
export const delimits = 1;
export const isDigit = 2;
export const hidesText = 4;
/** Literals begin with it, or detectors ask for it. */
export const isTrigger = 8;
/** An ASCII letter or digit, or `_`. No other unit has this bit or a higher one. */
export const inWord = 16;
/** A small letter. Behind another one, no literal begins with it. */
export const isSmall = 32;

const invisible = [0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff];

/** Bits of every UTF-16 unit. A run is of the characters of base64 and base64url, but for `=`. */
export function classesOfUnits(): Uint8Array {
  const classes = new Uint8Array(65_536);
  for (let code = 0; code < 128; code++) {
    if (!/[\w+/-]/.test(String.fromCharCode(code))) classes[code] = delimits;
  }
  classes.fill(delimits, 128);
  for (const sign of `${asciiDigitsAndLetters}_`) {
    const code = sign.charCodeAt(0);
    classes[code] = isDigitCode(code)
      ? inWord | isDigit
      : isSmallLetter(code)
        ? inWord | isSmall
        : inWord;
  }
  for (const code of [...invisible, 0x1b, 0x25, 0x3d, 0x5c]) classes[code] = delimits | hidesText;
  return classes;
}

/** A table that has 1 at the units of `signs`. */
export function tableOf(signs: string): Uint8Array {
  const table = new Uint8Array(65_536);
  for (const sign of signs) table[sign.charCodeAt(0)] = 1;
  return table;
}

/** The end of a row of units none of which has 1 in `ends`. */
export function runEnd(units: Uint16Array, start: number, to: number, ends: Uint8Array): number {
  let end = start;
  while (end < to && ends[units[end] as number] !== 1) end += 1;
  return end;
}

/** What patterns call `\s`. */
export const whitespace =
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
export const asciiLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
export const asciiDigitsAndLetters = `${asciiLetters}0123456789`;
const wordUnits = tableOf(`${asciiDigitsAndLetters}_`);
const hexUnits = tableOf("0123456789abcdefABCDEF");

/** True for an ASCII letter or digit, and for `_`. */
export function isWord(code: number): boolean {
  return wordUnits[code] === 1;
}

/** True for the units of base64, base64url and hexadecimal text, but for `=`. */
export function isRun(code: number): boolean {
  return isWord(code) || code === 43 || code === 45 || code === 47;
}

export function isHex(code: number): boolean {
  return hexUnits[code] === 1;
}

export function isDigitCode(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isSmallLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

export function isLetterCode(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

export function isInvisible(code: number): boolean {
  return code === 0xad || code === 0xfeff || code === 0x2060 || (code >= 0x200b && code <= 0x200d);
}
