import { randomBytes } from "node:crypto";
import { nothingTaken } from "../memory-grant.js";
import { Refusal, storeOut } from "../refusal.js";
import type {
  RateLimitGrant,
  RateLimitKey,
  RateLimitPolicy,
  RateLimitRefusal,
  RateLimitStore,
} from "../store.js";
import { partsOf, type RateLimitTerms } from "../terms.js";
import type { RunScript } from "./client.js";
import { Deadline, noAnswer, type RedisStoreClock } from "./deadline.js";
import { endScript, renewScript } from "./grant-scripts.js";
import { keyNames, type RedisKeys } from "./keys.js";
import { Leases } from "./leases.js";
import { type LocalShare, withShares } from "./local-share.js";
import { type RedisReply, readReply } from "./reply.js";
import { reserveScript } from "./reserve-script.js";
import { ServerMemory } from "./server-memory.js";

/** The options of `redisStore` after they were read. */
export interface RedisStoreSettings {
  readonly run: RunScript;
  readonly prefix: string;
  readonly waitMs: number;
  readonly firstWaitMs: number;
  readonly leaseMs: number;
  readonly peek: boolean;
  readonly clock: RedisStoreClock;
  readonly processes: number | undefined;
  readonly share: LocalShare | undefined;
}

/** The number of newest grants of a key that the server knows by their id. Only those are given back. */
const mostKept = 1_000;

type Reply = RateLimitGrant | RateLimitRefusal;

/** Counts on a Redis server, and says in bounded time what to do without it. */
export class RedisStore implements RateLimitStore {
  readonly limits: readonly RateLimitTerms[];
  readonly peek: RateLimitStore["peek"];
  readonly #run: RunScript;
  readonly #clock: RedisStoreClock;
  readonly #deadline: Deadline;
  readonly #share: LocalShare | undefined;
  readonly #keysOf: (key: RateLimitKey) => RedisKeys;
  readonly #memory: ServerMemory;
  readonly #leases: Leases | undefined;
  readonly #leaseUs: string;
  readonly #holdUs: string;
  readonly #concurrency: string;
  readonly #kept: string;
  /** The limits as scripts expect them. */
  readonly #terms: readonly (readonly string[])[];
  readonly #mosts: readonly number[];
  readonly #process = randomBytes(9).toString("base64url");
  #reservations = 0;

  constructor(policy: RateLimitPolicy, settings: RedisStoreSettings) {
    const { run, prefix, waitMs, firstWaitMs, leaseMs, peek, clock, processes, share } = settings;
    const { limits, concurrency } = policy;
    const countsOpen = concurrency !== Number.POSITIVE_INFINITY;
    const holdMs = limits
      .map(longestHoldMs)
      .reduce((most, each) => Math.max(most, each), countsOpen ? leaseMs : 0);
    this.limits = processes === undefined ? limits : withShares(limits, processes);
    this.peek = peek ? (key, units) => this.#peek(key, units) : undefined;
    this.#run = run;
    this.#clock = clock;
    this.#deadline = new Deadline(clock, waitMs, firstWaitMs);
    this.#share = share;
    this.#keysOf = keyNames(prefix, policy);
    this.#memory = new ServerMemory(holdMs);
    this.#leases = countsOpen
      ? new Leases(clock, leaseMs, (keys, ids) => void this.#renew(keys, ids))
      : undefined;
    this.#leaseUs = String(Math.ceil(leaseMs * 1_000));
    this.#holdUs = String(Math.ceil(holdMs * 1_000));
    this.#concurrency = countsOpen ? String(concurrency) : "0";
    this.#terms = limits.map(termsForScript);
    this.#mosts = limits.map(({ burst }) => burst);
    // No more than the smallest limit can count at once.
    this.#kept = String(this.#mosts.reduce((least, each) => Math.min(least, each), mostKept));
  }

  async reserve(key: RateLimitKey, units: number): Promise<Reply> {
    if (units === 0 && this.#leases === undefined) return nothingTaken;
    const never = this.#neverFits(units);
    if (never !== undefined) return never;
    const keys = this.#keysOf(key);
    if (this.#share?.isBeingTold(keys.digest) || !this.#deadline.mayAsk()) {
      return this.#withoutServer(keys, units);
    }
    const id = this.#id();
    const debt = this.#share?.takeDebt(keys.digest) ?? 0;
    const reply = await this.#deadline.ask(
      () => this.#run(reserveScript, keys.all, this.#question("reserve", keys, units, id, debt)),
      (answer, isLate) => {
        const reply = this.#read(keys, answer);
        this.#share?.told(keys.digest, debt, reply !== undefined);
        // It was decided without the server: no call holds what the server took after all.
        if (isLate && reply?.decision === "granted") void this.#end("give back", keys, units, id);
        return reply;
      },
    );
    return this.#decided(keys, units, id, reply === noAnswer ? undefined : reply);
  }

  async #peek(key: RateLimitKey, units: number): Promise<RateLimitRefusal | undefined> {
    if (units === 0 && this.#leases === undefined) return undefined;
    const never = this.#neverFits(units);
    if (never !== undefined) return never;
    const keys = this.#keysOf(key);
    if (!this.#share?.isBeingTold(keys.digest) && this.#deadline.mayAsk()) {
      const reply = await this.#deadline.ask(
        () =>
          this.#run(reserveScript, keys.all, this.#question("peek", keys, units, this.#id(), 0)),
        (answer) => this.#read(keys, answer),
      );
      const decision = reply === noAnswer ? undefined : reply?.decision;
      if (decision === "fits") return undefined;
      if (decision instanceof Refusal) return decision;
    }
    return this.#share === undefined ? storeOut : this.#share.peek(keys.digest, units);
  }

