import { isWord } from "./classes.js";

/** What stands in place of a finding begins so. A mark is opaque: nothing is found in it, and nothing across it. */
export const markOpens = "[redacted";
export const longestMark = 96;

const mark =
  /\[redacted(?: ([a-z][a-z0-9_.]{0,47})(?: (?:\*[0-9A-Za-z]{1,4}|[0-9a-f]{16}|#[0-9A-Za-z]{1,24}))?)?\]/y;

/**
 * The end of the mark that begins at `at`; -1 if none does.
 *
 * Only kinds that exist make a mark: text that merely looks like one hides nothing.
 */
export function markEnd(text: string, at: number, kinds: ReadonlySet<string>): number {
  if (!opensMark(text, at)) return -1;
  mark.lastIndex = at;
  const found = mark.exec(text);
  if (found === null || (found[1] !== undefined && !kinds.has(found[1]))) return -1;
  return mark.lastIndex;
}

/** True if a mark may begin at `at`. */
export function opensMark(text: string, at: number): boolean {
  return text.charCodeAt(at + 1) === 114 && text.startsWith(markOpens, at);
}

/** True where no item can begin: behind a letter, a digit, `_` or a mark. */
export function continuesBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const code = text.charCodeAt(at - 1);
  if (isWord(code)) return true;
  return code === 93 && endsMark(text, at);
}

/** True where no item can end: before a letter, a digit, `_` or a mark. */
export function continuesAfter(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const code = text.charCodeAt(at);
  return isWord(code) || (code === 91 && opensMark(text, at));
}

/** True if a mark ends just before `at`. */
export function endsMark(text: string, at: number): boolean {
  if (text.charCodeAt(at - 1) !== 93) return false;
  for (let opens = at - 2; opens >= 0 && opens >= at - longestMark; opens--) {
    if (text.charCodeAt(opens) === 91) return text.startsWith(markOpens, opens);
  }
  return false;
}
