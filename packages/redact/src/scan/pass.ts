import { Before } from "../kinds/before.js";
import type { Detector } from "../kinds/detector.js";
import {
  classesOfUnits,
  delimits,
  hidesText,
  inWord,
  isDigit,
  isLetterCode,
  isRun,
  isSmall,
  isTrigger,
} from "../text/classes.js";
import { endsMark, markEnd, opensMark } from "../text/marks.js";
import { Source } from "../text/source.js";
import {
  type Anchor,
  type AnchorTable,
  anchorsOf,
  gramAfter,
  gramAt,
  signAt,
  standsAt,
} from "./anchors.js";
import { mayHoldItem, writeLetters } from "./bytes.js";
import { decodedRun, longestWhole, paddedEnd } from "./encoded.js";
import { Ranges, type Report } from "./findings.js";
import { foldedLine, isFold } from "./folds.js";
import { GroupTable } from "./groups.js";
import { textsInRun } from "./long-runs.js";
import { isEscape } from "./unescaped.js";
import { type Places, reach } from "./windows.js";

const shortestRun = 16;
const smallLetter = inWord | isSmall;
const underscore = 95;

/** The places at which some of a text is escaped. */
export interface Escapes {
  /** Escapes of JSON, signs without width, and line breaks that continue a line. */
  readonly json: Places;
  readonly percents: Places;
}

/**
 * Reads a text once and asks detectors at the places where an item of theirs may be: at the beginnings of words, at
 * signs, at groups of digits and at the ends of runs of base64.
 */
export class Pass {
  readonly #kinds: readonly string[];
  readonly #marks: ReadonlySet<string>;
  readonly #classes = classesOfUnits();
  readonly #table: AnchorTable;
  readonly #groups: GroupTable;
  readonly #atRun: readonly (readonly [number, NonNullable<Detector["atRun"]>])[];
  /** A decoded run, and what was read before it. */
  readonly #decoded = new Source();
  readonly #beforeDecoded = new Before();