  #decided(keys: RedisKeys, units: number, id: string, reply: RedisReply | undefined): Reply {
    const decision = reply?.decision;
    if (decision instanceof Refusal) return decision;
    return decision === "granted" ? this.#grant(keys, units, id) : this.#withoutServer(keys, units);
  }

  #withoutServer(keys: RedisKeys, units: number): Reply {
    return this.#share === undefined ? storeOut : this.#share.reserve(keys.digest, units);
  }

  #grant(keys: RedisKeys, units: number, id: string): RateLimitGrant {
    const counted = this.#share?.record(keys.digest, units);
    const leases = this.#leases;
    leases?.add(keys, id);
    let isOpen = true;
    const close = (): boolean => {
      if (!isOpen) return false;
      isOpen = false;
      leases?.remove(keys, id);
      return true;
    };
    return {
      granted: true,
      commit: () => {
        if (!close()) return;
        void counted?.commit();
        return leases === undefined ? undefined : this.#end("commit", keys, units, id);
      },
      giveBack: () => {
        if (!close()) return;
        void counted?.giveBack();
        return this.#end("give back", keys, units, id);
      },
    };
  }

  /** Ends a grant on the server. If that does not arrive, the units stay taken until the window or the lease is over. */
  async #end(
    how: "commit" | "give back",
    keys: RedisKeys,
    units: number,
    id: string,
  ): Promise<void> {
    const args = [how, id, String(units), ...this.#terms.flat()];
    await this.#deadline.ask(
      () => this.#run(endScript, keys.all, args),
      () => undefined,
    );
  }

  async #renew(keys: RedisKeys, ids: readonly string[]): Promise<void> {
    if (!this.#deadline.mayAsk()) return;
    await this.#deadline.ask(
      () => this.#run(renewScript, [keys.marker, keys.open], [this.#leaseUs, ...ids]),
      () => undefined,
    );
  }

  #question(
    mode: "reserve" | "peek",
    keys: RedisKeys,
    units: number,
    id: string,
    debt: number,
  ): readonly string[] {
    const known = this.#memory.of(keys.bucket, this.#clock.now());
    return [
      mode,
      String(units),
      id,
      ...known,
      this.#holdUs,
      String(debt),
      this.#concurrency,
      this.#leaseUs,
      this.#kept,
      ...this.#terms.flat(),
    ];
  }

  #read({ bucket }: RedisKeys, answer: unknown): RedisReply | undefined {
    if (answer === noAnswer) return undefined;
    const reply = readReply(answer, this.#terms.length);
    if (reply === undefined) return undefined;
    const { decision } = reply;
    this.#memory.learn(bucket, this.#clock.now(), reply, {
      granted: decision === "granted",
      inDoubt: decision === "doubt",
    });
    return reply;
  }

  #neverFits(units: number): RateLimitRefusal | undefined {
    const index = this.#mosts.findIndex((most) => units > most);
    return index === -1 ? undefined : new Refusal("limit", index, Number.POSITIVE_INFINITY);
  }

  #id(): string {
    return `${this.#process}:${(this.#reservations++).toString(36)}`;
  }
}

function longestHoldMs({ algorithm, limit, windowMs, burst, lateMs }: RateLimitTerms): number {
  if (algorithm !== "gcra") return windowMs + lateMs;
  return Math.max(windowMs, Math.ceil((burst * spacingUs(windowMs, limit)) / 1_000));
}

function termsForScript({ algorithm, limit, windowMs, burst }: RateLimitTerms): readonly string[] {
  const { parts, widthMs } = partsOf(windowMs);
  const step = algorithm === "gcra" ? spacingUs(windowMs, limit) : widthMs * 1_000;
  return [algorithm, String(burst), String(windowMs * 1_000), String(step), String(parts)];
}

function spacingUs(windowMs: number, limit: number): number {
  return Math.ceil((windowMs * 1_000) / limit);
}
