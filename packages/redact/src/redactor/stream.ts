import type { Finding } from "../scan/findings.js";
import { isWord } from "../text/classes.js";
import { longestMark, markEnd, markOpens } from "../text/marks.js";
import type { Replace } from "./actions.js";

/** The part that is kept of what was given out, beyond the hold-back: words that say what follows. */
const wordsBefore = 256;
/** So much is kept before and behind the beginning of a long run of base64. No escape is longer. */
const runHead = 16;

/** Redacts a text that comes in pieces. Memory stays within a few times the hold-back and one piece. */
export class RedactStream {
  readonly #find: (text: string) => readonly Finding[];
  readonly #replace: Replace;
  readonly #holdback: number;
  readonly #marks: ReadonlySet<string>;
  #text = "";
  /** So much of `#text` was given out already, and is kept for what it says of the rest. */
  #given = 0;
  /** The last place up to which all was looked at: a finding may stand there that has no end yet. */
  #seen = 0;

  constructor(
    find: (text: string) => readonly Finding[],
    replace: Replace,
    holdback: number,
    marks: ReadonlySet<string>,
  ) {
    this.#find = find;
    this.#replace = replace;
    this.#holdback = holdback;
    this.#marks = marks;
  }

  /** Takes a piece; gives out what no later piece can change. */
  push(piece: string): string {
    this.#text += piece;
    // Each look costs the whole window: look when a quarter of the hold-back is ready.
    const ready = this.#text.length - this.#holdback;
    return ready - Math.max(this.#given, this.#seen) < this.#holdback / 4
      ? ""
      : this.#giveOut(ready);
  }

  /** The rest, after the last piece. */
  end(): string {
    return this.#giveOut(this.#text.length);
  }

  #giveOut(upTo: number): string {
    const text = this.#text;
    const found = this.#find(text).filter(({ end }) => end > this.#given);
    const cut = upTo === text.length ? upTo : this.#safeCut(upTo, found);
    const parts: string[] = [];
    let from = this.#given;
    for (const finding of found) {
      if (finding.start >= cut) break;
      parts.push(text.slice(from, Math.max(from, finding.start)), this.#replace(finding, text));
      from = Math.min(cut, finding.end);
    }
    parts.push(text.slice(from, cut));
    const kept = keptContext(text.slice(0, cut), this.#holdback + wordsBefore);
    this.#text = kept + text.slice(cut);
    this.#given = kept.length;
    this.#seen = kept.length + upTo - cut;
    return parts.join("");
  }

  /** The last place before which nothing goes on: no finding, no mark, no pair of surrogates. */
  #safeCut(upTo: number, found: readonly Finding[]): number {
    const crossing = found.find(({ start, end }) => start < upTo && end > upTo);
    if (crossing !== undefined) {
      if (crossing.start > this.#given) return crossing.start;
      // A row of findings that overlap may be longer than the hold-back: it is cut, and each part is masked.
      const isOneItem = crossing.start === this.#given && upTo - this.#given <= this.#holdback;
      return isOneItem ? this.#given : upTo;
    }
    const mark = this.#text.lastIndexOf(markOpens, upTo);
    if (
      mark >= this.#given &&
      upTo - mark < longestMark &&
      markEnd(this.#text, mark, this.#marks) > upTo
    )
      return mark;
    const code = this.#text.charCodeAt(upTo);
    return code >= 0xdc00 && code <= 0xdfff ? upTo - 1 : upTo;
  }
}

/**
 * The end of a text, of `size` units or a little more, so that what follows it is read as behind the whole.
 *
 * A run of base64 that begins earlier keeps its beginning, and loses groups of four behind that. So what is kept
 * decodes in step with the whole, also in the reading in which the run begins behind an escape: in `\nAAAA` the
 * text as it is has a run that begins with `n`.
 */
function keptContext(text: string, size: number): string {
  const start = Math.max(0, text.length - size);
  let run = start;
  while (run > 0 && isRun(text.charCodeAt(run - 1))) run -= 1;
  if (run === start) return text.slice(start);
  const from = Math.max(0, run - runHead);
  const lost = start - run - runHead;
  return lost < 4
    ? text.slice(from)
    : text.slice(from, run + runHead) + text.slice(run + runHead + lost - (lost % 4));
}

function isRun(code: number): boolean {
  return isWord(code) || code === 43 || code === 45 || code === 47;
}
