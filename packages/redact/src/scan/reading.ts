import { Before } from "../kinds/detector.js";
import { Source } from "../text/source.js";
import { disjoint } from "./findings.js";
import type { Pass } from "./pass.js";
import { behindEscape, unitEnd, writeUnescaped } from "./unescaped.js";
import { Places, type Window, widened, windowsAround } from "./windows.js";

/** Reads a text as it stands, and the parts of it in which something is escaped once more without the escapes. */
export class Reading {
  readonly #pass: Pass;
  readonly #decodes: boolean;
  /** A part of the text without its escapes, and where each unit of it stands. */
  readonly #view = new Source();
  #starts = new Uint32Array(2_048);

  /** @param decodes - whether to look into base64 and hexadecimal text. */
  constructor(pass: Pass, decodes: boolean) {
    this.#pass = pass;
    this.#decodes = decodes;
  }

  /** Everything found, as rows of start, end and kind. */
  read(source: Source): number[] {
    const found: number[] = [];
    const escapes = { json: new Places(), percents: new Places() };
    this.#pass.read(
      source,
      new Before(),
      this.#decodes,
      (kind, start, end) => {
        found.push(Math.min(behindEscape(source.units, start), end - 1), end, kind);
      },
      escapes,
    );
    const { json, percents } = escapes;
    if (json.starts.length > 0 || percents.starts.length > 0) {
      // A URL in JSON may have percent escapes of its own, which are part of it: both readings count.
      const before = disjoint(found);
      for (const [places, readsPercents] of [
        [json, false],
        [percents, true],
      ] as const) {
        const costs = { lookUps: 0 };
        for (const window of windowsAround(source, places, before)) {
          if (this.#readWindow(source, window, readsPercents, costs, found)) continue;
          this.#readWindow(source, widened(source, window), readsPercents, costs, found);
        }
      }
    }
    return found;
  }

  /** False if something was found that may go on behind the window. */
  #readWindow(
    source: Source,
    { from, first, last, to }: Window,
    readsPercents: boolean,
    costs: { lookUps: number },
    found: number[],
  ): boolean {
    const view = this.#view;
    if (this.#starts.length <= to - from) this.#starts = new Uint32Array(2 * (to - from));
    const starts = this.#starts;
    writeUnescaped(source, from, to, readsPercents, view, starts);
    const before = new Before();
    before.costs = costs;
    let isWhole = true;
    this.#pass.read(view, before, this.#decodes, (kind, start, end) => {
      const place = starts[start] as number;
      // What is left out behind an item is no part of it.
      const ends = unitEnd(source.units, starts[end - 1] as number, readsPercents);
      if (place > last || ends < first) return;
      if (end === view.length) isWhole = to === source.length;
      found.push(place, ends, kind);
    });
    return isWhole;
  }
}
