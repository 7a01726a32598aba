import { type Context, contexts } from "../kinds/before.js";
import { contextWords } from "../kinds/context-words.js";
import type { Detector } from "../kinds/detector.js";
import { isLetterCode } from "../text/classes.js";
import type { Source } from "../text/source.js";

/** One literal to look for, and what to do where it stands: ask a detector, or note a word. */
export interface Anchor {
  readonly units: Uint16Array;
  /** The length of `units`. */
  readonly size: number;
  /** The place of the word in the literal by which it is found. */
  readonly offset: number;
  /** The last unit, in whatever case: what does not end so is none. */
  readonly last: number;
  readonly anyCase: boolean;
  /** The detector's own function: to get it from detectors, whose shapes differ, takes longer than most answers. */
  readonly ask: Detector["atAnchor"];
  readonly kind: number;
  readonly context: number;
  readonly endsWord: boolean;
}

type Row = Omit<Anchor, "units" | "size" | "offset" | "last" | "anyCase">;

/** The place in the table of three units, in whatever case. */
export function gramAt(first: number, second: number, third: number): number {
  return (((first | 32) << 10) ^ ((second | 32) << 5) ^ (third | 32)) & 0x7fff;
}

/** The place of the last two of three units and the one behind them. */
export function gramAfter(gram: number, next: number): number {
  return ((gram << 5) ^ (next | 32)) & 0x7fff;
}

/** Beyond ASCII, whatever follows a sign is as one. */
const beyondAscii = 128;

/** The place in the table of signs of one and what follows it. */
export function signAt(sign: number, next: number): number {
  return ((sign << 7) ^ Math.min(next, beyondAscii)) & 0x7fff;
}

/** Literals that begin with a letter by three units, and others by two. */
export class AnchorTable {
  /** 0, or the place in `lists` of the literals that may begin so. */
  readonly grams = new Uint16Array(0x8000);
  /** The same for those that may begin behind a letter or a digit, which are few. */
  readonly gramsInside = new Uint16Array(0x8000);
  /** A bit where one of those is, by the first two units and the third: this small table tells most others. */
  readonly pairsInside = new Int32Array(0x400);
  /** The same for literals that begin with a sign. */
  readonly signs = new Uint16Array(0x8000);
  readonly lists: Anchor[][] = [[]];
  /** The units with which these begin. */
  readonly triggers = new Set<number>();
  /** The small letters with which a literal may begin behind another one. */
  readonly insideWords = new Set<number>();

  add(literal: string, row: Row, { anyCase = false, next, insideWords }: Partial<Detector>): void {
    for (const each of variants(literal, anyCase)) {
      const units = Uint16Array.from(each, (sign) => sign.charCodeAt(0));
      // What says something of what follows says it when all of it was read: its last word finds it.
      const offset = row.context < 0 ? 0 : each.lastIndexOf(" ") + 1;
      const last = (units[units.length - 1] as number) | 32;
      // All of one shape, which what is spread has not: the pass takes twice as long to read fields of several.
      const anchor: Anchor = {
        units,
        size: units.length,
        offset,
        last,
        anyCase: anyCase && each === literal,
        ask: row.ask,
        kind: row.kind,
        context: row.context,
        endsWord: row.endsWord,
      };
      const mayBeInside = row.ask === undefined || insideWords !== undefined;
      const first = units[offset] as number;
      const isWord = isLetterCode(first);
      if (!isWord) this.triggers.add(first);
      for (const place of new Set(placesOf(units.subarray(offset), next))) {
        this.#put(isWord ? this.grams : this.signs, place, anchor);
        if (!isWord || !mayBeInside) continue;
        this.#put(this.gramsInside, place, anchor);
        this.pairsInside[place >> 5] = (this.pairsInside[place >> 5] as number) | (1 << place);
      }
    }
  }

  #put(grams: Uint16Array, place: number, anchor: Anchor): void {
    const list = grams[place] as number;
    if (list > 0) {
      this.lists[list]?.push(anchor);
      return;
    }
    grams[place] = this.lists.length;
    this.lists.push([anchor]);
  }
}

const anything = Array.from({ length: beyondAscii + 1 }, (_, code) => code);

function placesOf(units: Uint16Array, next: string | undefined): readonly number[] {
  const [first = 0, second, third] = units;
  const follow =
    next === undefined
      ? anything
      : [beyondAscii, ...Array.from(next, (sign) => sign.charCodeAt(0))];
  if (second === undefined) return follow.map((code) => signAt(first, code));
  if (!isLetterCode(first)) return [signAt(first, second)];
  return (third === undefined ? follow : [third]).map((code) => gramAt(first, second, code));
}

/** Letters beyond ASCII have no bit for their case: such a literal is looked for in the three ways it is written. */
function variants(literal: string, anyCase: boolean): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the question is whether it is ASCII.
  if (!anyCase || /^[\x00-\x7f]*$/.test(literal)) return [literal];
  const capital = literal.charAt(0).toUpperCase() + literal.slice(1);
  return [...new Set([literal, capital, literal.toUpperCase()])];
}

/** The anchors of some detectors, and of the context words that they ask for. */
export function anchorsOf(
  detectors: readonly Detector[],
  kindOf: (kind: string) => number,
): AnchorTable {
  const table = new AnchorTable();
  for (const detector of detectors) {
    for (const literal of detector.anchors ?? []) {
      const row = {
        ask: detector.atAnchor,
        kind: kindOf(detector.kind),
        context: -1,
        endsWord: false,
      };
      table.add(literal, row, detector);
    }
    for (const letter of detector.insideWords ?? "") table.insideWords.add(letter.charCodeAt(0));
  }
  for (const [context, words] of Object.entries(contextWords)) {
    for (const word of words) {
      const endsWord = word.endsWith("$");
      const row = {
        ask: undefined,
        kind: -1,
        context: contexts.indexOf(context as Context),
        endsWord,
      };
      table.add(endsWord ? word.slice(0, -1) : word, row, { anyCase: true });
    }
  }
  return table;
}

/** True if the literal begins at `at`. */
export function standsAt({ units }: Source, at: number, anchor: Anchor): boolean {
  const { units: wanted, anyCase } = anchor;
  if (at < 0) return false;
  for (let index = 0; index < wanted.length; index++) {
    const sign = wanted[index] as number;
    const code = units[at + index] as number;
    if (code === sign) continue;
    if (!anyCase || sign < 97 || sign > 122 || (code | 32) !== sign) return false;
  }
  return true;
}
