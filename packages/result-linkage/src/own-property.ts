import { checkOptions, ToolstileError } from "@toolstile/core";

/** A property of the value's own. Of what is no object, and of what a prototype holds, there is none. */
export function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** A text of the value's own that is not empty: an empty name or id counts as absent. */
export function ownText(value: unknown, key: string): string | undefined {
  const text = own(value, key);
  return typeof text === "string" && text !== "" ? text : undefined;
}

/**
 * Refuse options that nobody reads, and objects whose options would be lost for not being their own.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`.
 */
export function checkOwnOptions(where: string, options: object, known: readonly string[]): void {
  checkOptions(where, options, known);
  const prototype = Object.getPrototypeOf(options);
  if (prototype === Object.prototype || prototype === null) return;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `${where} takes a plain object of options: what it inherits is not read. Write { ... }.`,
  );
}

/**
 * An option that is on or off, and off unless said.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for anything else.
 */
export function readSwitch(where: string, options: object, key: string): boolean {
  const value = own(options, key) ?? false;
  if (typeof value === "boolean") return value;
  throw new ToolstileError("ERR_INVALID_OPTION", `${where}: ${key} is true or false.`);
}
