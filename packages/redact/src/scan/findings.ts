/** Something that was found, in UTF-16 units of the text. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

export type Report = (kind: number, start: number, end: number) => void;

/** Rows of start, end and kind, as findings in order. Those that overlap are one, of the kind with the lowest number. */
export function disjoint(rows: readonly number[], kinds: readonly string[]): Finding[] {
  const order = Array.from({ length: rows.length / 3 }, (_, index) => index * 3);
  order.sort((a, b) => (rows[a] as number) - (rows[b] as number));
  const merged: { start: number; end: number; kind: number }[] = [];
  for (const row of order) {
    const [start, end, kind] = [rows[row], rows[row + 1], rows[row + 2]] as [
      number,
      number,
      number,
    ];
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) merged.push({ start, end, kind });
    else {
      last.end = Math.max(last.end, end);
      last.kind = Math.min(last.kind, kind);
    }
  }
  return merged.map(({ start, end, kind }) => ({ start, end, kind: kinds[kind] as string }));
}
