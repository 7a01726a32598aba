import { type Finding, masked } from "./masked.js";
import type { StreamRewriter } from "./rail.js";

/**
 * Masks a text that comes in pieces.
 *
 * A place is written out when no text that is still to come can change what is
 * found there: `reach` code units later, and never inside of a finding. So
 * each character leaves once, and no finding leaves in part.
 */
export class MaskedStream implements StreamRewriter {
  readonly #find: (text: string) => Promise<readonly Finding[]>;
  readonly #reach: number;
  readonly #mask: (finding: Finding) => string;
  /** The text that was written out lately, and the text that was not yet. */
  #text = "";
  /** The length of what has been. */
  #written = 0;

  /** @param find gives findings in order that do not overlap. */
  constructor(
    find: (text: string) => Promise<readonly Finding[]>,
    reach: number,
    mask: (finding: Finding) => string,
  ) {
    this.#find = find;
    this.#reach = reach;
    this.#mask = mask;
  }

  async take(piece: string, isLast: boolean): Promise<string> {
    this.#text += piece;
    const text = this.#text;
    // Each look costs twice the reach: look when a part of it can leave.
    if (!isLast && text.length - this.#reach - this.#written < Math.max(1, this.#reach / 16))
      return "";
    const found = await this.#find(text);
    const from = this.#written;
    const until = isLast ? text.length : this.#settled(text, found);
    const here = found.flatMap((finding) =>
      finding.end <= from || finding.start >= until
        ? []
        : [{ ...finding, start: Math.max(finding.start, from) - from, end: finding.end - from }],
    );
    this.#written = Math.min(until, this.#reach);
    this.#text = text.slice(until - this.#written);
    return masked(text.slice(from, until), here, this.#mask);
  }

  /** The length of the text that can be written out by now. */
  #settled(text: string, found: readonly Finding[]): number {
    let until = text.length - this.#reach;
    for (const { start, end } of found) if (start < until && end > until) until = start;
    const before = text.charCodeAt(until - 1);
    // Not between the halves of a character.
    if (before >= 0xd800 && before <= 0xdbff) until--;
    return Math.max(this.#written, until);
  }
}
