import type { RedisStoreClock } from "./deadline.js";
import type { RedisKeys } from "./keys.js";

interface OpenCalls {
  readonly keys: RedisKeys;
  readonly ids: Set<string>;
}

const mostAtOnce = 500;

/** Keeps the places of this process's open calls, by a third of the lease each. */
export class Leases {
  readonly #clock: RedisStoreClock;
  readonly #everyMs: number;
  readonly #renew: (keys: RedisKeys, ids: readonly string[]) => void;
  readonly #open = new Map<string, OpenCalls>();
  #timer: unknown;

  constructor(
    clock: RedisStoreClock,
    leaseMs: number,
    renew: (keys: RedisKeys, ids: readonly string[]) => void,
  ) {
    this.#clock = clock;
    this.#everyMs = leaseMs / 3;
    this.#renew = renew;
  }

  add(keys: RedisKeys, id: string): void {
    const open = this.#open.get(keys.digest);
    if (open === undefined) this.#open.set(keys.digest, { keys, ids: new Set([id]) });
    else open.ids.add(id);
    this.#timer ??= this.#start();
  }

  remove(keys: RedisKeys, id: string): void {
    const open = this.#open.get(keys.digest);
    open?.ids.delete(id);
    if (open?.ids.size === 0) this.#open.delete(keys.digest);
    if (this.#open.size > 0 || this.#timer === undefined) return;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #start(): unknown {
    const timer = this.#clock.setTimeout(() => {
      this.#timer = this.#start();
      for (const { keys, ids } of this.#open.values()) {
        const all = [...ids];
        for (let first = 0; first < all.length; first += mostAtOnce) {
          this.#renew(keys, all.slice(first, first + mostAtOnce));
        }
      }
    }, this.#everyMs);
    // A process that has nothing else to do may end.
    (timer as { unref?: () => void } | undefined)?.unref?.();
    return timer;
  }
}
