import { Before } from "../kinds/before.js";
import { Source } from "../text/source.js";
import { Ranges } from "./findings.js";
import { endsLongRun } from "./folds.js";
import type { Pass } from "./pass.js";
import { behindEscape, unitEnd, writeUnescaped } from "./unescaped.js";
import {
  Places,
  Reaching,
  reach,
  type Window,
  widened,
  windowsAround,
  withMargin,
} from "./windows.js";

const nearEscapes = 32;
/** So much more is read for an item that goes on behind a window: most do for a line or two, and a key for 12,288 units. */
const longer = [8 * reach, 80 * reach];

/** Reads a text as it stands, and the parts of it in which something is escaped once more without the escapes. */
export class Reading {
  readonly #pass: Pass;
  readonly #decodes: boolean;
  /** A part of the text without its escapes, where each unit of it stands, and what was read before it. */
  readonly #view = new Source();
  #starts = new Uint32Array(2_048);
  readonly #before = new Before();
  /** The words and values that stand in the text before escapes are read. */
  #read = new Before();
  /** True if something that was found in the view may go on behind it. */
  #isCut = false;
  /** What was in doubt in the text that was read last, in rows as `Before` has them. */
  doubts: number[] = [];

  /** @param decodes - whether to look into base64 and hexadecimal text. */
  constructor(pass: Pass, decodes: boolean) {
    this.#pass = pass;
    this.#decodes = decodes;
  }

  /** Everything found, disjoint and in order. */
  read(source: Source): Ranges {
    const ranges = new Ranges();
    const escapes = { json: new Places(nearEscapes), percents: new Places(nearEscapes) };
    const before = new Before();
    this.#read = before;
    this.doubts = before.doubts;
    this.#pass.read(
      source,
      before,
      this.#decodes,
      (kind, start, end) => {
        ranges.add(Math.min(behindEscape(source.units, start), end - 1), end, kind);
      },
      escapes,
    );
    // A URL in JSON may have percent escapes of its own, which are part of it: both readings count.
    const { json, percents } = escapes;
    const known = ranges.disjoint();
    // A word may be in escapes of JSON, and what it says something of in percent escapes.
    const words: number[] = [];
    const found = this.#readUnescaped(source, json, false, [before.values], known, words);
    return this.#readUnescaped(source, percents, true, [before.values, words], found, []);
  }

  /**
   * Without the escapes, the part up to the next line breaks or `"` is read. What stands behind these was read already,
   * and reads in another way only behind a word that is escaped, or before an escape: then more is read.
   *
   * @param words - takes rows of the start of each part and of how far something in it may say something of the text.
   */
  #readUnescaped(
    source: Source,
    places: Places,
    readsPercents: boolean,
    reaching: readonly (readonly number[])[],
    found: Ranges,
    words: number[],
  ): Ranges {
    const more = new Ranges();
    this.#before.lookUps = new Set();
    const windows = windowsAround(source, places, found, 0);
    const reachInto = reaching.map((rows) => new Reaching(rows));
    for (let index = 0; index < windows.length; index++) {
      const window = windows[index] as Window;
      const isReached = reachInto.map((each) => each.into(window.from)).includes(true);
      if (!isReached && this.#readWindow(source, window, readsPercents, found, more)) {
        words.push(window.from, window.to - 2);
        continue;
      }
      let { last } = window;
      for (; (windows[index + 1]?.from ?? last + reach) < last + reach; index++)
        last = (windows[index + 1] as Window).last;
      words.push(window.from, last + reach);
      const whole = withMargin(source, { ...window, last }, isReached);
      this.#readWindow(source, whole, readsPercents, found, more);
      for (const units of longer)
        if (this.#isCut)
          this.#readWindow(source, widened(source, whole, units), readsPercents, found, more);
    }
    return found.with(more.disjoint());
  }

  /**
   * A line behind a long one may go on a block, or be one of its own, as behind a digest: it is read in both ways.
   *
   * @returns false if what was read may say something of what stands behind the window.
   */
  #readWindow(
    source: Source,
    window: Window,
    readsPercents: boolean,
    found: Ranges,
    more: Ranges,
  ): boolean {
    this.#isCut = false;
    const { goesOn, folds } = this.#readView(source, window, readsPercents, true, found, more);
    const lines = folds
      ? this.#readView(source, window, readsPercents, false, found, more)
      : undefined;
    return window.to === source.length || !(goesOn || lines?.goesOn);
  }

  #readView(
    source: Source,
    { from, first, last, to }: Window,
    readsPercents: boolean,
    joinsLines: boolean,
    found: Ranges,
    more: Ranges,
  ): { readonly goesOn: boolean; readonly folds: boolean } {
    const view = this.#view;
    if (this.#starts.length <= to - from) this.#starts = new Uint32Array(2 * (to - from));
    const starts = this.#starts;
    const { escaped, joins, folds } = writeUnescaped(
      source,
      from,
      to,
      readsPercents,
      joinsLines,
      view,
      starts,
      this.doubts,
    );
    const before = this.#before;
    before.beginAt(from, this.#read);
    let known = found.firstBehind(from);
    this.#pass.read(view, before, this.#decodes, (kind, start, end) => {
      const place = starts[start] as number;
      // What is left out behind an item is no part of it.
      const ends = Math.min(
        unitEnd(source.units, starts[end - 1] as number, readsPercents),
        starts[end] as number,
      );
      if (place > last || ends < first) return;
      if (end === view.length) this.#isCut = to < source.length;
      // Most of it was found already.
      while (found.end(known) <= place) known += 1;
      if (!found.grow(known, place, ends, kind)) more.add(place, ends, kind);
    });
    this.#noteDoubts(before.doubts, view, starts);
    const end = lineEnd(view);
    const goesOn =
      this.#isCut ||
      before.saysBehind(escaped, view.length) ||
      // A word that keeps something from being found may be none here.
      (joins && this.#read.reachesBehind(to)) ||
      before.looksBehind(escaped, end) ||
      endsLongRun(view.units, end);
    return { goesOn, folds };
  }

  /** The doubts in a view, as places in the text. */
  #noteDoubts(doubts: readonly number[], { length }: Source, starts: Uint32Array): void {
    const first = starts[0] as number;
    // Words before the view are in doubt too.
    for (const place of doubts)
      this.doubts.push(place < 0 ? first + place : (starts[Math.min(place, length)] as number));
  }
}

/** The end of a text without the line break that ends it. */
function lineEnd({ units, length }: Source): number {
  let end = length;
  while (end > 0 && (units[end - 1] === 10 || units[end - 1] === 13)) end -= 1;
  return end;
}
