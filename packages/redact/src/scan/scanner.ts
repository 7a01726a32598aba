import { Before, type Detector } from "../kinds/detector.js";
import { Source } from "../text/source.js";
import { disjoint, type Finding } from "./findings.js";
import { escapesJson, escapesPercent, Pass } from "./pass.js";
import { writeUnescaped } from "./unescaped.js";

/** Finds items of some kinds, in one pass over the text and one over what is escaped in it. */
export class Scanner {
  readonly #kinds: readonly string[];
  readonly #decodes: boolean;
  readonly #pass: Pass;
  readonly #source = new Source();
  readonly #view = new Source();

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
    const hides = this.#pass.read(source, new Before(), this.#decodes, (kind, start, end) => {
      found.push(start, end, kind);
    });
    // A URL in JSON may have percent escapes of its own, which are part of it: both readings count.
    if ((hides & escapesJson) !== 0) this.#readUnescaped(false, found);
    if ((hides & escapesPercent) !== 0) this.#readUnescaped(true, found);
    return found.length === 0 ? [] : disjoint(found, this.#kinds);
  }

  #readUnescaped(readsPercents: boolean, found: number[]): void {
    const starts = writeUnescaped(this.#source, readsPercents, this.#view);
    if (this.#view.length === this.#source.length) return;
    this.#pass.read(this.#view, new Before(), this.#decodes, (kind, start, end) => {
      found.push(starts[start] as number, starts[end] as number, kind);
    });
  }
}