  /** @param marks - the kinds whose marks are passed over. */
  constructor(
    detectors: readonly Detector[],
    kinds: readonly string[],
    marks: ReadonlySet<string>,
  ) {
    this.#kinds = kinds;
    this.#marks = marks;
    const kindOf = (kind: string) => this.#kinds.indexOf(kind);
    this.#table = anchorsOf(detectors, kindOf);
    for (const code of this.#table.triggers)
      this.#classes[code] = (this.#classes[code] as number) | isTrigger;
    for (const code of this.#table.insideWords) this.#classes[code] = inWord;
    this.#groups = new GroupTable(detectors, kindOf);
    this.#atRun = detectors.flatMap(({ kind, atRun }) =>
      atRun === undefined ? [] : [[kindOf(kind), atRun] as const],
    );
  }

  /** Reports everything found, and notes where some of the text is escaped. */
  read(source: Source, before: Before, decodes: boolean, report: Report, escapes?: Escapes): void {
    const classes = this.#classes;
    const { grams, gramsInside, pairsInside, signs, lists } = this.#table;
    const { units, length } = source;
    let runStart = 0;
    let at = 0;
    while (at < length) {
      const code = units[at] as number;
      const bits = classes[code] as number;
      if (bits >= inWord) {
        if (code === underscore && isNumber(classes, units[at + 1] as number)) {
          // It emphasises the number.
          at += 1;
          continue;
        }
        let isInside = false;
        if ((bits & isDigit) !== 0) {
          const from = at;
          do at += 1;
          while (((classes[units[at] as number] as number) & isDigit) !== 0);
          this.#groups.ask(source, from, at, before, report);
          if ((classes[units[at] as number] as number) < inWord) continue;
          isInside = true;
        }
        // Behind small letters no word begins with another one; from the first capital, digit or `_` on, words may begin
        // anywhere: `userPhone`, `PGPASSWORD`.
        let gram = gramAt(units[at] as number, units[at + 1] as number, units[at + 2] as number);
        if (units[at] !== underscore) {
          const list = (isInside ? gramsInside : grams)[gram] as number;
          if (list !== 0) {
            this.#ask(lists[list] as Anchor[], source, at, before, report);
            if (before.passedTo > at) {
              at = before.passedTo;
              runStart = runBefore(units, at, runStart);
              continue;
            }
          }
          do at += 1;
          while (classes[units[at] as number] === smallLetter);
          if ((classes[units[at] as number] as number) < inWord) continue;
          gram = gramAt(units[at] as number, units[at + 1] as number, units[at + 2] as number);
        }
        isInside = true;
        while ((classes[units[at] as number] as number) >= inWord) {
          if (!isInside || (((pairsInside[gram >> 5] as number) >> gram) & 1) === 1) {
            const list = (isInside ? gramsInside : grams)[gram] as number;
            if (list !== 0) this.#ask(lists[list] as Anchor[], source, at, before, report);
          }
          isInside = units[at] !== underscore;
          gram = gramAfter(gram, units[at + 3] as number);
          at += 1;
        }
        continue;
      }
      if (bits === delimits && code !== 91) {
        if (at - runStart >= shortestRun) {
          this.#run(source, runStart, at, before, decodes, report);
          if (at - runStart >= foldedLine && escapes !== undefined && at >= before.passedTo)
            noteFold(units, runStart, at, escapes.json);
        }
        at += 1;
        runStart = at;
        continue;
      }
      if (bits === 0) {
        at += 1;
        continue;
      }
      if ((bits & delimits) !== 0) {
        if (code === 91) {
          const end = opensMark(source, at) ? markEnd(source.text, at, this.#marks) : -1;
          source.lastBracket = at;
          if (end > at) {
            // Of a long run each part is read as it would be in the whole, whatever ends it.
            if (source.extent(runStart, at) > longestWhole)
              this.#run(source, runStart, at, before, decodes, report);
            before.passMark(end);
            at = end;
            runStart = end;
            continue;
          }
        }
        if (at - runStart >= shortestRun) this.#run(source, runStart, at, before, decodes, report);
        runStart = at + 1;
        if (
          (bits & hidesText) !== 0 &&
          escapes !== undefined &&
          at >= before.passedTo &&
          isEscape(units, at)
        )
          // A line break that is escaped is none: the line goes on behind it.
          (code === 37 ? escapes.percents : escapes.json).note(
            at,
            units[at + 1] === 10 ? at + 2 : at + 1,
          );
      }
      if ((bits & isTrigger) !== 0) {
        const list = signs[signAt(code, units[at + 1] as number)] as number;
        if (list !== 0) {
          this.#ask(lists[list] as Anchor[], source, at, before, report);
          if (before.passedTo > at) {
            at = before.passedTo;
            runStart = runBefore(units, at, runStart);
            continue;
          }
        }
      }
      at += 1;
    }
    if (length - runStart >= shortestRun)
      this.#run(source, runStart, length, before, decodes, report);
  }

  #ask(
    anchors: readonly Anchor[],
    source: Source,
    at: number,
    before: Before,
    report: Report,
  ): void {
    const { units } = source;
    for (let index = 0; index < anchors.length; index++) {
      const anchor = anchors[index] as Anchor;
      const start = at - anchor.offset;
      const end = start + anchor.size;
      if (((units[end - 1] as number) | 32) !== anchor.last) continue;
      if (anchor.size > 1 && !standsAt(source, start, anchor)) continue;
      if (anchor.context >= 0) {
        if (isOwnWord(units, start, end, anchor.endsWord)) before.note(anchor.context, end);
        continue;
      }
      const place = anchor.ask?.(source, start, before, end);
      if (place === undefined) continue;
      before.passFinding(place);
      report(anchor.kind, place.start, place.end);
    }
  }

  #run(
    source: Source,
    start: number,
    end: number,
    before: Before,
    decodes: boolean,
    report: Report,
  ): void {
    const isLong = source.extent(start, end) > longestWhole;
    // What a mark has cut off is not read on by itself. Before a long run a stream does not see it.
    if (!isLong && endsMark(source, start)) return;
    for (const [kind, atRun] of this.#atRun) {
      const place = atRun(source, start, before, end);
      if (place === undefined) continue;
      before.passFinding(place);
      report(kind, place.start, place.end);
    }
    if (!decodes) return;
    const isInDoubt = isLong
      ? this.#longRun(source, start, end, before, report)
      : this.#wholeRun(source, start, end, before, report);
    // Words before the run say what stands in it, unless a mark comes between.
    if (isInDoubt) before.doubt(start, start - reach, end);
  }

