import { type Before, said } from "../kinds/before.js";
import type { Detector, DigitGroups } from "../kinds/detector.js";
import type { Source } from "../text/source.js";
import type { Report } from "./findings.js";

interface Asked {
  readonly kind: number;
  /** A word of that context stands not far before; -1 for those that need none. */
  readonly behind: number;
  readonly atDigits: NonNullable<Detector["atDigits"]>;
}

/** Behind a word, a bracket may stand before the digits. */
const nearWord = 65;
const mostLengths = 20;
/** The signs that may follow a group, as far as detectors ask for them; 0 is anything else. */
const signs = " -.)/(";

/** Which detectors are asked of a group of digits. Most groups in a text are nobody's. */
export class GroupTable {
  readonly #lists: Asked[][] = Array.from(
    { length: (mostLengths + 1) * (signs.length + 1) },
    () => [],
  );
  readonly #behind: Asked[] = [];
  readonly #signs = new Uint8Array(0x10000);

  constructor(detectors: readonly Detector[], kindOf: (kind: string) => number) {
    for (const [index, sign] of [...signs].entries()) this.#signs[sign.charCodeAt(0)] = index + 1;
    // Pages and documents have spaces that do not break.
    for (const sign of "\u00a0\u202f") this.#signs[sign.charCodeAt(0)] = signs.indexOf(" ") + 1;
    for (const { kind, groups = [], atDigits } of detectors) {
      if (atDigits === undefined) continue;
      for (const each of groups) this.#add(each, kindOf(kind), atDigits);
    }
  }

  #add(
    { from, to, next, behind }: DigitGroups,
    kind: number,
    atDigits: NonNullable<Detector["atDigits"]>,
  ): void {
    const asked = { kind, behind: behind === undefined ? -1 : said[behind], atDigits };
    if (behind !== undefined) {
      this.#behind.push(asked);
      return;
    }
    const follows = [0, ...Array.from(signs, (_, index) => index + 1)].filter(
      (sign) => next === undefined || (sign > 0 && next.includes(signs.charAt(sign - 1))),
    );
    for (let length = from; length <= to; length++) {
      for (const sign of follows) this.#lists[placeOf(length, sign)]?.push(asked);
    }
  }

  /** Asks of the digits from `at` to `end`. */
  ask(source: Source, at: number, end: number, before: Before, report: Report): void {
    const { units } = source;
    const length = Math.min(end - at, mostLengths);
    const sign = this.#signs[units[end] as number] as number;
    const list = this.#lists[placeOf(length, sign)] as Asked[];
    for (let index = 0; index < list.length; index++) {
      const { kind, atDigits } = list[index] as Asked;
      const place = atDigits(source, at, before, end);
      if (place === undefined) continue;
      before.passFinding(place);
      report(kind, place.start, place.end);
    }
    for (let index = 0; index < this.#behind.length; index++) {
      const { kind, behind, atDigits } = this.#behind[index] as Asked;
      if (!before.says(behind, at, nearWord)) continue;
      const place = atDigits(source, at, before, end);
      if (place === undefined) continue;
      before.passFinding(place);
      report(kind, place.start, place.end);
    }
  }
}

function placeOf(length: number, sign: number): number {
  return length * (signs.length + 1) + sign;
}
