import { ExpiryWheel } from "./expiry-wheel.js";
import { ownCopy } from "./own-copy.js";
import type { RateLimitKey } from "./store.js";

/** The contents of the rows, as far as their keeper must know them. */
export interface RowContents {
  readonly grow: (rows: number) => void;
  /** The instant from which a row holds nothing; `Infinity` while it is not known. */
  readonly heldUntil: (row: number) => number;
  /** The row is another key's from here on. */
  readonly release: (row: number) => void;
}

const firstRows = 16;

/**
 * Gives each key a row, up to a fixed number of keys.
 *
 * A new key takes over the row of one that holds nothing any more; where all
 * hold something it gets none. So no key ever loses what it has used.
 */
export class KeyRows {
  readonly #maxKeys: number;
  readonly #contents: RowContents;
  readonly #wheel: ExpiryWheel;
  readonly #rowOf = new Map<RateLimitKey, number>();
  readonly #keys: RateLimitKey[] = [];
  #room = 0;

  constructor(maxKeys: number, longestHoldMs: number, contents: RowContents) {
    this.#maxKeys = maxKeys;
    this.#contents = contents;
    this.#wheel = new ExpiryWheel(longestHoldMs);
  }

  find(key: RateLimitKey): number | undefined {
    return this.#rowOf.get(key);
  }

  /** True if `claim` would find a row for a new key. */
  hasRoom(now: number): boolean {
    return this.#keys.length < this.#maxKeys || this.#idleRow(now) !== -1;
  }

  /** A row for a new key, to be placed once it has taken something; nothing where all rows are live. */
  claim(key: RateLimitKey, now: number): number | undefined {
    // A fresh row where one is there costs least; more are made only when none is idle.
    let row = this.#keys.length;
    if (row === this.#room) {
      const idle = this.#idleRow(now);
      if (idle !== -1) {
        this.#wheel.remove(idle);
        this.#rowOf.delete(this.#keys[idle]);
        this.#contents.release(idle);
        row = idle;
      } else if (row === this.#maxKeys) {
        return undefined;
      } else {
        this.#grow();
      }
    }
    const owned = key === undefined ? undefined : ownCopy(key);
    this.#keys[row] = owned;
    this.#rowOf.set(owned, row);
    return row;
  }

  /** Look at the row again when it ceases to hold what it holds now. Needed when that is sooner than it was. */
  place(row: number, now: number): void {
    const heldUntil = this.#contents.heldUntil(row);
    if (heldUntil !== Number.POSITIVE_INFINITY) this.#wheel.place(row, heldUntil, now);
  }

  /** A row that holds nothing, or -1. Rows used again since they were placed are put back on the way. */
  #idleRow(now: number): number {
    for (;;) {
      const row = this.#wheel.due(now);
      if (row === -1) return -1;
      const heldUntil = this.#contents.heldUntil(row);
      if (heldUntil <= now) return row;
      // A row with open calls is placed again when the last of them ends.
      if (heldUntil === Number.POSITIVE_INFINITY) this.#wheel.remove(row);
      else this.#wheel.putBack(row, heldUntil, now);
    }
  }

  #grow(): void {
    this.#room = Math.min(this.#maxKeys, Math.max(firstRows, this.#room * 2));
    this.#contents.grow(this.#room);
    this.#wheel.grow(this.#room);
  }
}
