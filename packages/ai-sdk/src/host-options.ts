import { guardingOptions, type RunOptions, ToolstileError } from "@toolstile/core";

/** The options of a runner that a host may give, and `describe`. */
export const hostOptions: readonly string[] = [
  ...guardingOptions.filter((name) => name !== "approver"),
  "describe",
];

/**
 * What the host says of a call, and the signal that the SDK gives with it.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what is no plain object, of which something would not be read.
 */
export function hostFacts<Asked>(
  describe: ((asked: Asked) => RunOptions) | undefined,
  asked: Asked,
  turnId: string | undefined,
  signal: AbortSignal | undefined,
): RunOptions {
  const facts: unknown = describe?.(asked) ?? {};
  if (!isPlain(facts)) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "describe() answers at once, with a plain object: what one inherits, or promises, would be lost.",
    );
  }
  return { turnId, ...facts, ...(signal === undefined ? undefined : { signal }) };
}

/** Of any realm. */
function isPlain(facts: unknown): facts is object {
  if (typeof facts !== "object" || facts === null) return false;
  const prototype: unknown = Object.getPrototypeOf(facts);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
