/** Something that was found, in UTF-16 units of the text. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

export type Report = (kind: number, start: number, end: number) => void;

/** The same while it is looked for, as rows of numbers: an object for each takes longer than to find most. Kinds are numbers. */
export class Ranges {
  readonly #rows: number[] = [];
  #isOrdered = true;

  get length(): number {
    return this.#rows.length / 3;
  }

  /** Where one starts; beyond every text for one behind the last. */
  start(index: number): number {
    return this.#rows[3 * index] ?? Number.POSITIVE_INFINITY;
  }

  end(index: number): number {
    return this.#rows[3 * index + 1] ?? Number.POSITIVE_INFINITY;
  }

  kind(index: number): number {
    return this.#rows[3 * index + 2] as number;
  }

  /** One that overlaps the one before it is one with it, of the kind with the lower number. */
  add(start: number, end: number, kind: number): void {
    const rows = this.#rows;
    const last = rows.length - 3;
    if (last >= 0 && start < (rows[last + 1] as number)) {
      if (start >= (rows[last] as number)) {
        if (end > (rows[last + 1] as number)) rows[last + 1] = end;
        if (kind < (rows[last + 2] as number)) rows[last + 2] = kind;
        return;
      }
      this.#isOrdered = false;
    }
    rows.push(start, end, kind);
  }

  /** Makes one, of those that are disjoint and in order, longer by another that overlaps it and no other. False if none does. */
  grow(index: number, start: number, end: number, kind: number): boolean {
    const rows = this.#rows;
    const row = 3 * index;
    if (end <= this.start(index) || start >= this.end(index)) return false;
    if (end > this.start(index + 1) || (index > 0 && start < this.end(index - 1))) return false;
    if (start < (rows[row] as number)) rows[row] = start;
    if (end > (rows[row + 1] as number)) rows[row + 1] = end;
    if (kind < (rows[row + 2] as number)) rows[row + 2] = kind;
    return true;
  }

  /** The same, disjoint and in order. */
  disjoint(): Ranges {
    if (this.#isOrdered) return this;
    const ordered = new Ranges();
    const count = this.length;
    // One number for each, the start before the place: sorting these needs no call for each comparison.
    const order = new Float64Array(count);
    for (let index = 0; index < count; index++) order[index] = this.start(index) * count + index;
    for (const each of order.sort()) ordered.#addOf(this, each % count);
    return ordered;
  }

  /** Those of this and of others, both disjoint and in order. */
  with(others: Ranges): Ranges {
    if (others.length === 0) return this;
    if (this.length === 0) return others;
    const all = new Ranges();
    let at = 0;
    for (let other = 0; other < others.length; other++) {
      for (; this.start(at) <= others.start(other); at++) all.#addOf(this, at);
      all.#addOf(others, other);
    }
    for (; at < this.length; at++) all.#addOf(this, at);
    return all;
  }

  /** The number of the first one that ends behind a place, of those that are disjoint and in order. */
  firstBehind(at: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end(middle) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #addOf(others: Ranges, index: number): void {
    this.add(others.start(index), others.end(index), others.kind(index));
  }
}
