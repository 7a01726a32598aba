import { optionError } from "./option-error.js";

/** Gives the value of an option that was given, or throws an error which says that it must be `expected`. */
type Convert = (value: unknown, where: string, option: string, expected: string) => unknown;

/** Gives the value of an option that was not given, or throws an error which says that it must be `expected`. */
type Absent = (where: string, option: string, expected: string) => unknown;

/** Reads one option. It may be left out, unless it is `required`. */
export class OptionReader<Value> {
  readonly #expected: string;
  readonly #convert: Convert;
  readonly #absent: Absent;

  constructor(expected: string, convert: Convert, absent: Absent = optional) {
    this.#expected = expected;
    this.#convert = convert;
    this.#absent = absent;
  }

  /** @throws ToolstileError `ERR_INVALID_OPTION` that says what the option must be, and what was received. */
  read(value: unknown, where: string, option: string): Value {
    const read =
      value === undefined
        ? this.#absent(where, option, this.#expected)
        : this.#convert(value, where, option, this.#expected);
    return read as Value;
  }

  /** Returns a reader for an option that must be given. */
  required(): OptionReader<Exclude<Value, undefined>> {
    return new OptionReader(this.#expected, this.#convert, missing);
  }

  /** The value for where none is given. */
  default<const Otherwise>(
    otherwise: Otherwise,
  ): OptionReader<Exclude<Value, undefined> | Otherwise> {
    return new OptionReader(this.#expected, this.#convert, () => otherwise);
  }

  /** Returns a reader that accepts one more value: `positive().or(Infinity)`. */
  or<const Other extends string | number | boolean | null>(
    other: Other,
  ): OptionReader<Value | Other> {
    const shown = typeof other === "string" ? JSON.stringify(other) : String(other);
    const convert: Convert = (value, where, option, expected) =>
      value === other ? other : this.#convert(value, where, option, expected);
    return new OptionReader(`${this.#expected}, or ${shown}`, convert, this.#absent);
  }
}

const optional: Absent = () => undefined;

const missing: Absent = (where, option, expected) => {
  throw optionError(where, option, expected, undefined);
};

/** Returns a reader for an option that must be given. */
export function required<Value>(
  reader: OptionReader<Value>,
): OptionReader<Exclude<Value, undefined>> {
  return reader.required();
}

/** Reads a value for which a predicate is true: `such<Clock>(isClock, "a clock")`. A predicate that throws is not true. */
export function such<Value>(
  is: (value: unknown) => boolean,
  expected: string,
): OptionReader<Value | undefined> {
  return new OptionReader(expected, (value, where, option, right) => {
    if (holds(is, value)) return value;
    throw optionError(where, option, right, value);
  });
}

/** Reads a value that is checked where it is used. */
export function unchecked<Value>(): OptionReader<Value | undefined> {
  return new OptionReader("a value", (value) => value);
}

function holds(is: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return is(value) === true;
  } catch {
    return false;
  }
}

/** Readers that take any values, by the names of the JSON Schemas: for those who pass the options on to what checks them. */
export function uncheckedFor<Schemas extends object>(
  schemas: Schemas,
): { readonly [Name in keyof Schemas]: OptionReader<unknown> } {
  return Object.fromEntries(
    Object.keys(schemas).map((name) => [name, unchecked<unknown>()]),
  ) as never;
}
