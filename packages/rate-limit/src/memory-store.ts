import { ToolstileError } from "@toolstile/core/provider";
import { Gcra } from "./gcra.js";
import { KeyRows } from "./key-rows.js";
import { type GrantKeeper, MemoryGrant, nothingTaken } from "./memory-grant.js";
import type { Meter } from "./meter.js";
import { noRoom, Refusal, tooManyOpen } from "./refusal.js";
import { SlidingLog } from "./sliding-log.js";
import type {
  RateLimitGrant,
  RateLimitKey,
  RateLimitPolicy,
  RateLimitRefusal,
  RateLimitStore,
} from "./store.js";
import { SubWindows } from "./sub-windows.js";
import type { RateLimitTerms } from "./terms.js";

/** Milliseconds on either side of a clock's zero within which all sums are exact: 139 years. */
const furthestTime = 2 ** 42;

/** Counts in this process, and answers at once. */
export class MemoryStore implements RateLimitStore, GrantKeeper {
  readonly #meters: readonly Meter[];
  readonly #concurrency: number;
  readonly #countsOpen: boolean;
  readonly #rows: KeyRows;
  readonly #clock: () => number;
  #latest = Number.NEGATIVE_INFINITY;
  #open = new Uint32Array(0);

  constructor(
    policy: RateLimitPolicy,
    maxKeys: number,
    clock: () => number,
    meters: readonly Meter[] = policy.limits.map((terms) => meterOf(terms, policy.weighted)),
  ) {
    this.#meters = meters;
    this.#concurrency = policy.concurrency;
    this.#countsOpen = policy.concurrency !== Number.POSITIVE_INFINITY;
    this.#clock = clock;
    const holdMs = this.#meters.reduce((most, each) => Math.max(most, each.longestHoldMs), 0);
    this.#rows = new KeyRows(maxKeys, holdMs, {
      grow: (rows) => this.#grow(rows),
      heldUntil: (row) => this.#heldUntil(row),
      release: (row) => this.#release(row),
    });
  }

  peek(key: RateLimitKey, units: number): RateLimitRefusal | undefined {
    const now = this.#now();
    const row = this.#rows.find(key);
    if (row !== undefined) return this.#refusal(row, now, units);
    const never = this.#neverFits(units);
    if (never !== undefined) return never;
    return this.#takesNothing(units) || this.#rows.hasRoom(now) ? undefined : noRoom;
  }

  reserve(key: RateLimitKey, units: number): RateLimitGrant | RateLimitRefusal {
    const now = this.#now();
    const row = this.#rows.find(key);
    if (row === undefined) return this.#reserveForNew(key, now, units);
    const refusal = this.#refusal(row, now, units);
    if (refusal !== undefined) return refusal;
    return this.#takesNothing(units) ? nothingTaken : this.#take(row, now, units);
  }

  /** Count what was let through elsewhere, whether it fits or not. Nothing where no row is free. */
  record(key: RateLimitKey, units: number): RateLimitGrant | undefined {
    const now = this.#now();
    const known = this.#rows.find(key);
    const row = known ?? this.#rows.claim(key, now);
    if (row === undefined) return undefined;
    const grant = this.#take(row, now, units);
    if (known === undefined) this.#rows.place(row, now);
    return grant;
  }

  /** True if the key has a row. A key without one holds nothing. */
  knows(key: RateLimitKey): boolean {
    return this.#rows.find(key) !== undefined;
  }

  close(row: number): void {
    if (!this.#countsOpen) return;
    this.#open[row] = (this.#open[row] as number) - 1;
    this.#rows.place(row, this.#latest);
  }

  giveBack(row: number, units: number, mark: number, more: readonly number[] | undefined): void {
    const meters = this.#meters;
    // The latest time that any decision saw: whatever it still counts is there to be given back.
    const now = this.#latest;
    for (let index = 0; index < meters.length; index++) {
      const its = index === 0 ? mark : (more as readonly number[])[index - 1];
      (meters[index] as Meter).giveBack(row, now, units, its as number);
    }
    if (this.#countsOpen) {
      this.#open[row] = (this.#open[row] as number) - 1;
    }
    this.#rows.place(row, now);
  }

  #reserveForNew(key: RateLimitKey, now: number, units: number): RateLimitGrant | RateLimitRefusal {
    const never = this.#neverFits(units);
    if (never !== undefined) return never;
    if (this.#takesNothing(units)) return nothingTaken;
    const row = this.#rows.claim(key, now);
    if (row === undefined) return noRoom;
    const grant = this.#take(row, now, units);
    this.#rows.place(row, now);
    return grant;
  }

  #take(row: number, now: number, units: number): RateLimitGrant {
    const meters = this.#meters;
    const mark = meters[0] === undefined ? 0 : meters[0].take(row, now, units);
    let more: number[] | undefined;
    for (let index = 1; index < meters.length; index++) {
      more ??= [];
      more.push((meters[index] as Meter).take(row, now, units));
    }
    if (this.#countsOpen) {
      this.#open[row] = (this.#open[row] as number) + 1;
    }
    return new MemoryGrant(this, row, units, mark, more);
  }

  #refusal(row: number, now: number, units: number): RateLimitRefusal | undefined {
    const meters = this.#meters;
    for (let index = 0; index < meters.length; index++) {
      const wait = (meters[index] as Meter).wait(row, now, units);
      if (wait !== 0) return new Refusal("limit", index, wait);
    }
    if (!this.#countsOpen) return undefined;
    return (this.#open[row] as number) >= this.#concurrency ? tooManyOpen : undefined;
  }

  #neverFits(units: number): RateLimitRefusal | undefined {
    const meters = this.#meters;
    for (let index = 0; index < meters.length; index++) {
      if (units > (meters[index] as Meter).most) {
        return new Refusal("limit", index, Number.POSITIVE_INFINITY);
      }
    }
    return undefined;
  }

  #takesNothing(units: number): boolean {
    return units === 0 && !this.#countsOpen;
  }

  /** The clock, held still while it is behind its own highest reading. */
  #now(): number {
    const reading = this.#clock();
    // A date or a text compares like a number, and then adds up like a text.
    if (typeof reading !== "number" || !(Math.abs(reading) < furthestTime)) {
      throw wrongReading(reading);
    }
    if (reading > this.#latest) this.#latest = reading;
    return this.#latest;
  }

  #grow(rows: number): void {
    for (const meter of this.#meters) meter.grow(rows);
    if (!this.#countsOpen) return;
    const open = new Uint32Array(rows);
    open.set(this.#open);
    this.#open = open;
  }

  #heldUntil(row: number): number {
    if (this.#countsOpen && this.#open[row] !== 0) return Number.POSITIVE_INFINITY;
    let latest = Number.NEGATIVE_INFINITY;
    for (const meter of this.#meters) latest = Math.max(latest, meter.heldUntil(row));
    return latest;
  }

  #release(row: number): void {
    for (const meter of this.#meters) meter.release?.(row);
  }
}

function wrongReading(reading: unknown): ToolstileError {
  const received = typeof reading === "number" ? "a number out of range" : typeof reading;
  return new ToolstileError(
    "ERR_INVALID_OPTION",
    `rateLimit(): now must return milliseconds as a number, at most 139 years from its zero, received ${received}. For a date, return its getTime().`,
  );
}

function meterOf(terms: RateLimitTerms, weighted: boolean): Meter {
  const { limit, windowMs, burst } = terms;
  switch (terms.algorithm) {
    case "log":
      return new SlidingLog(limit, windowMs, weighted);
    case "sub-windows":
      return new SubWindows(limit, windowMs);
    case "gcra":
      return new Gcra(limit, windowMs, burst);
  }
}
