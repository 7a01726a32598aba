import { Before, type Detector } from "../kinds/detector.js";
import { classesOfUnits, delimits, hidesText, isDigit, isTrigger } from "../text/classes.js";
import { endsMark, markEnd } from "../text/marks.js";
import { type Anchor, type AnchorTable, anchorsOf, pairAt, standsAt } from "./anchors.js";
import { decodedRun, longestWhole } from "./encoded.js";
import { unescaped } from "./unescaped.js";

/** Something that was found, in UTF-16 units of the text. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

type Report = (kind: number, start: number, end: number) => void;

const shortestRun = 16;
const escapesJson = 1;
const escapesPercent = 2;

/** Finds items of some kinds, in one pass over the text and one over what is escaped in it. */
export class Scanner {
  readonly #kinds: readonly string[];
  readonly #marks: ReadonlySet<string>;
  readonly #decodes: boolean;
  readonly #classes = classesOfUnits();
  readonly #table: AnchorTable;
  readonly #atDigits: readonly (readonly [number, NonNullable<Detector["atDigits"]>])[];
  readonly #atRun: readonly (readonly [number, NonNullable<Detector["atRun"]>])[];

  /**
   * @param marks - the kinds whose marks are passed over.
   * @param decodes - whether to look into base64 and hexadecimal text.
   */
  constructor(detectors: readonly Detector[], marks: ReadonlySet<string>, decodes = true) {
    this.#decodes = decodes;
    this.#kinds = [...new Set(detectors.map(({ kind }) => kind))];
    this.#marks = marks;
    const kindOf = (kind: string) => this.#kinds.indexOf(kind);
    this.#table = anchorsOf(detectors, kindOf);
    for (const code of this.#table.singles.keys()) {
      this.#classes[code] = (this.#classes[code] as number) | isTrigger;
    }
    this.#atDigits = detectors.flatMap(({ kind, atDigits }) =>
      atDigits === undefined ? [] : [[kindOf(kind), atDigits] as const],
    );
    this.#atRun = detectors.flatMap(({ kind, atRun }) =>
      atRun === undefined ? [] : [[kindOf(kind), atRun] as const],
    );
  }

  /** Everything found, disjoint and in order. Findings that overlap are one, named by the kind listed first. */
  find(text: string): Finding[] {
    const found: number[] = [];
    const hides = this.#pass(text, new Before(), this.#decodes, (kind, start, end) =>
      found.push(start, end, kind),
    );
    // A URL in JSON may have percent escapes of its own, which are part of it: both readings count.
    if ((hides & escapesJson) !== 0) this.#passUnescaped(text, false, found);
    if ((hides & escapesPercent) !== 0) this.#passUnescaped(text, true, found);
    return found.length === 0 ? [] : disjoint(found, this.#kinds);
  }

  #passUnescaped(text: string, readsPercents: boolean, found: number[]): void {
    const view = unescaped(text, readsPercents);
    if (view === undefined) return;
    this.#pass(view.text, new Before(), this.#decodes, (kind, start, end) => {
      found.push(view.starts[start] as number, view.starts[end] as number, kind);
    });
  }

  /** One pass over one text; says how some of it is escaped. */
  #pass(text: string, before: Before, decodes: boolean, report: Report): number {
    const classes = this.#classes;
    const { pairs, lists, singles } = this.#table;
    const { length } = text;
    let hides = 0;
    let runStart = 0;
    let previous = 0;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      const list = pairs[pairAt(previous, code)] as number;
      previous = code;
      if (list !== 0) this.#ask(lists[list] as Anchor[], text, at, before, report);
      const bits = classes[code] as number;
      if (bits === 0) continue;
      if ((bits & isDigit) !== 0) {
        let end = at + 1;
        while (end < length && ((classes[text.charCodeAt(end)] as number) & isDigit) !== 0)
          end += 1;
        for (const [kind, atDigits] of this.#atDigits) {
          const place = atDigits(text, at, before, end);
          if (place !== undefined) report(kind, place.start, place.end);
        }
        // Digits begin no pair but with what stands before and behind them.
        previous = text.charCodeAt(end - 1);
        at = end - 1;
        continue;
      }
      if ((bits & delimits) !== 0) {
        if (code === 91) {
          const end = markEnd(text, at, this.#marks);
          if (end > at) {
            before.passMark(end);
            at = end - 1;
            runStart = end;
            previous = 0;
            continue;
          }
        }
        if (at - runStart >= shortestRun) this.#run(text, runStart, at, before, decodes, report);
        runStart = at + 1;
        if ((bits & hidesText) !== 0 && (code !== 61 || text.charCodeAt(at + 1) === 10)) {
          hides |= code === 37 ? escapesPercent : escapesJson;
        }
      }
      if ((bits & isTrigger) !== 0)
        this.#ask(singles.get(code) as Anchor[], text, at, before, report);
    }
    if (length - runStart >= shortestRun)
      this.#run(text, runStart, length, before, decodes, report);
    return hides;
  }

  #ask(anchors: readonly Anchor[], text: string, at: number, before: Before, report: Report): void {
    for (const anchor of anchors) {
      const start = at - anchor.offset;
      if (start < 0 || !standsAt(text, start, anchor)) continue;
      const end = start + anchor.literal.length;
      if (anchor.context >= 0) {
        if (isOwnWord(text, start, end, anchor.endsWord)) before.note(anchor.context, end);
        continue;
      }
      const place = anchor.detector?.atAnchor?.(text, start, before, end);
      if (place !== undefined) report(anchor.kind, place.start, place.end);
    }
  }

  #run(
    text: string,
    start: number,
    end: number,
    before: Before,
    decodes: boolean,
    report: Report,
  ): void {
    // What a mark has cut off is not read on by itself.
    if (endsMark(text, start)) return;
    for (const [kind, atRun] of this.#atRun) {
      const place = atRun(text, start, before, end);
      if (place !== undefined) report(kind, place.start, place.end);
    }
    const decoded = decodes ? decodedRun(text, start, end) : undefined;
    if (decoded === undefined) return;
    const { unitsPer, per } = decoded;
    this.#pass(decoded.text, before.from(decoded.start), false, (kind, from, to) => {
      if (decoded.end - decoded.start <= longestWhole) report(kind, decoded.start, decoded.end);
      else {
        const first = decoded.start + Math.floor(from / per) * unitsPer;
        report(kind, first, Math.min(decoded.end, decoded.start + Math.ceil(to / per) * unitsPer));
      }
    });
  }
}

/** A word begins it, or a capital does inside of a name: `userPhone`. */
function isOwnWord(text: string, start: number, end: number, endsWord: boolean): boolean {
  const previous = text.charCodeAt(start - 1);
  const begins = !isLetter(previous) || (isCapital(text.charCodeAt(start)) && !isCapital(previous));
  return begins && !(endsWord && isLetter(text.charCodeAt(end)));
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** Rows of start, end and kind, as findings. */
function disjoint(rows: readonly number[], kinds: readonly string[]): Finding[] {
  const order = Array.from({ length: rows.length / 3 }, (_, index) => index * 3);
  order.sort((a, b) => (rows[a] as number) - (rows[b] as number));
  const merged: { start: number; end: number; kind: number }[] = [];
  for (const row of order) {
    const [start, end, kind] = [rows[row], rows[row + 1], rows[row + 2]] as [
      number,
      number,
      number,
    ];
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) merged.push({ start, end, kind });
    else {
      last.end = Math.max(last.end, end);
      last.kind = Math.min(last.kind, kind);
    }
  }
  return merged.map(({ start, end, kind }) => ({ start, end, kind: kinds[kind] as string }));
}
