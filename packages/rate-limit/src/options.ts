import { checkOptions, ToolstileError } from "@toolstile/core";
import type { RateLimitCost } from "./cost.js";
import type { RateLimitKeyFunction, RateLimitKeyPart } from "./key.js";
import { MemoryStore } from "./memory-store.js";
import type { OpenRateLimitStore, RateLimitPolicy, RateLimitStore } from "./store.js";
import {
  largestLimit,
  type RateLimit,
  type RateLimitAlgorithm,
  type RateLimitTerms,
  termsOf,
  wholeNumber,
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
  /** What is counted together. Default "tool": one count for each tool, whoever calls it. */
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
  /** How many keys are kept. A new one above it is denied while all are live. Default 100,000. */
  readonly maxKeys?: number | undefined;
  /** Milliseconds that never go back, from any zero. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Where counts are kept. Default: the memory of this process. */
  readonly store?: OpenRateLimitStore | undefined;
  /** Default "rate-limit". Give each its own where a chain has several. */
  readonly name?: string | undefined;
}

const known = [
  "limit",
  "windowMs",
  "algorithm",
  "burst",
  "limits",
  "key",
  "cost",
  "concurrency",
  "maxKeys",
  "now",
  "store",
  "name",
];
const knownOfLimit = ["limit", "windowMs", "algorithm", "burst"];
const defaultMaxKeys = 100_000;
/** More the engine's maps do not hold. */
const mostKeys = 16_000_000;

/** What the options come to. */
export interface CheckedOptions {
  readonly policy: RateLimitPolicy;
  readonly store: RateLimitStore;
  readonly key: unknown;
  readonly cost: unknown;
}

/** @throws ToolstileError that names the option and the way out. */
export function checked(options: unknown): CheckedOptions {
  checkOptions("rateLimit", options, known);
  const given = ownEntries("the options", options as object);
  const name = given.get("name") ?? "rate-limit";
  if (typeof name !== "string" || name === "") throw invalid("name is text and not empty.");
  const concurrency = given.get("concurrency");
  const cost = given.get("cost") ?? 1;
  const policy: RateLimitPolicy = Object.freeze({
    name,
    limits: limitsOf(given),
    concurrency:
      concurrency === undefined
        ? Number.POSITIVE_INFINITY
        : wholeNumber("rateLimit: concurrency", concurrency, largestLimit),
    weighted: cost !== 1,
  });
  return { policy, store: storeOf(given, policy), key: given.get("key") ?? "tool", cost };
}

function limitsOf(given: ReadonlyMap<string, unknown>): readonly RateLimitTerms[] {
  const several = given.get("limits");
  if (several === undefined) {
    const one = knownOfLimit.some((key) => given.has(key));
    if (one) return Object.freeze([termsOf("rateLimit: ", given)]);
    if (given.has("concurrency")) return Object.freeze([]);
    throw invalid(
      "give limit and windowMs, or limits, or concurrency: without, nothing is limited.",
    );
  }
  const extra = knownOfLimit.find((key) => given.has(key));
  if (extra !== undefined) {
    throw invalid(`${extra} does not go with limits. Say it of one of the limits.`);
  }
  if (!Array.isArray(several) || several.length === 0) {
    throw invalid("limits is a list of { limit, windowMs }, with one at least.");
  }
  return Object.freeze(
    // map() would pass over a hole, and the limit that belongs there would be none.
    Array.from(several, (each: unknown, index) => {
      checkOptions(`rateLimit: limits[${index}]`, each, knownOfLimit);
      return termsOf(
        `rateLimit: limits[${index}].`,
        ownEntries(`limits[${index}]`, each as object),
      );
    }),
  );
}

function storeOf(given: ReadonlyMap<string, unknown>, policy: RateLimitPolicy): RateLimitStore {
  const open = given.get("store");
  if (open === undefined) {
    const now = given.get("now") ?? (() => performance.now());
    if (typeof now !== "function") throw invalid("now is a function that gives milliseconds.");
    const maxKeys = wholeNumber(
      "rateLimit: maxKeys",
      given.get("maxKeys") ?? defaultMaxKeys,
      mostKeys,
    );
    return new MemoryStore(policy, maxKeys, now as () => number);
  }
  const extra = ["now", "maxKeys"].find((key) => given.has(key));
  if (extra !== undefined) {
    throw invalid(`${extra} is for the memory of this process. Say it of the store.`);
  }
  if (typeof open !== "function") {
    throw invalid("store is a function that makes a store for this limiter.");
  }
  const store = (open as OpenRateLimitStore)(policy) as Partial<RateLimitStore> | null | undefined;
  if (typeof store?.reserve !== "function")
    throw invalid("store made no store: it has no reserve.");
  return store as RateLimitStore;
}

/**
 * What was given, by own property: nothing planted on `Object.prototype` is an option.
 *
 * @throws ToolstileError where something would be lost by that, for it is inherited or a class's.
 */
export function ownEntries(where: string, options: object): ReadonlyMap<string, unknown> {
  const prototype = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) {
    throw invalid(`${where} is a plain object: what it inherits is not read. Write { ... }.`);
  }
  const names = Object.getOwnPropertyNames(options);
  const entries = names.map((name) => [name, (options as Record<string, unknown>)[name]] as const);
  return new Map(entries.filter(([, value]) => value !== undefined));
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", `rateLimit: ${message}`);
}
