import type { RateLimitGrant } from "./store.js";

const listed = 8;

/**
 * The grants that runs hold, by the run itself and not by its id.
 *
 * The newest is in two fields, since most calls are over before another begins;
 * the few before it are in a list, since a WeakMap costs more than the rest of a
 * decision. The others are in a WeakMap: a run that is dropped takes its entry along.
 */
export class HeldGrants {
  #newest: object | undefined;
  #grant: RateLimitGrant | undefined;
  readonly #runs = new Array<object | undefined>(listed).fill(undefined);
  readonly #grants = new Array<RateLimitGrant | undefined>(listed).fill(undefined);
  #count = 0;
  #older: WeakMap<object, RateLimitGrant> | undefined;

  /** A run that is let through twice holds both grants, and ends both. */
  add(run: object, grant: RateLimitGrant): void {
    const before = this.remove(run);
    if (this.#grant !== undefined) this.#list(this.#newest as object, this.#grant);
    this.#newest = run;
    this.#grant = before === undefined ? grant : both(before, grant);
  }

  /** Gives what the run holds, once. */
  remove(run: object): RateLimitGrant | undefined {
    if (run !== this.#newest) return this.#removeBefore(run);
    const grant = this.#grant;
    this.#newest = undefined;
    this.#grant = undefined;
    return grant;
  }

  #removeBefore(run: object): RateLimitGrant | undefined {
    for (let place = this.#count - 1; place >= 0; place--) {
      if (this.#runs[place] === run) return this.#takeOut(place);
    }
    const grant = this.#older?.get(run);
    if (grant !== undefined) this.#older?.delete(run);
    return grant;
  }

  #list(run: object, grant: RateLimitGrant): void {
    if (this.#count === listed) {
      const displaced = this.#runs[0] as object;
      this.#older ??= new WeakMap();
      this.#older.set(displaced, this.#takeOut(0));
    }
    this.#runs[this.#count] = run;
    this.#grants[this.#count] = grant;
    this.#count += 1;
  }

  #takeOut(place: number): RateLimitGrant {
    const runs = this.#runs;
    const grants = this.#grants;
    const grant = grants[place] as RateLimitGrant;
    const last = this.#count - 1;
    for (let index = place; index < last; index++) {
      runs[index] = runs[index + 1];
      grants[index] = grants[index + 1];
    }
    runs[last] = undefined;
    grants[last] = undefined;
    this.#count = last;
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
