import type { Source } from "../text/source.js";
import type { Range } from "./findings.js";
import { isFold } from "./folds.js";

/** No word before an item says anything of it from farther away, and no value stands farther behind its word. */
const reach = 208;

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
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  note(start: number, end: number): void {
    const last = this.ends.length - 1;
    if (last >= 0 && start - (this.ends[last] as number) < reach) {
      if (end > (this.ends[last] as number)) this.ends[last] = end;
      return;
    }
    this.starts.push(start);
    this.ends.push(end);
  }
}

/**
 * The windows around some places.
 *
 * They begin and end at a line break or at `"`, which stand in no item but a private key. Of what was found already
 * nothing is cut.
 */
export function windowsAround(
  source: Source,
  places: Places,
  found: readonly Range[],
): readonly Window[] {
  const windows: { from: number; first: number; last: number; to: number }[] = [];
  let passed = 0;
  for (const [index, start] of places.starts.entries()) {
    const end = places.ends[index] as number;
    const previous = windows.at(-1);
    if (previous !== undefined && end + reach < previous.last) continue;
    const isNew = previous === undefined || start >= previous.to;
    let first = isNew ? breakBefore(source, start) : previous.first;
    while ((found[passed]?.end ?? first) < first) passed += 1;
    first = Math.min(first, found[passed]?.start ?? first);
    const from = breakBefore(source, first - reach);
    const last = breakAfter(source, end) + reach;
    const to = breakAfter(source, last);
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

function breakBefore({ units }: Source, at: number): number {
  let place = Math.max(at, 0);
  while (place > 0 && !isBreak(units, place)) place -= 1;
  return place;
}

function breakAfter({ units, length }: Source, at: number): number {
  let place = Math.min(at, length);
  while (place < length && !isBreak(units, place)) place += 1;
  return Math.min(place + 1, length);
}

/** The same window with more behind it, for an item that goes on at its end. */
export function widened(source: Source, window: Window): Window {
  const last = window.to + 80 * reach;
  return { ...window, last, to: breakAfter(source, last) };
}
