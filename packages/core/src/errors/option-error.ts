import { type ErrorCode, ToolstileError } from "./error.js";
import { didYouMean, quoted } from "./names.js";

/** Makes the error for an option with a wrong value: it says what the option must be, and what was received. */
export function optionError(
  where: string,
  option: string,
  expected: string,
  received: unknown,
): ToolstileError {
  return invalidOption(where, `'${option}' must be ${expected}, received ${kindOf(received)}.`);
}

/** Makes the error for options that do not go together, or that are not options. */
export function invalidOption(where: string, problem: string, cause?: unknown): ToolstileError {
  const details = cause === undefined ? {} : { cause };
  return new ToolstileError("ERR_INVALID_OPTION", `${where}: ${problem}`, details);
}

/** Makes the error for an unknown option: it names the right one or the nearest, and all that there are. */
export function unknownOption(
  where: string,
  key: string,
  known: readonly string[],
  right: string | undefined,
): ToolstileError {
  const hint = right === undefined ? didYouMean(key, known) : ` It goes under ${right}.`;
  return new ToolstileError(
    "ERR_UNKNOWN_OPTION",
    `${where} has no option ${quoted(key)}.${hint} It takes: ${known.join(", ") || "none"}.`,
  );
}

/** Makes the error for a member or an argument with a wrong value: it says what the value must be, and what was received. */
export function wrongValue(
  code: ErrorCode,
  where: string,
  name: string,
  expected: string,
  received: unknown,
): ToolstileError {
  return new ToolstileError(
    code,
    `${where}: ${name} must be ${expected}, received ${kindOf(received)}.`,
  );
}

/** Says the type, and of a number the number itself, and if there is nothing in it. Other values may be secrets. */
export function kindOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (value === "") return "an empty string";
  return isList(value) && isEmpty(value) ? "an empty array" : typeOf(value);
}

function isEmpty(value: readonly unknown[]): boolean {
  try {
    return value.length === 0;
  } catch {
    return false;
  }
}

/** Names the type of a value, and nothing of the value. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  return isList(value) ? "an array" : typeof value;
}

/** True for an array. A revoked proxy is none: to ask what it is throws. */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
