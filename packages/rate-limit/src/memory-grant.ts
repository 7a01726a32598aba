import type { RateLimitGrant } from "./store.js";

/** The keeper of a grant's row. */
export interface GrantKeeper {
  /** The tool ran: only the place among the open calls is free again. */
  readonly close: (row: number) => void;
  /** The tool did not run: nothing was used. */
  readonly giveBack: (
    row: number,
    units: number,
    mark: number,
    more: readonly number[] | undefined,
  ) => void;
}

/** The units that a call took from a row, with a mark of each limit's. It ends once. */
export class MemoryGrant implements RateLimitGrant {
  readonly granted = true;
  readonly #row: number;
  readonly #units: number;
  readonly #mark: number;
  readonly #more: readonly number[] | undefined;
  #store: GrantKeeper | undefined;

  constructor(
    store: GrantKeeper,
    row: number,
    units: number,
    mark: number,
    more: readonly number[] | undefined,
  ) {
    this.#store = store;
    this.#row = row;
    this.#units = units;
    this.#mark = mark;
    this.#more = more;
  }

  commit(): void {
    const store = this.#store;
    this.#store = undefined;
    store?.close(this.#row);
  }

  giveBack(): void {
    const store = this.#store;
    this.#store = undefined;
    store?.giveBack(this.#row, this.#units, this.#mark, this.#more);
  }
}

/** The grant of a call that costs nothing and needs no place. */
export const nothingTaken: RateLimitGrant = Object.freeze({
  granted: true,
  commit: () => {},
  giveBack: () => {},
});
