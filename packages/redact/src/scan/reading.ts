import { Before } from "../kinds/detector.js";
import { Source } from "../text/source.js";
import { disjoint, firstBehind, type Range, united } from "./findings.js";
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
  read(source: Source): Range[] {
    const rows: number[] = [];
    const escapes = { json: new Places(nearEscapes), percents: new Places(nearEscapes) };
    const before = new Before();
    this.doubts = before.doubts;
    this.#pass.read(
      source,
      before,
      this.#decodes,
      (kind, start, end) => {
        add(rows, Math.min(behindEscape(source.units, start), end - 1), end, kind);
      },
      escapes,
    );
    // A URL in JSON may have percent escapes of its own, which are part of it: both readings count.
    const { json, percents } = escapes;
    const known = disjoint(rows);
    const found = this.#readUnescaped(source, json, false, [before.values], known, known);
    // A word may be in escapes of JSON, and what it says something of in percent escapes.
    const words = percents.starts.length > 0 ? json.rows(reach) : [];
    return this.#readUnescaped(source, percents, true, [before.values, words], known, found);
  }

  /**
   * Without the escapes, the part up to the next line breaks or `"` is read. What stands behind these was read already,
   * and reads in another way only behind a word that is escaped, or before an escape: then more is read.
   */
  #readUnescaped(
    source: Source,
    places: Places,
    readsPercents: boolean,
    reaching: readonly (readonly number[])[],
    known: readonly Range[],
    found: Range[],
  ): Range[] {
    const more: number[] = [];
    this.#before.costs = { lookUps: 0 };
    const windows = windowsAround(source, places, known, 0);
    const reachInto = reaching.map((rows) => new Reaching(rows));
    for (let index = 0; index < windows.length; index++) {
      const window = windows[index] as Window;
      const isReached = reachInto.map((each) => each.into(window.from)).includes(true);
      if (!isReached && this.#readWindow(source, window, readsPercents, found, more)) continue;
      let { last } = window;
      for (; (windows[index + 1]?.from ?? last + reach) < last + reach; index++)
        last = (windows[index + 1] as Window).last;
      const whole = withMargin(source, { ...window, last }, isReached);
      this.#readWindow(source, whole, readsPercents, found, more);
      for (const units of longer)
        if (this.#isCut)
          this.#readWindow(source, widened(source, whole, units), readsPercents, found, more);
    }
    return united(found, disjoint(more));
  }

  /** False if what was read may say something of what stands behind the window. */
  #readWindow(
    source: Source,
    { from, first, last, to, words }: Window,
    readsPercents: boolean,
    found: readonly Range[],
    more: number[],
  ): boolean {
    const view = this.#view;
    if (this.#starts.length <= to - from) this.#starts = new Uint32Array(2 * (to - from));
    const starts = this.#starts;
    const escaped = writeUnescaped(source, from, to, readsPercents, view, starts, this.doubts);
    const before = this.#before;
    before.beginAt(from, words);
    this.#isCut = false;
    let known = firstBehind(found, from);
    this.#pass.read(view, before, this.#decodes, (kind, start, end) => {
      const place = starts[start] as number;
      // What is left out behind an item is no part of it.
      const ends = unitEnd(source.units, starts[end - 1] as number, readsPercents);
      if (place > last || ends < first) return;
      if (end === view.length) this.#isCut = to < source.length;
      // Most of it was found already.
      while ((found[known]?.end ?? ends) <= place) known += 1;
      const same = found[known];
      if (same === undefined || same.start > place || same.end < ends || same.kind > kind)
        add(more, place, ends, kind);
    });
    this.#noteDoubts(before.doubts, view, starts);
    const end = lineEnd(view);
    const goesOn =
      this.#isCut ||
      before.saysBehind(escaped, view.length) ||
      before.looksBehind(escaped, end) ||
      endsLongRun(view.units, end);
    return !goesOn || to === source.length;
  }

  /** The doubts in a view, as places in the text. */
  #noteDoubts(doubts: readonly number[], { length }: Source, starts: Uint32Array): void {
    for (const place of doubts)
      this.doubts.push(starts[Math.min(Math.max(0, place), length)] as number);
  }
}

/** The end of a text without the line break that ends it. */
function lineEnd({ units, length }: Source): number {
  let end = length;
  while (end > 0 && (units[end - 1] === 10 || units[end - 1] === 13)) end -= 1;
  return end;
}

/** Adds a row. One that overlaps the last one, of the same kind, makes that longer: a row of digits would be many. */
function add(rows: number[], start: number, end: number, kind: number): void {
  const last = rows.length - 3;
  if (last >= 0 && kind === rows[last + 2]) {
    const lastEnd = rows[last + 1] as number;
    if (start < lastEnd && start >= (rows[last] as number)) {
      if (end > lastEnd) rows[last + 1] = end;
      return;
    }
  }
  rows.push(start, end, kind);
}
