/** Something that was found, in UTF-16 units of the text. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

export type Report = (kind: number, start: number, end: number) => void;

/** The same while it is looked for; kinds are numbers. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly kind: number;
}

/** Rows of start, end and kind, as ranges in order. Those that overlap are one, of the kind with the lowest number. */
export function disjoint(rows: readonly number[]): Range[] {
  const order = orderOf(rows);
  const merged = new Merged();
  for (let index = 0; index < rows.length / 3; index++) {
    const row = order?.[index] ?? 3 * index;
    merged.add(rows[row] as number, rows[row + 1] as number, rows[row + 2] as number);
  }
  return merged.ranges;
}

/** The same of two lists, each disjoint and in order. */
export function united(some: Range[], others: readonly Range[]): Range[] {
  if (others.length === 0) return some;
  const merged = new Merged();
  let at = 0;
  for (const { start, end, kind } of others) {
    for (; at < some.length && (some[at] as Range).start <= start; at++)
      merged.addRange(some[at] as Range);
    merged.add(start, end, kind);
  }
  for (; at < some.length; at++) merged.addRange(some[at] as Range);
  return merged.ranges;
}

class Merged {
  readonly ranges: Range[] = [];
  #last: { start: number; end: number; kind: number } = { start: 0, end: -1, kind: 0 };

  /** In the order of the starts. */
  add(start: number, end: number, kind: number): void {
    const last = this.#last;
    if (start >= last.end) {
      this.#last = { start, end, kind };
      this.ranges.push(this.#last);
      return;
    }
    if (end > last.end) last.end = end;
    if (kind < last.kind) last.kind = kind;
  }

  addRange({ start, end, kind }: Range): void {
    this.add(start, end, kind);
  }
}

/** The places of the rows by where they start; nothing if that is how they stand. */
function orderOf(rows: readonly number[]): ArrayLike<number> | undefined {
  let row = 3;
  while (row < rows.length && (rows[row] as number) >= (rows[row - 3] as number)) row += 3;
  if (row >= rows.length) return undefined;
  const count = rows.length;
  // One number for each, the start before the place: sorting these needs no call for each comparison.
  const order = new Float64Array(count / 3);
  for (let at = 0; at < count; at += 3) order[at / 3] = (rows[at] as number) * count + at;
  return order.sort().map((each) => each % count);
}

/** The number of the first finding that ends behind a place. */
export function firstBehind(found: readonly Range[], at: number): number {
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle] as Range).end <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
