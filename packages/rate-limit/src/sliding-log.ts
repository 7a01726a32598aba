import type { Meter } from "./meter.js";

/** Most rows hold few calls: a ring starts small and doubles up to the limit. */
const firstRing = 4;
/** A wait is looked for among this many of the oldest calls; beyond it, it is the earliest possible. */
const furthestLook = 32;

/**
 * The exact limit: remembers when each call of the window ceases to count.
 *
 * Its memory for a key is two words and a ring of at most `limit` times.
 */
export class SlidingLog implements Meter {
  readonly most: number;
  readonly longestHoldMs: number;
  readonly #windowMs: number;
  /** Row by row a ring of the instants, in order, at which a call ceases to count. */
  readonly #ends: (number[] | undefined)[] = [];
  /** The same ring of the units each call took. Absent where each takes one. */
  readonly #weights: (number[] | undefined)[] | undefined;
  #first = new Uint32Array(0);
  #count = new Uint32Array(0);
  #used = new Uint32Array(0);

  constructor(limit: number, windowMs: number, weighted: boolean) {
    this.most = limit;
    this.longestHoldMs = windowMs;
    this.#windowMs = windowMs;
    this.#weights = weighted ? [] : undefined;
  }

  grow(rows: number): void {
    this.#first = grown(this.#first, rows);
    this.#count = grown(this.#count, rows);
    this.#used = this.#weights === undefined ? this.#count : grown(this.#used, rows);
  }

  wait(row: number, now: number, units: number): number {
    this.#forgetEnded(row, now);
    const excess = (this.#used[row] as number) + units - this.most;
    if (excess <= 0) return 0;
    return units > this.most ? Number.POSITIVE_INFINITY : this.#untilFreed(row, now, excess);
  }

  take(row: number, now: number, units: number): number {
    const end = now + this.#windowMs;
    if (units === 0) return end;
    let ring = this.#ends[row];
    // A full ring can take no more: what ended in it would be overwritten and still be counted.
    if (ring !== undefined && this.#count[row] === ring.length) this.#forgetEnded(row, now);
    const count = this.#count[row] as number;
    if (ring === undefined || count === ring.length) ring = this.#enlarge(row, ring);
    let at = (this.#first[row] as number) + count;
    if (at >= ring.length) at -= ring.length;
    ring[at] = end;
    this.#count[row] = count + 1;
    if (this.#weights !== undefined) {
      (this.#weights[row] as number[])[at] = units;
      this.#used[row] = (this.#used[row] as number) + units;
    }
    return end;
  }

  giveBack(row: number, now: number, units: number, mark: number): void {
    if (units === 0 || mark <= now) return;
    const ring = this.#ends[row] as number[];
    const weights = this.#weights?.[row];
    const first = this.#first[row] as number;
    const last = first + (this.#count[row] as number) - 1;
    // Those that ended together are told apart by their weight alone.
    let place = last;
    while (
      place >= first &&
      (ring[place % ring.length] !== mark ||
        (weights !== undefined && weights[place % ring.length] !== units))
    ) {
      place -= 1;
    }
    if (place < first) return;
    for (; place < last; place++) {
      ring[place % ring.length] = ring[(place + 1) % ring.length] as number;
      if (weights !== undefined) {
        weights[place % ring.length] = weights[(place + 1) % ring.length] as number;
      }
    }
    this.#count[row] = last - first;
    if (weights !== undefined) this.#used[row] = (this.#used[row] as number) - units;
  }

  heldUntil(row: number): number {
    const count = this.#count[row] as number;
    if (count === 0) return Number.NEGATIVE_INFINITY;
    const ring = this.#ends[row] as number[];
    return ring[((this.#first[row] as number) + count - 1) % ring.length] as number;
  }

  release(row: number): void {
    this.#first[row] = 0;
    this.#count[row] = 0;
    this.#used[row] = 0;
    if ((this.#ends[row]?.length ?? 0) <= firstRing) return;
    this.#ends[row] = undefined;
    if (this.#weights !== undefined) this.#weights[row] = undefined;
  }

  #forgetEnded(row: number, now: number): void {
    let count = this.#count[row] as number;
    if (count === 0) return;
    const ring = this.#ends[row] as number[];
    let first = this.#first[row] as number;
    if ((ring[first] as number) > now) return;
    const weights = this.#weights?.[row];
    let freed = 0;
    do {
      if (weights !== undefined) freed += weights[first] as number;
      first = first + 1 === ring.length ? 0 : first + 1;
      count -= 1;
    } while (count > 0 && (ring[first] as number) <= now);
    this.#first[row] = first;
    this.#count[row] = count;
    if (weights !== undefined) this.#used[row] = (this.#used[row] as number) - freed;
  }

  #untilFreed(row: number, now: number, excess: number): number {
    const ring = this.#ends[row] as number[];
    const weights = this.#weights?.[row];
    let at = this.#first[row] as number;
    let freed = weights === undefined ? 1 : (weights[at] as number);
    for (let looked = 1; freed < excess && looked < furthestLook; looked++) {
      at = at + 1 === ring.length ? 0 : at + 1;
      freed += weights === undefined ? 1 : (weights[at] as number);
    }
    return (ring[at] as number) - now;
  }

  #enlarge(row: number, ring: number[] | undefined): number[] {
    const size = Math.min(this.most, ring === undefined ? firstRing : ring.length * 2);
    const first = this.#first[row] as number;
    const larger = unrolled(ring, first, size);
    if (this.#weights !== undefined) {
      this.#weights[row] = unrolled(this.#weights[row], first, size);
    }
    this.#ends[row] = larger;
    this.#first[row] = 0;
    return larger;
  }
}

/** A full ring from its first entry on, in a larger one. */
function unrolled(ring: number[] | undefined, first: number, size: number): number[] {
  // A fraction makes the engine keep plain doubles: 8 bytes each and no header of a typed array.
  const larger = new Array<number>(size).fill(0.5);
  if (ring === undefined) return larger;
  for (let index = 0; index < ring.length; index++) {
    larger[index] = ring[(first + index) % ring.length] as number;
  }
  return larger;
}

function grown(array: Uint32Array<ArrayBuffer>, rows: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(rows);
  larger.set(array);
  return larger;
}
