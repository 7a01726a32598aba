import {
  boolean,
  group,
  type OptionTable,
  object,
  readOptions,
  required,
  such,
  whole,
} from "@toolstile/core/provider";
import { mostKeys } from "../options.js";
import type { OpenRateLimitStore } from "../store.js";
import { largestLimit } from "../terms.js";
import { type IoredisClient, type NodeRedisClient, scriptRunner } from "./client.js";
import type { RedisStoreClock } from "./deadline.js";
import { LocalShare } from "./local-share.js";
import { RedisStore } from "./store.js";

export interface RedisStoreOptions {
  /** A connected client of ioredis or of node-redis, which stays yours: to watch, and to close. */
  readonly client: IoredisClient | NodeRedisClient;
  /** The beginning of the names of all keys. Default "toolstile:rate-limit". */
  readonly prefix?: string | undefined;
  /**
   * The decision while the server does not answer: "deny", the default, or let
   * each of so many processes have its share of every limit. `provider.limits` says the
   * `outageBound` that this comes to.
   */
  readonly onOutage?: "deny" | { readonly localShare: number } | undefined;
  /** The longest that a decision takes, in milliseconds, at least 5. Default 25. The server has four fifths of it. */
  readonly timeoutMs?: number | undefined;
  /**
   * The same from the first decision on, until the server has answered for the first time: to
   * connect and to send scripts takes longer. Default 1,000; not less than `timeoutMs`.
   */
  readonly firstTimeoutMs?: number | undefined;
  /** After so many milliseconds the places of a process that crashed are free. Default 30,000; at least 1,000. */
  readonly leaseMs?: number | undefined;
  /** True, the default: `evaluate` asks the server, and so denies early what `admit` would deny. */
  readonly peek?: boolean | undefined;
  /** The number of keys kept in memory for a local share. Default 100,000. */
  readonly maxKeys?: number | undefined;
  /** Default: the system's, which never goes back. */
  readonly clock?: RedisStoreClock | undefined;
}

const longestTimeoutMs = 60_000;
const longestLeaseMs = 86_400_000;

const systemClock: RedisStoreClock = {
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

const storeOptions = {
  client: required(
    object<IoredisClient | NodeRedisClient>(
      "a client of ioredis or of node-redis, which has evalsha() or evalSha()",
    ),
  ),
  prefix: such<string>(isPrefix, "a non-empty string without braces").default(
    "toolstile:rate-limit",
  ),
  onOutage: group({ localShare: required(whole(1, largestLimit)) }).or("deny"),
  timeoutMs: whole(5, longestTimeoutMs).default(25),
  firstTimeoutMs: whole(5, longestTimeoutMs).default(1_000),
  leaseMs: whole(1_000, longestLeaseMs).default(30_000),
  peek: boolean().default(true),
  maxKeys: whole(1, mostKeys).default(100_000),
  clock: such<RedisStoreClock>(
    isClock,
    "an object with now(), setTimeout() and clearTimeout()",
  ).default(systemClock),
} satisfies OptionTable<RedisStoreOptions>;

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
  const given = readOptions("redisStore()", options, storeOptions);
  const { prefix, onOutage, leaseMs, peek, maxKeys, clock } = given;
  const run = scriptRunner(given.client);
  // Timers are late: the rest of the time is for that.
  const [waitMs, firstWaitMs] = [given.timeoutMs * 0.8, given.firstTimeoutMs * 0.8];
  const processes = typeof onOutage === "object" ? onOutage.localShare : undefined;
  return (policy) => {
    const share =
      processes === undefined
        ? undefined
        : new LocalShare(policy, processes, maxKeys, () => clock.now());
    return new RedisStore(policy, {
      run,
      prefix,
      waitMs,
      firstWaitMs,
      leaseMs,
      peek,
      clock,
      processes,
      share,
    });
  };
}

function isPrefix(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !/[{}]/.test(value);
}

function isClock(value: unknown): boolean {
  const { now, setTimeout, clearTimeout } = Object(value) as Partial<RedisStoreClock>;
  return [now, setTimeout, clearTimeout].every((member) => typeof member === "function");
}
