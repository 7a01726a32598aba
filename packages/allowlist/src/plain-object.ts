import { checkOptions, ToolstileError } from "@toolstile/core";

/** Whatever was given by name, still to be checked. */
export type Members<Key extends string> = { readonly [K in Key]?: unknown };

/**
 * The members of an object, each of its own, and none lost.
 *
 * What is planted on `Object.prototype` is no member. What a class or another
 * prototype holds would be none either, and a `deny` lost that way would allow:
 * such objects are refused.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what is no plain object, `ERR_UNKNOWN_OPTION` for a member that is not known.
 */
export function readMembers<Key extends string>(
  where: string,
  given: unknown,
  known: readonly Key[],
): Members<Key> {
  checkOptions(where, given, known);
  const members = new Map(ownEntries(where, given as object));
  checkOptions(where, Object.fromEntries(members), known);
  const read: { [K in Key]?: unknown } = Object.create(null);
  for (const key of known) read[key] = members.get(key);
  return read;
}

/**
 * Every member of a plain object by name, hidden ones included.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for an object that inherits anything.
 */
export function ownEntries(where: string, given: object): (readonly [string, unknown])[] {
  const prototype = Object.getPrototypeOf(given);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${where} takes a plain object: what it inherits would be lost. Write { ... }.`,
    );
  }
  return Object.getOwnPropertyNames(given).map((name) => [
    name,
    (given as Record<string, unknown>)[name],
  ]);
}
