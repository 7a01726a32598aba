/**
 * Counts one limit, for every key at once. A key is a row.
 *
 * Times are the store's, which never go back. All state is in arrays by row,
 * so that a key costs bytes and no objects.
 */
export interface Meter {
  /** The most units that can ever fit. */
  readonly most: number;
  /** The longest, in milliseconds, that a row can hold what was just taken. */
  readonly longestHoldMs: number;
  /** Make room for rows below this number. */
  readonly grow: (rows: number) => void;
  /** 0 if the units fit now, else the milliseconds until they may, `Infinity` for more than `most`. */
  readonly wait: (row: number, now: number, units: number) => number;
  /** Take units that fit, also where `wait` was not asked. The mark is what they are given back by. */
  readonly take: (row: number, now: number, units: number) => number;
  /** Take back what of these units still counts. Called once for a mark. */
  readonly giveBack: (row: number, now: number, units: number, mark: number) => void;
  /** The instant from which the row holds nothing. */
  readonly heldUntil: (row: number) => number;
  /** Empty a row that holds nothing any more, and free its memory: it is another key's from here on. */
  readonly release?: ((row: number) => void) | undefined;
}
