/** One part of a set of characters: a range of code points, or a class as `\d`, `\w` and `\s` name it. */
export type CharacterRange =
  | { readonly from: number; readonly to: number }
  | { readonly letter: "d" | "w" | "s"; readonly negated: boolean };

/** A set of characters, as Python's `re` reads it from a pattern. */
export interface Characters {
  readonly ranges: readonly CharacterRange[];
  readonly negated: boolean;
  readonly ignoreCase: boolean;
  /** `\d`, `\w`, `\s` and letter case are ASCII's. */
  readonly ascii: boolean;
}

/** Python's `str.isdecimal`, `str.isalnum` (and the underscore) and `str.isspace`. */
const classes: Readonly<Record<"d" | "w" | "s", (character: string) => boolean>> = {
  d: (character) => /\p{Nd}/u.test(character),
  w: (character) => /[\p{L}\p{N}_]/u.test(character),
  // Python has four separators of ASCII and the next line in it, and not the mark of byte order.
  s: (character) =>
    (/\s/.test(character) && character !== "\ufeff") || "\x1c\x1d\x1e\x1f\x85".includes(character),
};
const asciiClasses: typeof classes = {
  d: (character) => /[0-9]/.test(character),
  w: (character) => /[A-Za-z0-9_]/.test(character),
  s: (character) => /[\t-\r ]/.test(character),
};

export function contains(set: Characters, point: number): boolean {
  const same = set.ignoreCase ? caseVariants(point, set.ascii) : [point];
  const found = set.ranges.some((range) =>
    "letter" in range
      ? isInClass(range.letter, point, set.ascii) !== range.negated
      : same.some((variant) => variant >= range.from && variant <= range.to),
  );
  return found !== set.negated;
}

function isInClass(letter: "d" | "w" | "s", point: number, ascii: boolean): boolean {
  return (ascii ? asciiClasses : classes)[letter](String.fromCodePoint(point));
}

/** A text by which equal sets are known. */
export function keyOf({ ranges, negated, ignoreCase, ascii }: Characters): string {
  const parts = ranges.map((range) =>
    "letter" in range ? `${range.negated ? "!" : ""}${range.letter}` : `${range.from}-${range.to}`,
  );
  return `${negated ? "^" : ""}${ignoreCase ? "i" : ""}${ascii ? "a" : ""}:${parts.join(",")}`;
}

/** The characters that Python takes for the same if it ignores case: they have one upper case. */
function caseVariants(point: number, ascii: boolean): readonly number[] {
  if (ascii) {
    const isLetter = (point >= 0x41 && point <= 0x5a) || (point >= 0x61 && point <= 0x7a);
    return isLetter ? [point, point ^ 0x20] : [point];
  }
  return variantsByCase().get(upperCase(point)) ?? [point];
}

let byCase: ReadonlyMap<string, readonly number[]> | undefined;

/** Scripts with letter case lie below; a table of all of them is made when it is first needed. */
const lastWithCase = 0x1ffff;

function variantsByCase(): ReadonlyMap<string, readonly number[]> {
  if (byCase !== undefined) return byCase;
  const found = new Map<string, number[]>();
  for (let point = 0; point <= lastWithCase; point++) {
    const text = String.fromCodePoint(point);
    if (text.toLowerCase() === text && text.toUpperCase() === text) continue;
    const upper = upperCase(point);
    const same = found.get(upper);
    if (same === undefined) found.set(upper, [point]);
    else same.push(point);
  }
  byCase = found;
  return byCase;
}

/** Returns the capital of the lower case, because two capitals may share one: the sign of Kelvin is a K. */
function upperCase(point: number): string {
  const [lower = ""] = String.fromCodePoint(point).toLowerCase();
  return lower.toUpperCase();
}
