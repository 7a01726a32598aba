import { isObject } from "@toolstile/core/provider";

const newline = 10;
const space = 32;
const quote = 34;
const minus = 45;
const zero = 48;
const nine = 57;
const colon = 58;
const inNumbers = new Set(".eE+-");
const escapes = '"\\bfnrt';

/**
 * True if JSON text is, to the byte, what `JSON.stringify` writes of its value, but for the end of its line.
 *
 * Then nobody can read in it what is not in the value: no other spelling of a
 * name, and no number that another reader rounds otherwise. Text that is not
 * JSON may give either. To look costs a fraction of writing it.
 */
export function isPlainJson(text: string): boolean {
  const end = text.charCodeAt(text.length - 1) === newline ? text.length - 1 : text.length;
  const strings = new PlainStrings(text);
  for (let index = 0; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit === quote) {
      const close = strings.end(index);
      if (close === -1) return false;
      // Keys that are numbers come first, wherever they were written.
      if (text.charCodeAt(close + 1) === colon && isDigit(text.charCodeAt(index + 1))) return false;
      index = close;
    } else if (isDigit(unit) || unit === minus) {
      const after = endOfNumber(text, index);
      const number = text.slice(index, after);
      if (String(Number(number)) !== number) return false;
      index = after - 1;
    } else if (unit <= space) return false;
  }
  return true;
}

/** Finds the ends of a text's strings, one after the other. No character is searched twice for the same. */
class PlainStrings {
  readonly #text: string;
  /** The next backslash; -1 after the last. */
  #slash: number;

  constructor(text: string) {
    this.#text = text;
    this.#slash = text.indexOf("\\");
  }

  /** The place of the closing quote; -1 if there is none, or an escape is not the one that is always written. */
  end(open: number): number {
    const text = this.#text;
    let close = text.indexOf('"', open + 1);
    while (this.#slash !== -1 && this.#slash < close) {
      if (!escapes.includes(text.charAt(this.#slash + 1))) return -1;
      const next = this.#slash + 2;
      if (close < next) close = text.indexOf('"', next);
      this.#slash = text.indexOf("\\", next);
    }
    return close;
  }
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isDigit(text.charCodeAt(end)) || inNumbers.has(text.charAt(end))) end++;
  return end;
}

function isDigit(unit: number): boolean {
  return unit >= zero && unit <= nine;
}

/** True for plain data that is the same, member by member and in the same order. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (Array.isArray(one)) return isSameList(one, other);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    !Array.isArray(other) &&
    keys.length === others.length &&
    keys.every((key, index) => key === others[index] && isSameData(one[key], other[key]))
  );
}

function isSameList(one: readonly unknown[], other: unknown): boolean {
  return (
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((each, index) => isSameData(each, other[index]))
  );
}
