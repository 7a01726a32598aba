import type { Awaitable } from "@toolstile/core/provider";
import type { RateLimitTerms } from "./terms.js";

/** The demands of a limiter on its store, fixed when the limiter is built. */
export interface RateLimitPolicy {
  /** The name of the provider, which keeps the counts of two limiters apart in a store that they share. */
  readonly name: string;
  /** All of them hold for every key. */
  readonly limits: readonly RateLimitTerms[];
  /** The number of calls of one key that may be open at once. `Infinity` if none was given. */
  readonly concurrency: number;
  /** True if a call may cost other than one unit. */
  readonly weighted: boolean;
}

/**
 * The name under which calls are counted together.
 *
 * `undefined` is a key of its own, which no text equals: that of calls that
 * lack what the limiter counts by.
 */
export type RateLimitKey = string | undefined;

/** Units were taken, and a place among the open calls. One of the two is called, when the call is over. */
export interface RateLimitGrant {
  readonly granted: true;
  /** The tool ran, or may have run, or may still run: the units stay taken, the place is free again. */
  readonly commit: () => Awaitable<void>;
  /** The tool surely did not run: the units and the place are free again. */
  readonly giveBack: () => Awaitable<void>;
}

/** Nothing was taken. */
export interface RateLimitRefusal {
  readonly granted: false;
  /**
   * "keys": the store holds as many live keys as it may, and this one is new.
   * "store": the store cannot tell, for it cannot be reached or has lost its counts.
   */
  readonly cause: "limit" | "concurrency" | "keys" | "store";
  /** With "limit", which of the policy's limits. */
  readonly limitIndex: number;
  /** With "limit", when it may be worth asking again; `Infinity` for a call that can never fit. */
  readonly retryAfterMs: number;
}

/**
 * Keeps the counts of one limiter.
 *
 * A store that answers synchronously keeps the provider synchronous. A store
 * that throws or rejects denies the call.
 */
export interface RateLimitStore {
  /** Takes units from every limit and a place among the open calls, or nothing at all. */
  readonly reserve: (
    key: RateLimitKey,
    units: number,
  ) => Awaitable<RateLimitGrant | RateLimitRefusal>;
  /** Answers as `reserve` would at this instant, and takes nothing. Absent: only `reserve` decides. */
  readonly peek?:
    | ((key: RateLimitKey, units: number) => Awaitable<RateLimitRefusal | undefined>)
    | undefined;
  /** The limits as this store keeps them. Absent: as in the policy. */
  readonly limits?: readonly RateLimitTerms[] | undefined;
}

/** Makes the store of one limiter. */
export type OpenRateLimitStore = (policy: RateLimitPolicy) => RateLimitStore;
