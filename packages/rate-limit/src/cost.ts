import type { ToolCall } from "@toolstile/core";
import { optionError } from "@toolstile/core/provider";

/** The cost of a call: not negative, counted in whole units, a fraction rounded up. */
export type RateLimitCost = number | ((call: ToolCall) => number);

/** Given in place of a cost where there is none to be had. */
export const noCost = -1;

/**
 * Makes the function that reads a call's units; that function never throws.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a number that cannot be a cost.
 */
export function costReader(option: unknown): (call: ToolCall) => number {
  if (typeof option === "function") return guarded(option as (call: ToolCall) => unknown);
  const units = unitsOf(option);
  if (units === noCost) {
    const expected = "a number of units, 0 or more, or a function of the call that returns one";
    throw optionError("rateLimit()", "cost", expected, option);
  }
  return () => units;
}

function guarded(read: (call: ToolCall) => unknown): (call: ToolCall) => number {
  return (call) => {
    try {
      return unitsOf(read(call));
    } catch {
      return noCost;
    }
  };
}

function unitsOf(cost: unknown): number {
  return typeof cost === "number" && cost >= 0 && cost < Number.POSITIVE_INFINITY
    ? Math.ceil(cost)
    : noCost;
}
