import type { ToolCall } from "@toolstile/core";
import { ToolstileError } from "@toolstile/core";

/** What a call costs: not negative, counted in whole units, a fraction rounded up. */
export type RateLimitCost = number | ((call: ToolCall) => number);

/** Given in place of a cost where there is none to be had. */
export const noCost = -1;

/**
 * How to tell a call's units; it never throws.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a number that is no cost.
 */
export function costReader(option: unknown): (call: ToolCall) => number {
  if (typeof option === "function") return guarded(option as (call: ToolCall) => unknown);
  const units = unitsOf(option);
  if (units === noCost) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "rateLimit: cost is a number of units, 0 or more, or a function of the call that gives one.",
    );
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
