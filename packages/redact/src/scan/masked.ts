import { markOpens } from "../text/marks.js";
import type { Source } from "../text/source.js";
import { firstBehind, type Range } from "./findings.js";

const mark = Uint16Array.from(`${markOpens}]`, (sign) => sign.charCodeAt(0));

/** The most units of a part of a text with a mark in place of each finding. */
export function mostMasked(from: number, to: number, found: readonly Range[]): number {
  return to - from + mark.length * (firstBehind(found, to) + 1 - firstBehind(found, from));
}

/**
 * Writes a part of a text with a mark in place of each finding.
 *
 * Unit `n` of what is written into `into` stands from `starts[n]` to `starts[n + 1]` in the text; all of a mark stands
 * where its finding begins.
 */
export function writeMasked(
  { units }: Source,
  from: number,
  to: number,
  found: readonly Range[],
  into: Source,
  starts: Uint32Array,
): void {
  const out = into.room(mostMasked(from, to, found));
  let size = 0;
  let at = from;
  for (let index = firstBehind(found, from); at < to; index++) {
    const next = found[index];
    for (const end = Math.min(to, next?.start ?? to); at < end; at++) {
      out[size] = units[at] as number;
      starts[size] = at;
      size += 1;
    }
    if (next === undefined || at >= to) break;
    for (const unit of mark) {
      out[size] = unit;
      starts[size] = next.start;
      size += 1;
    }
    at = next.end;
  }
  starts[size] = at;
  into.close(size);
}
