import { isWord } from "./classes.js";
import type { Source } from "./source.js";

/** The beginning of a mark, which stands in place of a finding. A mark is opaque: nothing is found in it, and nothing across it. */
export const markOpens = "[redacted";
export const longestMark = 96;

const opens = Uint16Array.from(markOpens, (sign) => sign.charCodeAt(0));
const mark =
  /\[redacted(?: ([a-z][a-z0-9_.]{0,47})(?: (?:\*[0-9A-Za-z]{1,4}|[0-9a-f]{16}|#[0-9A-Za-z]{1,24}))?)?\]/y;

/**
 * The end of the mark that begins at `at`; -1 if none does.
 *
 * Only kinds that exist make a mark: text that merely looks like one hides nothing.
 */
export function markEnd(text: string, at: number, kinds: ReadonlySet<string>): number {
  mark.lastIndex = at;
  const found = mark.exec(text);
  if (found === null || (found[1] !== undefined && !kinds.has(found[1]))) return -1;
  return mark.lastIndex;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** The places of all marks, in order. */
export function marksIn(text: string, kinds: ReadonlySet<string>): readonly Place[] {
  const marks: Place[] = [];
  for (let at = text.indexOf(markOpens); at >= 0; at = text.indexOf(markOpens, at + 1)) {
    const end = markEnd(text, at, kinds);
    if (end > at) marks.push({ start: at, end });
  }
  return marks;
}

/** True if a mark may begin at `at`, a place before the end. */
export function opensMark({ units }: Source, at: number): boolean {
  if (units[at + 1] !== 114) return false;
  for (let index = 0; index < opens.length; index++) {
    if (units[at + index] !== opens[index]) return false;
  }
  return true;
}

const underscore = 95;
/** `_` and `__` emphasise what stands in them. */
const mostEmphasis = 2;

/** True where no item can begin: behind a letter, a digit or a mark, and behind a `_` that only parts it from one. */
export function continuesBefore(source: Source, at: number): boolean {
  const { units } = source;
  let from = at;
  while (units[from - 1] === underscore && at - from < mostEmphasis) from -= 1;
  if (from <= 0) return false;
  const code = units[from - 1] as number;
  return isWord(code) || (code === 93 && endsMark(source, from));
}

/** True where no item can end: before a letter, a digit or a mark, and before a `_` that only parts it from one. */
export function continuesAfter(source: Source, at: number): boolean {
  const { units } = source;
  let to = at;
  while (units[to] === underscore && to - at < mostEmphasis) to += 1;
  const code = units[to] as number;
  return isWord(code) || (code === 91 && opensMark(source, to));
}

/** True if a mark ends just before `at`, a place that the pass has come to. */
export function endsMark(source: Source, at: number): boolean {
  const { units, lastBracket } = source;
  if (at === 0 || units[at - 1] !== 93) return false;
  // Most often the bracket that was read last is the one that is looked for, however far it is.
  let place = lastBracket < at - 1 ? lastBracket : at - 2;
  const first = Math.max(0, at - longestMark);
  while (place >= first && units[place] !== 91) place -= 1;
  return place >= first && opensMark(source, place);
}
