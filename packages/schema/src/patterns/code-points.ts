/** A set of code points: sorted, disjoint, inclusive pairs laid out flat. */
export type CodePoints = readonly number[];

export const lastCodePoint = 0x10ffff;
/** Stands for "the text ends here" in sets of what may come next. */
export const endOfText = lastCodePoint + 1;

export const nothing: CodePoints = [];

/** Sorts and merges pairs given in any order. */
export function codePoints(pairs: readonly number[]): CodePoints {
  const sorted: [number, number][] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    sorted.push([pairs[i] as number, pairs[i + 1] as number]);
  }
  sorted.sort((a, b) => a[0] - b[0]);
  const merged: number[] = [];
  for (const [low, high] of sorted) {
    const last = merged.length - 1;
    if (last > 0 && low <= (merged[last] as number) + 1) {
      merged[last] = Math.max(merged[last] as number, high);
    } else {
      merged.push(low, high);
    }
  }
  return merged;
}

export function union(left: CodePoints, right: CodePoints): CodePoints {
  if (left.length === 0) return right;
  return right.length === 0 ? left : codePoints([...left, ...right]);
}

export function complement(set: CodePoints): CodePoints {
  const result: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    const low = set[i] as number;
    if (low > next) result.push(next, low - 1);
    next = (set[i + 1] as number) + 1;
  }
  if (next <= lastCodePoint) result.push(next, lastCodePoint);
  return result;
}

export function overlap(left: CodePoints, right: CodePoints): boolean {
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    if ((left[i + 1] as number) < (right[j] as number)) i += 2;
    else if ((right[j + 1] as number) < (left[i] as number)) j += 2;
    else return true;
  }
  return false;
}

/** ECMA-262 CharacterClassEscape, without the `i` flag. */
export const digits: CodePoints = [0x30, 0x39];
export const wordCharacters: CodePoints = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
export const lineTerminators: CodePoints = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];
/** WhiteSpace and LineTerminator of ECMA-262. */
export const whitespace: CodePoints = codePoints([
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f,
  0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff,
]);

const chunk = 0x8000;
const propertyLimit = 64;
const properties = new Map<string, CodePoints>();

/**
 * The code points that `\p{…}` stands for, as this JavaScript engine has them.
 *
 * Asking the engine, not a table, keeps the two regex engines on one version
 * of Unicode.
 *
 * @throws SyntaxError when the engine knows no such property.
 */
export function unicodeProperty(name: string): CodePoints {
  const known = properties.get(name);
  if (known !== undefined) return known;
  const expression = new RegExp(`\\p{${name}}+`, "gu");
  const pairs: number[] = [];
  for (let start = 0; start <= lastCodePoint; start += chunk) {
    // Lone surrogates side by side would join into pairs; they have their own chunk and are asked one by one.
    if (start === 0xd800 - (0xd800 % chunk)) {
      for (let point = start; point < start + chunk; point++) {
        expression.lastIndex = 0;
        if (expression.test(String.fromCodePoint(point))) pairs.push(point, point);
      }
      continue;
    }
    let text = "";
    for (let point = start; point < start + chunk; point++) text += String.fromCodePoint(point);
    const width = start < 0x10000 ? 1 : 2;
    for (const match of text.matchAll(expression)) {
      const low = start + match.index / width;
      pairs.push(low, low + match[0].length / width - 1);
    }
  }
  const found = codePoints(pairs);
  if (properties.size >= propertyLimit) properties.clear();
  properties.set(name, found);
  return found;
}
