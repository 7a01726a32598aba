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

export function intersection(left: CodePoints, right: CodePoints): CodePoints {
  return complement(union(complement(left), complement(right)));
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
  const has = new RegExp(`^\\p{${name}}$`, "u");
  const pairs = [...runs(name), ...uniformRuns(has)];
  // Lone surrogates side by side would join into pairs: each is asked alone.
  for (let point = 0xd800; point < 0xe000; point++) {
    if (has.test(String.fromCharCode(point))) pairs.push(point, point);
  }
  const found = codePoints(pairs);
  if (properties.size >= propertyLimit) properties.clear();
  properties.set(name, found);
  return found;
}

/** The planes with characters, without surrogates. */
const mixedPlanes = [0, 1, 2, 3, 14];
/** Planes without characters, or for private use: all code points but the last two are alike. */
const uniformPlanes = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16];

let mixedText: string | undefined;

/** All code points of the mixed planes in order. */
function textOfMixedPlanes(): string {
  const units: number[] = [];
  for (const plane of mixedPlanes) {
    for (let point = plane << 16; point < (plane + 1) << 16; point++) {
      if (plane > 0) units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + (point & 0x3ff));
      else if (point < 0xd800 || point > 0xdfff) units.push(point);
    }
  }
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(Uint16Array.from(units));
}

/** The pairs in the mixed planes: runs of code points with the property and without it take turns. */
function runs(name: string): number[] {
  mixedText ??= textOfMixedPlanes();
  const without = new RegExp(`\\P{${name}}*`, "uy");
  const within = new RegExp(`\\p{${name}}*`, "uy");
  const pairs: number[] = [];
  for (let at = 0; at < mixedText.length; ) {
    without.lastIndex = at;
    without.test(mixedText);
    within.lastIndex = without.lastIndex;
    within.test(mixedText);
    if (within.lastIndex > without.lastIndex) {
      for (const each of pairBetween(without.lastIndex, within.lastIndex)) pairs.push(each);
    }
    at = within.lastIndex;
  }
  return pairs;
}

const belowSurrogates = 0xd800;
const surrogates = 0x800;
const basicLength = 0x10000 - surrogates;

/** The first and last code point of a stretch of the text. A stretch may reach over the surrogates and from plane to plane. */
function pairBetween(start: number, end: number): number[] {
  const pairs: number[] = [];
  let low = pointAt(start);
  let last = low;
  for (const edge of edges) {
    if (edge <= start || edge >= end) continue;
    last = pointAt(edge - 1);
    pairs.push(low, last);
    low = pointAt(edge);
  }
  return [...pairs, low, pointAt(end - 1)];
}

/** The places in the text where the next code point is not the next number. */
const edges = [belowSurrogates, basicLength + 3 * 0x20000];

function pointAt(unit: number): number {
  if (unit < belowSurrogates) return unit;
  if (unit < basicLength) return unit + surrogates;
  const point = (unit - basicLength) >> 1;
  return (point < 0x30000 ? 0x10000 : 0xb0000) + point;
}

/** A plane without characters is asked by one code point, and its last two on their own. */
function uniformRuns(has: RegExp): number[] {
  const pairs: number[] = [];
  for (const plane of uniformPlanes) {
    const first = plane << 16;
    for (const [low, high] of [
      [first, first + 0xfffd],
      [first + 0xfffe, first + 0xffff],
    ] as const) {
      if (has.test(String.fromCodePoint(low))) pairs.push(low, high);
    }
  }
  return pairs;
}
