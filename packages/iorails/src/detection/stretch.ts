/** A part of a text, as UTF-16 offsets. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** All that a pattern finds. */
export function stretches(text: string, found: RegExp): Stretch[] {
  return Array.from(text.matchAll(found), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
}