  /** True if something in the run is in doubt. */
  #wholeRun(source: Source, from: number, to: number, before: Before, report: Report): boolean {
    const place = decodedRun(source, from, to, this.#decoded);
    if (place === undefined || !mayHoldItem(this.#decoded)) return false;
    writeLetters(this.#decoded);
    this.#beforeDecoded.takeOver(before, from, place.start);
    this.read(this.#decoded, this.#beforeDecoded, false, (kind) => {
      before.passFinding(place);
      report(kind, place.start, place.end);
    });
    return this.#beforeDecoded.doubts.length > 0;
  }

  /** The same for a long run, of which only the parts that hold something are findings. */
  #longRun(source: Source, from: number, to: number, before: Before, report: Report): boolean {
    const last = paddedEnd(source.units, to);
    let isInDoubt = false;
    textsInRun(source, from, to, this.#decoded, ({ unitsPer, per }, start, first) => {
      const found = new Ranges();
      writeLetters(this.#decoded);
      this.#beforeDecoded.takeOver(before, from, start + first);
      this.read(this.#decoded, this.#beforeDecoded, false, (kind, from, to) =>
        found.add(from, to, kind),
      );
      isInDoubt ||= this.#beforeDecoded.doubts.length > 0;
      const ranges = found.disjoint();
      let passed = start;
      for (let index = 0; index < ranges.length; index++) {
        const begin = start + Math.floor((first + ranges.start(index)) / per) * unitsPer;
        const end = start + Math.ceil((first + ranges.end(index)) / per) * unitsPer;
        // Two may share a group of digits, and are two nevertheless: a row of them may be longer than any stream sees.
        const place = { start: Math.max(passed, begin), end: Math.min(last, end) };
        passed = place.end;
        if (place.start >= place.end) continue;
        before.passFinding(place);
        report(ranges.kind(index), place.start, place.end);
      }
    });
    return isInDoubt;
  }
}

function isNumber(classes: Uint8Array, code: number): boolean {
  return ((classes[code] as number) & isDigit) !== 0;
}

/** The start, from `first` on, of the run that goes on at `at`. A line of a block may end there. */
function runBefore(units: Uint16Array, at: number, first: number): number {
  let start = at;
  while (start > first && isRun(units[start - 1] as number)) start -= 1;
  return start;
}

/** Notes the line break at `at` if a block goes on behind it. The lines of one block are one place. */
function noteFold(units: Uint16Array, line: number, at: number, places: Places): void {
  const end = units[at] === 13 ? at + 1 : at;
  if (units[end] === 10 && isFold(units, end, true))
    places.note(places.ends.at(-1) === line ? line : at, end + 1);
}

/** A word begins it, or a capital does inside of a name: `userPhone`. */
function isOwnWord(units: Uint16Array, start: number, end: number, endsWord: boolean): boolean {
  if (endsWord && isLetterCode(units[end] as number)) return false;
  if (start === 0) return true;
  const previous = units[start - 1] as number;
  if (!isLetterCode(previous)) return true;
  if (!isUpper(units[start] as number) || isUpper(previous)) return false;
  // One small letter before it is a part of the name: `iPhone`.
  return start > 1 && isLetterCode(units[start - 2] as number);
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}
