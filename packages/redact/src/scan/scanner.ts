import type { Detector } from "../kinds/detector.js";
import { Source } from "../text/source.js";
import { disjoint, type Finding, type Range, united } from "./findings.js";
import { mostMasked, writeMasked } from "./masked.js";
import { Pass } from "./pass.js";
import { Reading } from "./reading.js";
import { mayShow } from "./showing.js";
import { Places, reach, windowsAround } from "./windows.js";

/** A text of which each mark shows one item more is none that was met; it ends here. */
const mostRounds = 8;

/** Finds items of some kinds, and those that would be found only when the others are masked. */
export class Scanner {
  readonly #kinds: readonly string[];
  readonly #reading: Reading;
  readonly #source = new Source();
  /** A part of the text with marks in place of what was found, and where each unit of it stands. */
  readonly #masked = new Source();
  #starts = new Uint32Array(2_048);

  /**
   * @param marks - the kinds whose marks are passed over.
   * @param decodes - whether to look into base64 and hexadecimal text.
   */
  constructor(detectors: readonly Detector[], marks: ReadonlySet<string>, decodes = true) {
    this.#kinds = [...new Set(detectors.map(({ kind }) => kind))];
    this.#reading = new Reading(new Pass(detectors, this.#kinds, marks), decodes);
  }

  /**
   * Everything found, disjoint and in order. Findings that overlap are one, named by the kind listed first.
   *
   * A mark may change what stands beside it: a row of digits that was too long for a number is one when its end is
   * masked. Such items are found too, so that redacting twice gives what redacting once gives.
   *
   * @param isAllowed - true for findings that are let through. Default: none is.
   */
  find(text: string, isAllowed?: (finding: Finding, text: string) => boolean): Finding[] {
    const source = this.#source;
    source.fill(text);
    const leave = (ranges: Range[]) =>
      isAllowed === undefined
        ? ranges
        : ranges.filter((range) => !isAllowed(this.#named(range), text));
    const all = this.#reading.read(source);
    let found = leave(all);
    // What is let through has no mark, and is not in doubt.
    let fresh: readonly Range[] =
      found.length === all.length ? mayShow(source, found, this.#reading.doubts) : found;
    for (let round = 0; fresh.length > 0 && round < mostRounds; round++) {
      const rows = this.#besideMarks(found, fresh);
      fresh = leave(disjoint(rows));
      if (fresh.length > 0) found = leave(united(found, fresh));
    }
    return found.map((range) => this.#named(range));
  }

  #named({ start, end, kind }: Range): Finding {
    return { start, end, kind: this.#kinds[kind] as string };
  }

  /** The findings around some others when all are masked, as rows. */
  #besideMarks(found: readonly Range[], fresh: readonly Range[]): number[] {
    const places = new Places(reach);
    for (const { start, end } of fresh) places.note(start, end);
    const rows: number[] = [];
    for (const { from, first, last, to } of windowsAround(this.#source, places, found)) {
      const most = mostMasked(from, to, found);
      if (this.#starts.length <= most) this.#starts = new Uint32Array(2 * most);
      writeMasked(this.#source, from, to, found, this.#masked, this.#starts);
      for (const seen of this.#reading.read(this.#masked)) {
        const start = this.#starts[seen.start] as number;
        const end = this.#starts[seen.end] as number;
        if (start <= last && end >= first) rows.push(start, end, seen.kind);
      }
    }
    return rows;
  }
}
