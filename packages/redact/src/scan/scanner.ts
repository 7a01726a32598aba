import { Before, type Detector } from "../kinds/detector.js";
import { Source } from "../text/source.js";
import { disjoint, type Finding } from "./findings.js";
import { Pass } from "./pass.js";
import { writeUnescaped } from "./unescaped.js";
import { Places, type Window, widened, windowsAround } from "./windows.js";

/** Finds items of some kinds, in one pass over the text and one more over what is escaped in it. */
export class Scanner {
  readonly #kinds: readonly string[];
  readonly #decodes: boolean;
  readonly #pass: Pass;
  readonly #source = new Source();
  /** A part of the text without its escapes, and where each unit of it stands. */
  readonly #view = new Source();
  #starts = new Uint32Array(2_048);

  /**
   * @param marks - the kinds whose marks are passed over.
   * @param decodes - whether to look into base64 and hexadecimal text.
   */
  constructor(detectors: readonly Detector[], marks: ReadonlySet<string>, decodes = true) {
    this.#decodes = decodes;
    this.#kinds = [...new Set(detectors.map(({ kind }) => kind))];
    this.#pass = new Pass(detectors, this.#kinds, marks);
  }

  /** Everything found, disjoint and in order. Findings that overlap are one, named by the kind listed first. */
  find(text: string): Finding[] {
    const found: number[] = [];
    const source = this.#source;
    source.fill(text);
    const escapes = { json: new Places(), percents: new Places() };
    this.#pass.read(
      source,
      new Before(),
      this.#decodes,
      (kind, start, end) => {
        found.push(start, end, kind);
      },
      escapes,
    );
    const { json, percents } = escapes;
    if (json.starts.length > 0 || percents.starts.length > 0) {
      // A URL in JSON may have percent escapes of its own, which are part of it: both readings count.
      const before = disjoint(found, this.#kinds);
      this.#readEscaped(json, before, false, found);
      this.#readEscaped(percents, before, true, found);
    }
    return found.length === 0 ? [] : disjoint(found, this.#kinds);
  }

  #readEscaped(
    places: Places,
    before: readonly Finding[],
    readsPercents: boolean,
    found: number[],
  ): void {
    const costs = { lookUps: 0 };
    for (const window of windowsAround(this.#source, places, before)) {
      if (this.#readWindow(window, readsPercents, costs, found)) continue;
      this.#readWindow(widened(this.#source, window), readsPercents, costs, found);
    }
  }

  /** False if something was found that may go on behind the window. */
  #readWindow(
    { from, first, last, to }: Window,
    readsPercents: boolean,
    costs: { lookUps: number },
    found: number[],
  ): boolean {
    const view = this.#view;
    if (this.#starts.length <= to - from) this.#starts = new Uint32Array(2 * (to - from));
    const starts = this.#starts;
    writeUnescaped(this.#source, from, to, readsPercents, view, starts);
    const before = new Before();
    before.costs = costs;
    let isWhole = true;
    this.#pass.read(view, before, this.#decodes, (kind, start, end) => {
      const place = starts[start] as number;
      if (place > last || (starts[end] as number) < first) return;
      if (end === view.length) isWhole = to === this.#source.length;
      found.push(place, starts[end] as number, kind);
    });
    return isWhole;
  }
}
