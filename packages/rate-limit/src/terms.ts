import {
  invalidOption,
  type OptionTable,
  oneOf,
  optionError,
  required,
  whole,
} from "@toolstile/core/provider";

/** The way in which one limit is counted. */
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

/** A limit with every default filled in, and what it promises. */
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
  /** The time, in milliseconds, that a call may count beyond `windowMs`. 0 but for "sub-windows". */
  readonly lateMs: number;
}

/** Above it, a log of every call costs more memory than its exactness is worth. */
const largestLogByDefault = 1_000;
const largestLog = 1_000_000;
export const largestLimit = 1_000_000_000;
/** 366 days. */
export const longestWindowMs = 31_622_400_000;
const windowParts = 8;

/** Reads one limit. Whether its options go together, `termsOf` says. */
export const limitOptions = {
  limit: required(whole(1, largestLimit)),
  windowMs: required(whole(1, longestWindowMs)),
  algorithm: oneOf("log", "sub-windows", "gcra"),
  burst: whole(1),
} satisfies OptionTable<RateLimit>;

/** The parts that "sub-windows" cuts a window into: `parts` of `widthMs` span the window or a little more. */
export function partsOf(windowMs: number): { readonly parts: number; readonly widthMs: number } {
  const widthMs = Math.ceil(windowMs / windowParts);
  return { parts: Math.ceil(windowMs / widthMs), widthMs };
}

/**
 * The terms of a limit whose options are right each by itself.
 *
 * @param path - what comes before an option's name in an error: `limits[0].`.
 * @throws ToolstileError `ERR_INVALID_OPTION` for options that do not go together.
 */
export function termsOf(where: string, path: string, given: RateLimit): RateLimitTerms {
  const { limit, windowMs, burst: askedBurst } = given;
  const algorithm = given.algorithm ?? (limit <= largestLogByDefault ? "log" : "sub-windows");
  if (algorithm === "log" && limit > largestLog) {
    throw invalidOption(
      where,
      `'${path}algorithm' must not be "log" for a limit above ${largestLog}: it keeps every call of the window. Use "sub-windows".`,
    );
  }
  if (askedBurst !== undefined && algorithm !== "gcra") {
    throw invalidOption(
      where,
      `'${path}burst' must be left out unless the algorithm is "gcra". The others let the whole limit through at once.`,
    );
  }
  const burst = askedBurst ?? limit;
  if (burst > limit) {
    throw optionError(where, `${path}burst`, `a whole number from 1 to ${limit}`, burst);
  }
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
