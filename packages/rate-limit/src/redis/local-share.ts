import { MemoryStore } from "../memory-store.js";
import { storeOut } from "../refusal.js";
import type { RateLimitGrant, RateLimitPolicy, RateLimitRefusal } from "../store.js";
import { SubWindows } from "../sub-windows.js";
import type { RateLimitTerms } from "../terms.js";

interface Debt {
  units: number;
  since: number;
}

/**
 * One process's share of every limit, for while the server cannot tell.
 *
 * Counts what the server granted to this process too, so that an outage gives
 * no fresh window: a process that has had its share gets nothing more. What was
 * let through here is a debt, which the server is told before it grants more.
 */
export class LocalShare {
  readonly #store: MemoryStore;
  readonly #shares: readonly number[];
  readonly #concurrencyShare: number;
  readonly #maxKeys: number;
  readonly #holdMs: number;
  readonly #now: () => number;
  /** In the order of their age. */
  readonly #debts = new Map<string, Debt>();
  readonly #beingTold = new Set<string>();
  /** Until then a key without a row may have been granted something that is not counted here. */
  #uncountedUntil = Number.NEGATIVE_INFINITY;

  constructor(policy: RateLimitPolicy, processes: number, maxKeys: number, now: () => number) {
    const share = (whole: number): number => Math.floor(whole / processes);
    const { limits, concurrency } = policy;
    this.#shares = limits.map(({ limit, burst }) => Math.min(share(limit), burst));
    this.#concurrencyShare = share(concurrency);
    const meters = limits.map(
      ({ bound, windowMs }, index) =>
        new SubWindows(this.#shares[index] as number, windowMs, bound * 2),
    );
    const shared = { ...policy, concurrency: this.#concurrencyShare };
    this.#store = new MemoryStore(shared, maxKeys, now, meters);
    this.#maxKeys = maxKeys;
    this.#holdMs = meters.reduce((most, { longestHoldMs }) => Math.max(most, longestHoldMs), 0);
    this.#now = now;
  }

  peek(key: string, units: number): RateLimitRefusal | undefined {
    return this.#cannotTell(key, units) ? storeOut : this.#store.peek(key, units);
  }

  reserve(key: string, units: number): RateLimitGrant | RateLimitRefusal {
    if (this.#cannotTell(key, units)) return storeOut;
    const reply = this.#store.reserve(key, units);
    if (!reply.granted || units === 0) return reply;
    this.#owe(key, units);
    return {
      granted: true,
      commit: reply.commit.bind(reply),
      giveBack: () => {
        this.#forgive(key, units);
        return reply.giveBack();
      },
    };
  }

  /** Count what the server granted. */
  record(key: string, units: number): RateLimitGrant | undefined {
    const grant = this.#store.record(key, units);
    if (grant === undefined) this.#uncountedUntil = this.#now() + this.#holdMs;
    return grant;
  }

  /** The server is being told of this key's debt: until it knows, it is not to be asked. */
  isBeingTold(key: string): boolean {
    return this.#beingTold.has(key);
  }

  /** The takings that the server must be told of before it decides. */
  takeDebt(key: string): number {
    const debt = this.#debts.get(key);
    if (debt === undefined) return 0;
    this.#debts.delete(key);
    if (this.#now() - debt.since >= this.#holdMs) return 0;
    this.#beingTold.add(key);
    return debt.units;
  }

  /** The server answered, or it is sure that it never will. */
  told(key: string, units: number, knows: boolean): void {
    if (units === 0) return;
    this.#beingTold.delete(key);
    // It may have been told all the same. Twice is too much, and never is too little.
    if (!knows) this.#owe(key, units);
  }

  #owe(key: string, units: number): void {
    const now = this.#now();
    const before = this.#debts.get(key)?.units ?? 0;
    this.#debts.delete(key);
    for (const [oldest, { since }] of this.#debts) {
      if (now - since < this.#holdMs && this.#debts.size < this.#maxKeys) break;
      this.#debts.delete(oldest);
    }
    this.#debts.set(key, { units: before + units, since: now });
  }

  #forgive(key: string, units: number): void {
    const debt = this.#debts.get(key);
    // One that the server was told of already is not taken back: it ends with the window.
    if (debt === undefined) return;
    debt.units -= Math.min(units, debt.units);
    if (debt.units === 0) this.#debts.delete(key);
  }

  #cannotTell(key: string, units: number): boolean {
    if (this.#concurrencyShare === 0 || this.#shares.some((share) => share < units)) return true;
    return this.#now() < this.#uncountedUntil && !this.#store.knows(key);
  }
}

/** The limits with a share for each process, beside the one that the server knew last. */
export function withShares(
  limits: readonly RateLimitTerms[],
  processes: number,
): readonly RateLimitTerms[] {
  return Object.freeze(
    limits.map((terms) =>
      Object.freeze({
        ...terms,
        outageBound:
          terms.bound +
          (processes - 1) * Math.min(Math.floor(terms.limit / processes), terms.burst),
      }),
    ),
  );
}
