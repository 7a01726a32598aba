import {
  func,
  group,
  invalidOption,
  list,
  nonEmptyText,
  type OptionsOf,
  type OptionTable,
  readOptions,
  required,
  unchecked,
  whole,
} from "@toolstile/core/provider";
import type { RateLimitCost } from "./cost.js";
import type { RateLimitKeyFunction, RateLimitKeyPart } from "./key.js";
import { MemoryStore } from "./memory-store.js";
import type { OpenRateLimitStore, RateLimitPolicy, RateLimitStore } from "./store.js";
import {
  largestLimit,
  limitOptions,
  longestWindowMs,
  type RateLimit,
  type RateLimitAlgorithm,
  type RateLimitTerms,
  termsOf,
} from "./terms.js";

export interface RateLimitOptions {
  /** At most so many calls, or units of `cost`, in any window. A whole number, at least 1. */
  readonly limit?: number | undefined;
  /** The length of the window. Whole milliseconds, at least 1. */
  readonly windowMs?: number | undefined;
  /** Default "log", which is exact, up to a limit of 1,000; "sub-windows" above it. */
  readonly algorithm?: RateLimitAlgorithm | undefined;
  /** With "gcra" only: how many at once after a rest. Default: the limit. */
  readonly burst?: number | undefined;
  /** Several limits for every key, in place of `limit` and `windowMs`: a call takes from all of them or from none. */
  readonly limits?: readonly RateLimit[] | undefined;
  /** The calls that are counted together. Default "tool": one count for each tool, whoever calls it. */
  readonly key?: RateLimitKeyPart | readonly RateLimitKeyPart[] | RateLimitKeyFunction | undefined;
  /** Units that a call takes. Default 1. */
  readonly cost?: RateLimitCost | undefined;
  /**
   * At most so many calls of one key open at once. Default: any number.
   *
   * A call is open until it settles. One that is aborted, or whose time is
   * over, settles while its tool may still run: its place is free from then on.
   */
  readonly concurrency?: number | undefined;
  /** The number of keys kept. A new one above it is denied while all are live. Default 100,000. */
  readonly maxKeys?: number | undefined;
  /** Milliseconds that never go back, from any zero. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** The store of the counts. Default: the memory of this process. */
  readonly store?: OpenRateLimitStore | undefined;
  /** The words that the model reads where a limit or the concurrency is reached. Default: which limit it is, and when to try again. */
  readonly reason?: string | undefined;
  /** Default "rate-limit". Give each its own where a chain has several. */
  readonly name?: string | undefined;
}

const where = "rateLimit()";
const defaultMaxKeys = 100_000;
/** More the engine's maps do not hold. */
export const mostKeys = 16_000_000;

const limiterOptions = {
  ...limitOptions,
  limit: whole(1, largestLimit),
  windowMs: whole(1, longestWindowMs),
  limits: list(group(limitOptions), "an array of { limit, windowMs }", { least: 1 }),
  // These two say themselves what they must be.
  key: unchecked<NonNullable<RateLimitOptions["key"]>>().default("tool"),
  cost: unchecked<RateLimitCost>().default(1),
  concurrency: whole(1, largestLimit),
  maxKeys: whole(1, mostKeys),
  now: func<() => number>("a function that returns milliseconds"),
  store: func<OpenRateLimitStore>("a function that makes a store for this limiter"),
  reason: nonEmptyText("a reason, as text"),
  name: nonEmptyText().default("rate-limit"),
} satisfies OptionTable<RateLimitOptions>;

type GivenOptions = OptionsOf<typeof limiterOptions>;

const namesOfLimit = ["limit", "windowMs", "algorithm", "burst"] as const;

/** The options after they were read. */
export interface CheckedOptions {
  readonly policy: RateLimitPolicy;
  readonly store: RateLimitStore;
  readonly key: unknown;
  readonly cost: unknown;
  readonly reason: string | undefined;
}

/** @throws ToolstileError that names the option and the way out. */
export function checked(options: unknown): CheckedOptions {
  const given = readOptions(where, options, limiterOptions);
  const { name, key, cost, concurrency, reason } = given;
  const policy: RateLimitPolicy = Object.freeze({
    name,
    limits: limitsOf(given),
    concurrency: concurrency ?? Number.POSITIVE_INFINITY,
    weighted: cost !== 1,
  });
  return { policy, store: storeOf(given, policy), key, cost, reason };
}

function limitsOf(given: GivenOptions): readonly RateLimitTerms[] {
  const { limits: several, limit, windowMs, algorithm, burst } = given;
  const beside = namesOfLimit.find((name) => given[name] !== undefined);
  if (several === undefined) {
    if (beside !== undefined) {
      const one = {
        limit: required(limitOptions.limit).read(limit, where, "limit"),
        windowMs: required(limitOptions.windowMs).read(windowMs, where, "windowMs"),
        algorithm,
        burst,
      };
      return Object.freeze([termsOf(where, "", one)]);
    }
    if (given.concurrency !== undefined) return Object.freeze([]);
    throw invalidOption(
      where,
      "limit and windowMs, or limits, or concurrency must be given: without them nothing is limited.",
    );
  }
  if (beside !== undefined) {
    throw invalidOption(
      where,
      `'${beside}' must not stand beside 'limits'. Write it in one of the limits.`,
    );
  }
  return Object.freeze(several.map((each, index) => termsOf(where, `limits[${index}].`, each)));
}

function storeOf(given: GivenOptions, policy: RateLimitPolicy): RateLimitStore {
  const { store: open, now = () => performance.now(), maxKeys = defaultMaxKeys } = given;
  if (open === undefined) return new MemoryStore(policy, maxKeys, now);
  const extra = (["now", "maxKeys"] as const).find((name) => given[name] !== undefined);
  if (extra !== undefined) {
    throw invalidOption(
      where,
      `'${extra}' must not stand beside 'store': it is for the memory of this process. Write it in the options of the store.`,
    );
  }
  const store = open(policy) as Partial<RateLimitStore> | null | undefined;
  if (typeof store?.reserve !== "function")
    throw invalidOption(where, "'store' must return an object with a reserve() function.");
  return store as RateLimitStore;
}
