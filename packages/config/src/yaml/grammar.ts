import type { MappingEvent, ScalarEvent, SequenceEvent } from "js-yaml";

// What YAML's grammar asks, and the parser does not.

/** True if a block begins a line, or stands behind marks of lists. The parser also takes one behind an anchor. */
export function beginsBlock(text: string, offset: number): boolean {
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  return /^\ufeff?(?: |-[ \t])*$/.test(text.slice(line, offset));
}

/** The column of a place, from 1 on. */
export function columnOf(text: string, offset: number): number {
  return offset - text.lastIndexOf("\n", offset - 1);
}

/** The place behind an anchor or a tag where a space is missing. */
export function missingSpace(
  text: string,
  { anchorEnd, tagEnd }: ScalarEvent | SequenceEvent | MappingEvent,
): number | undefined {
  if (anchorEnd < 0 && tagEnd < 0) return undefined;
  return [anchorEnd, tagEnd].find(
    (end) => end >= 0 && !/^(?:[\s,\]}]|$)/.test(text.slice(end, end + 1)),
  );
}

/** Readers differ about signs in the names of anchors, as in `&a: b`. */
export function isAnchorName(name: string): boolean {
  return /^[\p{L}\p{N}_.-]+$/u.test(name);
}
