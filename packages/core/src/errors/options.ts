import { ToolstileError } from "./error.js";
import {
  invalidOption,
  isList,
  kindOf,
  optionError,
  unknownOption,
  wrongValue,
} from "./option-error.js";
import { OptionReader } from "./option-reader.js";
import { isObject, isPlain } from "./plain-object.js";

/** One reader for each option of an interface. With `satisfies`, a missing key and a further one do not compile. */
export type OptionTable<Options extends object> = {
  readonly [Name in keyof Options]-?: OptionReader<Options[Name]>;
};

type Readers = Readonly<Record<string, OptionReader<unknown>>>;

/** The options as a table reads them. */
export type OptionsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends OptionReader<infer Value> ? Value : never;
};

/**
 * Reads options into a frozen object without a prototype, each once and checked.
 *
 * Only own properties are read: a value planted on `Object.prototype` is not an option.
 * An option that was not given and has no default is not on the object.
 *
 * @param where - the name of the function or class that takes the options, for errors: "rateLimit()".
 * @param elsewhere - names that other systems use, and the right one for each: errors give it.
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` that names the key and the
 * nearest right one; `ERR_INVALID_OPTION` for a wrong value, for a value that
 * is not a plain object, and for an option whose getter throws.
 */
export function readOptions<Table extends Readers>(
  where: string,
  given: unknown,
  table: Table,
  elsewhere?: ReadonlyMap<string, string>,
): OptionsOf<Table> {
  return readTable(where, "", given, table, elsewhere);
}

/** Reads options within an option: `group(limits)` reads `{ limits: { maxDepth: 3 } }`. */
export function group<Table extends Readers>(
  table: Table,
): OptionReader<OptionsOf<Table> | undefined> {
  return new OptionReader("an object of options", (value, where, option, expected) => {
    if (isObject(value) && !isList(value)) return readTable(where, option, value, table);
    throw optionError(where, option, expected, value);
  });
}

function readTable<Table extends Readers>(
  where: string,
  path: string,
  given: unknown,
  table: Table,
  elsewhere?: ReadonlyMap<string, string>,
): OptionsOf<Table> {
  const known = Object.keys(table);
  const names = ownNames(where, path, given);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw unknownOption(
      path === "" ? where : `${where}: '${path}'`,
      name,
      known,
      elsewhere?.get(name),
    );
  }
  const read: Record<string, unknown> = Object.create(null);
  for (const name of known) {
    const option = path === "" ? name : `${path}.${name}`;
    const value = names.includes(name) ? memberOf(where, option, given as object, name) : undefined;
    const checked = (table[name] as OptionReader<unknown>).read(value, where, option);
    if (checked !== undefined) read[name] = checked;
  }
  return Object.freeze(read) as OptionsOf<Table>;
}

function ownNames(where: string, path: string, given: unknown): readonly string[] {
  const subject = path === "" ? "the options" : `'${path}'`;
  if (!isObject(given) || isList(given)) {
    throw invalidOption(where, `${subject} must be an object, received ${kindOf(given)}.`);
  }
  try {
    if (isPlain(given)) return Reflect.ownKeys(given).filter((key) => typeof key === "string");
  } catch (cause) {
    throw invalidOption(where, `${subject} must be readable, and reading it threw.`, cause);
  }
  // Inherited options are not read, and an option that is not read would silently have no effect.
  throw invalidOption(
    where,
    `${subject} must be a plain object, received one with a prototype: what it inherits would not be read. Write { ... }.`,
  );
}

function memberOf(where: string, option: string, given: object, name: string): unknown {
  try {
    return (given as Record<string, unknown>)[name];
  } catch (cause) {
    throw invalidOption(where, `'${option}' must be readable, and reading it threw.`, cause);
  }
}

/**
 * Refuses options that are not an object or have an unknown key.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` that names the key and the nearest right one.
 */
export function checkOptions(where: string, options: unknown, known: readonly string[]): void {
  let keys: readonly string[];
  try {
    if (!isOptions(options)) {
      throw wrongValue("ERR_INVALID_OPTION", where, "the options", "a plain object", options);
    }
    keys = Object.keys(options);
  } catch (cause) {
    if (ToolstileError.isInstance(cause)) throw cause;
    throw invalidOption(where, "the options must be readable, and reading them threw.", cause);
  }
  for (const key of keys) {
    if (!known.includes(key)) throw unknownOption(where, key, known, undefined);
  }
}

/** True for an object of options. A map, a promise or an object with only accessors would be read as empty options. */
function isOptions(options: unknown): options is object {
  if (!isObject(options) || isList(options)) return false;
  const prototype: unknown = Object.getPrototypeOf(options);
  // Of any realm: the root prototype is the one that has none.
  const isRootless = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isRootless || Object.keys(options).length > 0;
}
