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

/**
 * True for a value on a line of its own behind a comment that is indented less: some readers take the lines that follow
 * for more of it.
 */
export function isBehindOuterComment(text: string, value: number): boolean {
  let line = text.lastIndexOf("\n", value - 1) + 1;
  const before = /^( +)(?:[&!]\S*[ \t]+)*$/.exec(text.slice(line, value));
  const indent = before?.[1]?.length ?? 0;
  while (indent > 0 && line > 0) {
    const above = text.lastIndexOf("\n", line - 2) + 1;
    const [, spaces = "", rest = ""] = /^([ \t]*)(.*)$/.exec(text.slice(above, line - 1)) ?? [];
    if (rest !== "" && rest !== "\r" && !rest.startsWith("#")) return false;
    if (rest.startsWith("#") && spaces.length < indent) return true;
    line = above;
  }
  return false;
}
