import type { Finding } from "../scan/findings.js";
import { isWord } from "../text/classes.js";
import { longestMark, markEnd, markOpens } from "../text/marks.js";
import type { Replace } from "./actions.js";

/** The part that is kept of what was given out, beyond the hold-back: words that say what follows. */
const wordsBefore = 256;

/** Redacts a text that comes in pieces. Memory stays within a few times the hold-back and one piece. */
export class RedactStream {
  readonly #find: (text: string) => readonly Finding[];
  readonly #replace: Replace;
  readonly #holdback: number;
  readonly #marks: ReadonlySet<string>;
  #text = "";
  /** So much of `#text` was given out already, and is kept for what it says of the rest. */
  #given = 0;

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
    return ready - this.#given < this.#holdback / 4 ? "" : this.#giveOut(ready);
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
    const start = this.#contextStart(cut);
    this.#text = text.slice(start);
    this.#given = cut - start;
    return parts.join("");
  }

  /** The last place before which nothing goes on: no finding, no mark, no pair of surrogates. */
  #safeCut(upTo: number, found: readonly Finding[]): number {
    const crossing = found.find(({ start, end }) => start < upTo && end > upTo);
    // A row of findings that overlap may be longer than the hold-back: it is cut, and each part is masked.
    if (crossing !== undefined) return crossing.start > this.#given ? crossing.start : upTo;
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

  /** The beginning of the part that is kept: in a run of base64 at a group of four, so that the rest decodes as the whole does. */
  #contextStart(cut: number): number {
    const start = Math.max(0, cut - this.#holdback - wordsBefore);
    let run = start;
    while (run > 0 && isRun(this.#text.charCodeAt(run - 1))) run -= 1;
    return start - ((start - run) % 4);
  }
}

function isRun(code: number): boolean {
  return isWord(code) || code === 43 || code === 45 || code === 47;
}
