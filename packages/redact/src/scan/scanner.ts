import type { Detector } from "../kinds/detector.js";
import { Source } from "../text/source.js";
import { disjoint, type Finding, type Range } from "./findings.js";
import { mostMasked, writeMasked } from "./masked.js";
import { Pass } from "./pass.js";
import { Reading } from "./reading.js";
import { Places, windowsAround } from "./windows.js";

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
    let found = leave(disjoint(this.#reading.read(source)));
    let fresh: readonly Range[] = found;
    for (let round = 0; fresh.length > 0 && round < mostRounds; round++) {
      const rows = this.#besideMarks(found, fresh);
      fresh = leave(disjoint(rows));
      if (fresh.length > 0) found = leave(disjoint([...rowsOf(found), ...rowsOf(fresh)]));
    }
    return found.map((range) => this.#named(range));
  }

  #named({ start, end, kind }: Range): Finding {
    return { start, end, kind: this.#kinds[kind] as string };
  }

  /** The findings around some others when all are masked, as rows. */
  #besideMarks(found: readonly Range[], fresh: readonly Range[]): number[] {
    const places = new Places();
    for (const { start, end } of fresh) places.note(start, end);
    const rows: number[] = [];
    for (const { from, first, last, to } of windowsAround(this.#source, places, found)) {
      const most = mostMasked(from, to, found);
      if (this.#starts.length <= most) this.#starts = new Uint32Array(2 * most);
      writeMasked(this.#source, from, to, found, this.#masked, this.#starts);
      const seen = this.#reading.read(this.#masked);
      for (let index = 0; index < seen.length; index += 3) {
        const start = this.#starts[seen[index] as number] as number;
        const end = this.#starts[seen[index + 1] as number] as number;
        if (start <= last && end >= first) rows.push(start, end, seen[index + 2] as number);
      }
    }
    return rows;
  }
}

function rowsOf(ranges: readonly Range[]): number[] {
  return ranges.flatMap(({ start, end, kind }) => [start, end, kind]);
}
