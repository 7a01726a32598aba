import { nearest } from "./names.js";
import { invalidOption, isList, optionError } from "./option-error.js";
import { OptionReader, such } from "./option-reader.js";
import { isObject } from "./plain-object.js";

/** Reads a string. `what` says more than that: "the path of a folder". */
export function text(what = "a string"): OptionReader<string | undefined> {
  return such((value) => typeof value === "string", what);
}

export function nonEmptyText(what = "a non-empty string"): OptionReader<string | undefined> {
  return such((value) => typeof value === "string" && value !== "", what);
}

export function boolean(): OptionReader<boolean | undefined> {
  return such((value) => typeof value === "boolean", "a boolean");
}

/** Reads a whole number, from the least to the most. */
export function whole(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): OptionReader<number | undefined> {
  const expected =
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`;
  const is = (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  return such(is, expected);
}

/** Reads a finite number above 0. For one without a bound: `positive().or(Infinity)`. */
export function positive(what = "a positive number"): OptionReader<number | undefined> {
  return such((value) => Number.isFinite(value) && Number(value) > 0, what);
}

/** A time limit in milliseconds, which `Infinity` lifts. */
export function timeout(): OptionReader<number | undefined> {
  return positive("a positive number of milliseconds").or(Number.POSITIVE_INFINITY);
}

/** One of some words. */
export function oneOf<const Word extends string>(
  ...words: readonly Word[]
): OptionReader<Word | undefined> {
  const shown = words.map((word) => JSON.stringify(word));
  const all = shown.length === 2 ? shown.join(" or ") : `one of ${shown.join(", ")}`;
  return new OptionReader(all, (value, where, option, expected) => {
    if (words.some((word) => word === value)) return value;
    const guess = typeof value === "string" && value.length > 2 ? nearest(value, words) : undefined;
    if (guess === undefined) throw optionError(where, option, expected, value);
    // A slip is shown. Any other text may be a secret that was put in the wrong place.
    const received = `received ${JSON.stringify(value)}. Did you mean ${JSON.stringify(guess)}?`;
    throw invalidOption(where, `'${option}' must be ${expected}, ${received}`);
  });
}

/** Reads a list of at least so many items into a frozen copy. It may have no holes. */
export function list<Value>(
  of: OptionReader<Value>,
  what = "an array",
  { least = 0 }: { readonly least?: number } = {},
): OptionReader<readonly Exclude<Value, undefined>[] | undefined> {
  const entry = of.required();
  return new OptionReader(what, (value, where, option, expected) => {
    if (!isList(value)) throw optionError(where, option, expected, value);
    const entries = entriesOf(value, where, option);
    if (entries.length < least) {
      const items = least === 1 ? "item" : "items";
      const problem = `'${option}' must have at least ${least} ${items}, received ${entries.length}.`;
      throw invalidOption(where, problem);
    }
    return Object.freeze(
      entries.map((each, index) => entry.read(each, where, `${option}[${index}]`)),
    );
  });
}

function entriesOf(value: readonly unknown[], where: string, option: string): readonly unknown[] {
  try {
    // map() would skip a hole.
    return Array.from(value);
  } catch (cause) {
    throw invalidOption(where, `'${option}' must be readable, and reading it threw.`, cause);
  }
}

export function func<Function>(what = "a function"): OptionReader<Function | undefined> {
  return such((value) => typeof value === "function", what);
}

/** Reads an object that is not a list. Its members are checked where they are used. */
export function object<Value extends object>(what = "an object"): OptionReader<Value | undefined> {
  return such((value) => isObject(value) && !isList(value), what);
}
