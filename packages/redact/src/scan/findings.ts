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

/** Rows of start, end and kind, in order. Those that overlap are one, of the kind with the lowest number. */
export function disjoint(rows: readonly number[]): Range[] {
  const order: number[] = [];
  let isInOrder = true;
  for (let row = 0; row < rows.length; row += 3) {
    if (row > 0 && (rows[row] as number) < (rows[row - 3] as number)) isInOrder = false;
    order.push(row);
  }
  if (!isInOrder) order.sort((a, b) => (rows[a] as number) - (rows[b] as number));
  const merged: { start: number; end: number; kind: number }[] = [];
  let last = { start: 0, end: -1, kind: 0 };
  for (const row of order) {
    const start = rows[row] as number;
    const end = rows[row + 1] as number;
    const kind = rows[row + 2] as number;
    if (start >= last.end) {
      last = { start, end, kind };
      merged.push(last);
    } else {
      last.end = Math.max(last.end, end);
      last.kind = Math.min(last.kind, kind);
    }
  }
  return merged;
}
