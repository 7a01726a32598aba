import { checkOptions, ToolstileError } from "@toolstile/core";
import { ownEntries } from "./options.js";
import { type IoredisClient, type NodeRedisClient, scriptRunner } from "./redis/client.js";
import type { RedisStoreClock } from "./redis/deadline.js";
import { LocalShare } from "./redis/local-share.js";
import { RedisStore } from "./redis/store.js";
import type { OpenRateLimitStore } from "./store.js";
import { largestLimit, wholeNumber } from "./terms.js";

export type { IoredisClient, NodeRedisClient, RedisStoreClock };

export interface RedisStoreOptions {
  /** A connected client of ioredis or of node-redis, which stays yours: to watch, and to close. */
  readonly client: IoredisClient | NodeRedisClient;
  /** What the names of all keys begin with. Default "toolstile:rate-limit". */
  readonly prefix?: string | undefined;
  /**
   * What to do while the server cannot tell: "deny", the default, or let each of
   * so many processes have its share of every limit. `provider.limits` says the
   * `outageBound` that this comes to.
   */
  readonly onOutage?: "deny" | { readonly localShare: number } | undefined;
  /** The longest that a decision takes, in milliseconds, at least 5. Default 25. The server has four fifths of it. */
  readonly timeoutMs?: number | undefined;
  /** After so many milliseconds the places of a process that crashed are free. Default 30,000; at least 1,000. */
  readonly leaseMs?: number | undefined;
  /** Whether `evaluate` asks the server, and so denies early what `admit` would deny. Default true. */
  readonly peek?: boolean | undefined;
  /** How many keys are kept in memory for a local share. Default 100,000. */
  readonly maxKeys?: number | undefined;
  /** Default: the system's, which never goes back. */
  readonly clock?: RedisStoreClock | undefined;
}

const known = ["client", "prefix", "onOutage", "timeoutMs", "leaseMs", "peek", "maxKeys", "clock"];
const longestTimeoutMs = 60_000;
const longestLeaseMs = 86_400_000;
const mostKeys = 16_000_000;

const systemClock: RedisStoreClock = {
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/**
 * Keep a limiter's counts on a Redis server that many processes share.
 *
 * Each decision is one script on the server, by the server's clock. What cannot
 * be decided in `timeoutMs` is denied with `rate_limit_store`, unless `onOutage`
 * says otherwise; the same holds for one longest window after the server lost
 * counts that this process knows of.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`.
 */
export function redisStore(options: RedisStoreOptions): OpenRateLimitStore {
  checkOptions("redisStore", options, known);
  const given = ownEntries("the options of redisStore", options);
  const run = scriptRunner(given.get("client"));
  const prefix = given.get("prefix") ?? "toolstile:rate-limit";
  if (typeof prefix !== "string" || prefix === "" || /[{}]/.test(prefix)) {
    throw invalid("prefix is text, not empty and without braces.");
  }
  const whole = (option: string, otherwise: number, least: number, most: number): number => {
    const value = wholeNumber(`redisStore: ${option}`, given.get(option) ?? otherwise, most);
    if (value < least) throw invalid(`${option} is at least ${least}.`);
    return value;
  };
  // Timers are late: the rest of the time is for that.
  const waitMs = whole("timeoutMs", 25, 5, longestTimeoutMs) * 0.8;
  const leaseMs = whole("leaseMs", 30_000, 1_000, longestLeaseMs);
  const maxKeys = whole("maxKeys", 100_000, 1, mostKeys);
  const peek = given.get("peek") ?? true;
  if (typeof peek !== "boolean") throw invalid("peek is true or false.");
  const clock = clockOf(given.get("clock"));
  const processes = processesOf(given.get("onOutage"));
  return (policy) => {
    const share =
      processes === undefined
        ? undefined
        : new LocalShare(policy, processes, maxKeys, () => clock.now());
    return new RedisStore(policy, { run, prefix, waitMs, leaseMs, peek, clock, processes, share });
  };
}

function processesOf(onOutage: unknown): number | undefined {
  if (onOutage === undefined || onOutage === "deny") return undefined;
  if (onOutage === null || typeof onOutage !== "object") {
    throw invalid('onOutage is "deny" or { localShare: how many processes }.');
  }
  checkOptions("redisStore: onOutage", onOutage, ["localShare"]);
  const processes = ownEntries("onOutage", onOutage).get("localShare");
  return wholeNumber("redisStore: onOutage.localShare", processes, largestLimit);
}

function clockOf(clock: unknown): RedisStoreClock {
  if (clock === undefined) return systemClock;
  const { now, setTimeout, clearTimeout } = (clock ?? {}) as Partial<RedisStoreClock>;
  if ([now, setTimeout, clearTimeout].some((member) => typeof member !== "function")) {
    throw invalid("clock has now, setTimeout and clearTimeout.");
  }
  return clock as RedisStoreClock;
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", `redisStore: ${message}`);
}
