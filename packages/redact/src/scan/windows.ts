import type { Source } from "../text/source.js";
import type { Ranges } from "./findings.js";
import { isFold } from "./folds.js";

/** No word before an item says anything of it from farther away, and no value stands farther behind its word. */
export const reach = 208;

/**
 * A part of a text that is read again in another form.
 *
 * What is read goes from `from` to `to`; only what is found between `first` and `last` counts, for nearer to its ends
 * something may be found that the text around it forbids.
 */
export interface Window {
  readonly from: number;
  readonly first: number;
  readonly last: number;
  readonly to: number;
}

/** Places in a text, in order; near ones are one. */
export class Places {
  readonly #near: number;
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  constructor(near: number) {
    this.#near = near;
  }

  note(start: number, end: number): void {
    const last = this.ends.length - 1;
    if (last >= 0 && start - (this.ends[last] as number) < this.#near) {
      if (end > (this.ends[last] as number)) this.ends[last] = end;
      if (start < (this.starts[last] as number)) this.starts[last] = start;
      return;
    }
    this.starts.push(start);
    this.ends.push(end);
  }

  get length(): number {
    return this.starts.length;
  }
}

/** Rows of start and end, in the order of the starts, asked for ascending places. */
export class Reaching {
  readonly #rows: readonly number[];
  #row = 0;
  #to = -1;

  constructor(rows: readonly number[]) {
    this.#rows = rows;
  }

  /** True if one begins before a place and reaches it. */
  into(at: number): boolean {
    for (; this.#row < this.#rows.length && (this.#rows[this.#row] as number) < at; this.#row += 2)
      this.#to = Math.max(this.#to, this.#rows[this.#row + 1] as number);
    return this.#to >= at;
  }
}

/** No mark changes how what stands farther away is read: as far, the end of a private key is looked for. */
const farAway = 128 * reach;

/**
 * The windows around some places.
 *
 * They begin and end at a line break or at `"`, which stand in no item but a private key, or far from the places where
 * a margin is read. Of what was found already nothing is cut.
 *
 * @param margin - so much is read before and behind. Default: as far as a word says anything.
 */
export function windowsAround(
  source: Source,
  places: Places,
  found: Ranges,
  margin = reach,
): readonly Window[] {
  const windows: (Window & { last: number; to: number })[] = [];
  const most = margin > 0 ? farAway : source.length;
  let passed = 0;
  for (const [index, start] of places.starts.entries()) {
    const end = places.ends[index] as number;
    const previous = windows.at(-1);
    if (previous !== undefined && end + margin < previous.last) continue;
    const isNew = previous === undefined || start >= previous.to;
    let first = isNew ? breakBefore(source, start, most) : previous.first;
    while (found.end(passed) < first) passed += 1;
    first = Math.min(first, found.start(passed));
    const from = breakBefore(source, first - margin, most);
    const last = breakAfter(source, end, most) + margin;
    const to = margin > 0 ? breakAfter(source, last, most) : last;
    if (isNew && from >= (previous?.to ?? 0)) windows.push({ from, first, last, to });
    else if (previous !== undefined) {
      previous.last = last;
      previous.to = to;
    }
  }
  return windows;
}

/** A `"`, or a line break that no `\\` or `=` before it escapes and that is not inside of a block of base64. */
function isBreak(units: Uint16Array, at: number): boolean {
  const code = units[at];
  if (code === 34) return true;
  if (code !== 10) return false;
  const previous = units[at - 1] === 13 ? units[at - 2] : units[at - 1];
  return previous !== 61 && previous !== 92 && !isFold(units, at);
}

/** @param most - the units that are passed over at most. Default: all. */
function breakBefore({ units }: Source, at: number, most = at): number {
  let place = Math.max(at, 0);
  const least = Math.max(at - most, 0);
  while (place > least && !isBreak(units, place)) place -= 1;
  return place;
}

function breakAfter({ units, length }: Source, at: number, most = length): number {
  let place = Math.min(at, length);
  const end = Math.min(at + most, length);
  while (place < end && !isBreak(units, place)) place += 1;
  return Math.min(place + 1, length);
}

/** The same window with as much behind it, and before it if so asked, as a word reaches. */
export function withMargin(source: Source, window: Window, before: boolean): Window {
  const last = window.last + reach;
  const from = before ? breakBefore(source, window.first - reach) : window.from;
  return { ...window, from, last, to: breakAfter(source, last) };
}

/** The same window with more behind it, for an item that goes on at its end. */
export function widened(source: Source, window: Window, more: number): Window {
  const last = window.to + more;
  return { ...window, last, to: breakAfter(source, last) };
}
