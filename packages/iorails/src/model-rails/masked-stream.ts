import { type Finding, masked } from "./masked.js";
import type { StreamRewriter } from "./rail.js";

/** So much is kept before and behind the beginning of a long run of base64. No escape is longer. */
const runHead = 16;

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
    const found = await this.#find(text);
    const from = this.#written;
    const until = isLast ? text.length : this.#settled(text, found);
    const here = found.flatMap((finding) =>
      finding.end <= from || finding.start >= until
        ? []
        : [{ ...finding, start: Math.max(finding.start, from) - from, end: finding.end - from }],
    );
    const kept = keptContext(text.slice(0, until), this.#reach);
    this.#text = kept + text.slice(until);
    this.#written = kept.length;
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

/**
 * The end of a text, of `size` code units or a little more, so that what
 * follows it is read as behind the whole.
 *
 * A scanner may decode a run of base64. One that begins earlier keeps its
 * beginning, and loses groups of four behind that: so what is kept decodes in
 * step with the whole, also for a scanner to which `\n` before the run is an
 * escape.
 */
function keptContext(text: string, size: number): string {
  const start = Math.max(0, text.length - size);
  let run = start;
  while (run > 0 && /[\w+/-]/.test(text.charAt(run - 1))) run--;
  if (run === start) return text.slice(start);
  const from = Math.max(0, run - runHead);
  const lost = start - run - runHead;
  return lost < 4
    ? text.slice(from)
    : text.slice(from, run + runHead) + text.slice(run + runHead + lost - (lost % 4));
}
