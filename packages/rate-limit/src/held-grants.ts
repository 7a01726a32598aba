import type { RateLimitGrant } from "./store.js";

/** A power of two. */
const newestKept = 8;

/**
 * What runs hold, by the run itself and not by its id.
 *
 * The newest few are in a ring, since most calls are over before many others
 * begin and a WeakMap costs more than the rest of a decision. The others are in
 * a WeakMap: a run that is dropped takes its entry along.
 */
export class HeldGrants {
  readonly #runs = new Array<object | undefined>(newestKept).fill(undefined);
  readonly #grants = new Array<RateLimitGrant | undefined>(newestKept).fill(undefined);
  readonly #older = new WeakMap<object, RateLimitGrant>();
  #next = 0;

  /** A run that is let through twice holds both grants, and ends both. */
  add(run: object, grant: RateLimitGrant): void {
    const before = this.remove(run);
    const place = this.#next;
    this.#next = (place + 1) & (newestKept - 1);
    const displaced = this.#runs[place];
    if (displaced !== undefined) {
      this.#older.set(displaced, this.#grants[place] as RateLimitGrant);
    }
    this.#runs[place] = run;
    this.#grants[place] = before === undefined ? grant : both(before, grant);
  }

  /** What the run holds, once. */
  remove(run: object): RateLimitGrant | undefined {
    const runs = this.#runs;
    for (let place = 0; place < newestKept; place++) {
      if (runs[place] !== run) continue;
      const grant = this.#grants[place];
      runs[place] = undefined;
      this.#grants[place] = undefined;
      // The place just left is the next to be filled, so that short calls displace no long ones.
      this.#next = place;
      return grant;
    }
    const grant = this.#older.get(run);
    if (grant !== undefined) this.#older.delete(run);
    return grant;
  }
}

function both(first: RateLimitGrant, second: RateLimitGrant): RateLimitGrant {
  return {
    granted: true,
    commit: async () => {
      await Promise.all([first.commit(), second.commit()]);
    },
    giveBack: async () => {
      await Promise.all([first.giveBack(), second.giveBack()]);
    },
  };
}
