import type { CharacterRange } from "./characters.js";
import { PatternError } from "./expression.js";

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** A place in the source of a pattern, which is read character by character. */
export class Cursor {
  at = 0;
  readonly #points: readonly string[];

  constructor(source: string) {
    this.#points = Array.from(source);
  }

  get next(): string | undefined {
    return this.#points[this.at];
  }

  step(): string | undefined {
    return this.#points[this.at++];
  }

  /** Steps over an ASCII text, if it is the next. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  startsWith(text: string): boolean {
    for (let offset = 0; offset < text.length; offset++) {
      if (this.#points[this.at + offset] !== text[offset]) return false;
    }
    return true;
  }

  /** Steps over the characters that fit, `most` of them. */
  while(fits: RegExp, most = Number.POSITIVE_INFINITY): string {
    let text = "";
    while (text.length < most && this.next !== undefined && fits.test(this.next)) {
      text += this.step();
    }
    return text;
  }
}

/** Reads what stands behind a backslash, where it is a character or a class. @throws PatternError. */
export function escaped(cursor: Cursor, inClass: boolean): CharacterRange {
  const point = cursor.step();
  if (point === undefined) throw new PatternError("ends in a backslash");
  if (/[dws]/i.test(point)) {
    const letter = point.toLowerCase() as "d" | "w" | "s";
    return { letter, negated: letter !== point };
  }
  const control = Object.hasOwn(controls, point) ? controls[point] : undefined;
  if (control !== undefined) return oneOf(control);
  if (point === "b" && inClass) return oneOf(8);
  if (point === "x") return oneOf(hexadecimal(cursor, 2));
  if (point === "u") return oneOf(hexadecimal(cursor, 4));
  if (point === "U") return oneOf(hexadecimal(cursor, 8));
  if (/[0-9]/.test(point)) return oneOf(octal(cursor, point, inClass));
  if (/[A-Za-z]/.test(point)) throw noEscape(point);
  return oneOf(point.codePointAt(0) as number);
}

function hexadecimal(cursor: Cursor, length: number): number {
  const digits = cursor.while(/[0-9A-Fa-f]/, length);
  const value = Number.parseInt(digits, 16);
  if (digits.length !== length || value > 0x10ffff) {
    throw new PatternError(
      "has a hexadecimal escape that must have all its digits and be at most 10FFFF",
    );
  }
  return value;
}

function octal(cursor: Cursor, first: string, inClass: boolean): number {
  const digits = first + cursor.while(/[0-7]/, 2);
  // Outside of a class, only a zero or three digits are a character: the rest counts groups.
  const isOctal = /^[0-7]/.test(first) && (inClass || first === "0" || digits.length === 3);
  if (!isOctal) throw inClass ? noEscape(first) : needsBacktracking();
  const value = Number.parseInt(digits, 8);
  if (value > 0o377) throw new PatternError("has an octal escape above \\377");
  return value;
}

export function oneOf(point: number): CharacterRange & { readonly from: number } {
  return { from: point, to: point };
}

function noEscape(letter: string): PatternError {
  return new PatternError(`has an escape \\${letter}, which there is not`);
}

export function needsBacktracking(): PatternError {
  return new PatternError("refers back to one of its groups, which needs backtracking");
}
