import { markOpens } from "../text/marks.js";
import type { Source } from "../text/source.js";
import type { Ranges } from "./findings.js";

const mark = Uint16Array.from(`${markOpens}]`, (sign) => sign.charCodeAt(0));

/** The most units of a part of a text with a mark in place of each finding. */
export function mostMasked(from: number, to: number, found: Ranges): number {
  return to - from + mark.length * (found.firstBehind(to) + 1 - found.firstBehind(from));
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
  found: Ranges,
  into: Source,
  starts: Uint32Array,
): void {
  const out = into.room(mostMasked(from, to, found));
  let size = 0;
  let at = from;
  for (let index = found.firstBehind(from); at < to; index++) {
    const next = Math.min(to, found.start(index));
    for (; at < next; at++) {
      out[size] = units[at] as number;
      starts[size] = at;
      size += 1;
    }
    if (at >= to) break;
    for (const unit of mark) {
      out[size] = unit;
      starts[size] = next;
      size += 1;
    }
    at = found.end(index);
  }
  starts[size] = at;
  into.close(size);
}
