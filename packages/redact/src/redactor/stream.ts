import { invalidOption } from "@toolstile/core/provider";
import type { Finding } from "../scan/findings.js";
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

  /**
   * Takes a piece; gives out what no later piece can change.
   *
   * @throws ToolstileError `ERR_INVALID_OPTION` for a piece that is no string.
   */
  push(piece: string): string {
    this.#text += checkedText("the piece", piece);
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
    this.#given = Math.min(cut, this.#holdback + wordsBefore);
    this.#text = text.slice(cut - this.#given);
    this.#seen = this.#given + upTo - cut;
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

/** A text that a caller without types may not have given. The error says its type alone: a number may be that of a card. */
export function checkedText(name: string, given: unknown): string {
  if (typeof given === "string") return given;
  throw invalidOption("redactor()", `${name} must be a string, received ${typeof given}.`);
}
