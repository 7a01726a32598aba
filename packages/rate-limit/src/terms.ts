import { ToolstileError } from "@toolstile/core";

/** How one limit is counted. */
export type RateLimitAlgorithm = "log" | "sub-windows" | "gcra";

/** One limit: at most so many calls, or units of cost, in any window of so many milliseconds. */
export interface RateLimit {
  /** A whole number, at least 1. */
  readonly limit: number;
  /** Whole milliseconds, at least 1. */
  readonly windowMs: number;
  /** Default "log" up to a limit of 1,000, "sub-windows" above it. */
  readonly algorithm?: RateLimitAlgorithm | undefined;
  /** With "gcra" only: how many at once after a rest. Default: the limit. */
  readonly burst?: number | undefined;
}

/** What a limit amounts to: everything chosen, and what it promises. */
export interface RateLimitTerms {
  readonly limit: number;
  readonly windowMs: number;
  readonly algorithm: RateLimitAlgorithm;
  /** The most that can be taken at once. */
  readonly burst: number;
  /**
   * The most that is ever let through in any window of `windowMs`, the end of
   * the window not included: the limit itself, and with "gcra" `burst + limit`.
   */
  readonly bound: number;
  /**
   * The most in any window when a shared store was out of reach or lost its
   * counts in it: `bound`, and more only where the store was told to let each
   * process have a share.
   */
  readonly outageBound: number;
  /** How much longer than `windowMs` a call may count, in milliseconds. 0 but for "sub-windows". */
  readonly lateMs: number;
}

const algorithms: readonly string[] = ["log", "sub-windows", "gcra"];
/** Above it, a log of every call costs more memory than its exactness is worth. */
const largestLogByDefault = 1_000;
const largestLog = 1_000_000;
export const largestLimit = 1_000_000_000;
/** 366 days. */
const longestWindowMs = 31_622_400_000;
const windowParts = 8;

/** The parts that "sub-windows" cuts a window into: `parts` of `widthMs` span the window or a little more. */
export function partsOf(windowMs: number): { readonly parts: number; readonly widthMs: number } {
  const widthMs = Math.ceil(windowMs / windowParts);
  return { parts: Math.ceil(windowMs / widthMs), widthMs };
}

/** @throws ToolstileError `ERR_INVALID_OPTION` that names the option. */
export function termsOf(where: string, given: ReadonlyMap<string, unknown>): RateLimitTerms {
  const limit = wholeNumber(`${where}limit`, given.get("limit"), largestLimit);
  const windowMs = wholeNumber(`${where}windowMs`, given.get("windowMs"), longestWindowMs);
  const algorithm = algorithmOf(`${where}algorithm`, given.get("algorithm"), limit);
  const askedBurst = given.get("burst");
  if (askedBurst !== undefined && algorithm !== "gcra") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${where}burst means something with the algorithm "gcra" only. The others let the whole limit through at once.`,
    );
  }
  const burst = askedBurst === undefined ? limit : wholeNumber(`${where}burst`, askedBurst, limit);
  const { parts, widthMs } = partsOf(windowMs);
  const bound = algorithm === "gcra" ? burst + limit : limit;
  return Object.freeze({
    limit,
    windowMs,
    algorithm,
    burst,
    bound,
    outageBound: bound,
    lateMs: algorithm === "sub-windows" ? (parts + 1) * widthMs - windowMs : 0,
  });
}

function algorithmOf(option: string, value: unknown, limit: number): RateLimitAlgorithm {
  if (value === undefined) return limit <= largestLogByDefault ? "log" : "sub-windows";
  if (typeof value !== "string" || !algorithms.includes(value)) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${option} is one of ${algorithms.map((name) => `"${name}"`).join(", ")}.`,
    );
  }
  if (value === "log" && limit > largestLog) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${option} "log" keeps every call of the window: at most a limit of ${largestLog}. Use "sub-windows".`,
    );
  }
  return value as RateLimitAlgorithm;
}

/** @throws ToolstileError `ERR_INVALID_OPTION` unless it is a whole number from 1 to the largest. */
export function wholeNumber(option: string, value: unknown, largest: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= largest) {
    return value;
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `${option} is a whole number from 1 to ${largest}.`,
  );
}
