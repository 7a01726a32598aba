import type { Meter } from "./meter.js";

/** Times are counted in whole 1,024ths of a millisecond: sums of whole numbers never drift. */
const ticksPerMs = 1_024;
/** Beyond it, sums would no longer be exact. */
const mostMoved = 2 ** 51;

/**
 * The generic cell rate algorithm (ITU-T I.371, annex A), as a virtual schedule.
 *
 * Lets `burst` through at once and then one for every `windowMs / limit`, so up
 * to `burst + limit` in one window. Spacing is rounded up to a tick: a rate
 * above 1,024 a millisecond is held to that.
 */
export class Gcra implements Meter {
  readonly most: number;
  readonly longestHoldMs: number;
  readonly #ticksPerUnit: number;
  readonly #tolerance: number;
  /** Row by row the tick at which everything taken is paid off. */
  #paidOff = new Float64Array(0);
  /** Row by row by how much give-backs have moved later takings forward. Never reset: marks outlive keys. */
  #moved = new Float64Array(0);

  constructor(limit: number, windowMs: number, burst: number) {
    this.most = burst;
    this.#ticksPerUnit = Math.ceil((windowMs * ticksPerMs) / limit);
    this.#tolerance = burst * this.#ticksPerUnit;
    this.longestHoldMs = this.#tolerance / ticksPerMs;
  }

  grow(rows: number): void {
    const paidOff = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY, this.#paidOff.length);
    paidOff.set(this.#paidOff);
    this.#paidOff = paidOff;
    const moved = new Float64Array(rows);
    moved.set(this.#moved);
    this.#moved = moved;
  }

  wait(row: number, now: number, units: number): number {
    const tick = tickOf(now);
    const base = Math.max(this.#paidOff[row] as number, tick);
    const excess = base + units * this.#ticksPerUnit - tick - this.#tolerance;
    if (excess <= 0) return 0;
    return units > this.most ? Number.POSITIVE_INFINITY : excess / ticksPerMs;
  }

  take(row: number, now: number, units: number): number {
    const base = Math.max(this.#paidOff[row] as number, tickOf(now));
    const paidOff = base + units * this.#ticksPerUnit;
    this.#paidOff[row] = paidOff;
    return paidOff + (this.#moved[row] as number);
  }

  /**
   * Gives back only what time has not paid off yet: giving back more would be a
   * gift to later calls. The last taking, and takings in the order they were
   * taken, are given back whole. One that is given back after a later one,
   * while a still later one stands, may get less.
   */
  giveBack(row: number, now: number, units: number, mark: number): void {
    const paidOff = this.#paidOff[row] as number;
    const moved = this.#moved[row] as number;
    const isLast = mark === paidOff + moved;
    const end = isLast ? paidOff : mark - moved;
    const unpaid = Math.min(units * this.#ticksPerUnit, end - tickOf(now));
    if (unpaid <= 0) return;
    if (!isLast) {
      if (moved > mostMoved) return;
      this.#moved[row] = moved + unpaid;
    }
    this.#paidOff[row] = paidOff - unpaid;
  }

  heldUntil(row: number): number {
    return (this.#paidOff[row] as number) / ticksPerMs;
  }
}

function tickOf(now: number): number {
  return Math.floor(now * ticksPerMs);
}
