import type { Meter } from "./meter.js";
import { partsOf } from "./terms.js";

/**
 * The conservative limit: counts by parts of the window, and forgets a part
 * only when all of it is older than the window.
 *
 * Never over; a call counts for up to one part longer than the window. Its
 * memory for a key does not depend on the limit.
 */
export class SubWindows implements Meter {
  readonly most: number;
  readonly longestHoldMs: number;
  readonly #mostCounted: number;
  readonly #parts: number;
  readonly #widthMs: number;
  /** Row by row a ring of one more count than the window has parts. */
  #counts: Uint16Array | Uint32Array;
  #used: Uint16Array | Uint32Array;
  /** The number of the newest part since the clock's zero, and its place in the ring. */
  #newest = new Float64Array(0);
  #place = new Uint8Array(0);
  /** The part that is now, for every row, and the instant at which it ends. */
  #present = Number.NEGATIVE_INFINITY;
  #presentEnds = Number.NEGATIVE_INFINITY;

  /** Counts go up to `mostCounted`, where more is taken than would fit. */
  constructor(limit: number, windowMs: number, mostCounted = limit) {
    const { parts, widthMs } = partsOf(windowMs);
    this.most = limit;
    this.#mostCounted = mostCounted;
    this.longestHoldMs = (parts + 1) * widthMs;
    this.#parts = parts;
    this.#widthMs = widthMs;
    this.#counts = this.#zeros(0);
    this.#used = this.#zeros(0);
  }

  grow(rows: number): void {
    const old = this.#newest.length;
    const counts = this.#zeros(rows * (this.#parts + 1));
    counts.set(this.#counts);
    this.#counts = counts;
    const used = this.#zeros(rows);
    used.set(this.#used);
    this.#used = used;
    const newest = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY, old);
    newest.set(this.#newest);
    this.#newest = newest;
    const place = new Uint8Array(rows);
    place.set(this.#place);
    this.#place = place;
  }

  wait(row: number, now: number, units: number): number {
    this.#turn(row, now);
    let excess = (this.#used[row] as number) + units - this.most;
    if (excess <= 0) return 0;
    if (units > this.most) return Number.POSITIVE_INFINITY;
    let age = this.#parts + 1;
    while (excess > 0) {
      age -= 1;
      excess -= this.#counts[this.#at(row, age)] as number;
    }
    return ((this.#newest[row] as number) - age + this.#parts + 1) * this.#widthMs - now;
  }

  take(row: number, now: number, units: number): number {
    this.#turn(row, now);
    const at = this.#at(row, 0);
    this.#counts[at] = (this.#counts[at] as number) + units;
    this.#used[row] = (this.#used[row] as number) + units;
    return this.#newest[row] as number;
  }

  giveBack(row: number, now: number, units: number, mark: number): void {
    this.#turn(row, now);
    const age = (this.#newest[row] as number) - mark;
    if (age > this.#parts) return;
    const at = this.#at(row, age);
    this.#counts[at] = (this.#counts[at] as number) - units;
    this.#used[row] = (this.#used[row] as number) - units;
  }

  heldUntil(row: number): number {
    if (this.#used[row] === 0) return Number.NEGATIVE_INFINITY;
    let age = 0;
    while (this.#counts[this.#at(row, age)] === 0) age += 1;
    return ((this.#newest[row] as number) - age + this.#parts + 1) * this.#widthMs;
  }

  /** Counts are bounded, so that half the memory does for most limits. */
  #zeros(length: number): Uint16Array | Uint32Array {
    return this.#mostCounted < 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length);
  }

  /** Bring the row to the part that is now, forgetting the parts that fell out of the window. */
  #turn(row: number, now: number): void {
    if (now >= this.#presentEnds) this.#goOn(now);
    const part = this.#present;
    const passed = part - (this.#newest[row] as number);
    if (passed === 0) return;
    this.#newest[row] = part;
    if (passed > this.#parts) {
      this.#used[row] = 0;
      this.#counts.fill(0, row * (this.#parts + 1), (row + 1) * (this.#parts + 1));
      return;
    }
    for (let step = 0; step < passed; step++) {
      this.#place[row] = this.#place[row] === this.#parts ? 0 : (this.#place[row] as number) + 1;
      const at = this.#at(row, 0);
      this.#used[row] = (this.#used[row] as number) - (this.#counts[at] as number);
      this.#counts[at] = 0;
    }
  }

  #goOn(now: number): void {
    // Whole milliseconds make the division exact enough that no part ends early.
    this.#present = Math.floor(Math.floor(now) / this.#widthMs);
    this.#presentEnds = (this.#present + 1) * this.#widthMs;
  }

  #at(row: number, age: number): number {
    const size = this.#parts + 1;
    const place = (this.#place[row] as number) - age;
    return row * size + (place < 0 ? place + size : place);
  }
}
