import type { Detector } from "../kinds/detector.js";
import { Source } from "../text/source.js";
import { type Finding, Ranges } from "./findings.js";
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
    const leave = (ranges: Ranges) => {
      if (isAllowed === undefined) return ranges;
      const left = new Ranges();
      for (let index = 0; index < ranges.length; index++)
        if (!isAllowed(this.#finding(ranges, index), text))
          left.add(ranges.start(index), ranges.end(index), ranges.kind(index));
      return left;
    };
    const all = this.#reading.read(source);
    let found = leave(all);
    // What is let through has no mark, and is not in doubt.
    let beside =
      found.length === all.length ? mayShow(source, found, this.#reading.doubts) : placesOf(found);
    for (let round = 0; beside.length > 0 && round < mostRounds; round++) {
      const fresh = leave(this.#besideMarks(found, beside));
      found = leave(found.with(fresh));
      beside = placesOf(fresh);
    }
    const findings: Finding[] = [];
    for (let index = 0; index < found.length; index++) findings.push(this.#finding(found, index));
    return findings;
  }

  #finding(ranges: Ranges, index: number): Finding {
    const kind = this.#kinds[ranges.kind(index)] as string;
    return { start: ranges.start(index), end: ranges.end(index), kind };
  }

  /** The findings around some places when all that was found is masked. */
  #besideMarks(found: Ranges, places: Places): Ranges {
    const fresh = new Ranges();
    for (const { from, first, last, to } of windowsAround(this.#source, places, found)) {
      const most = mostMasked(from, to, found);
      if (this.#starts.length <= most) this.#starts = new Uint32Array(2 * most);
      writeMasked(this.#source, from, to, found, this.#masked, this.#starts);
      const seen = this.#reading.read(this.#masked);
      for (let index = 0; index < seen.length; index++) {
        const start = this.#starts[seen.start(index)] as number;
        const end = this.#starts[seen.end(index)] as number;
        if (start <= last && end >= first) fresh.add(start, end, seen.kind(index));
      }
    }
    return fresh.disjoint();
  }
}

function placesOf(ranges: Ranges): Places {
  const places = new Places(reach);
  for (let index = 0; index < ranges.length; index++)
    places.note(ranges.start(index), ranges.end(index));
  return places;
}
