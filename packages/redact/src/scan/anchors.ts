import { contextWords } from "../kinds/context-words.js";
import { type Context, contexts, type Detector } from "../kinds/detector.js";

/** One literal to look for, by the rarest pair of characters in it. */
export interface Anchor {
  readonly literal: string;
  /** Where the pair's second character stands in the literal. */
  readonly offset: number;
  readonly anyCase: boolean;
  /** What to do where it stands: ask a detector, or note a word. */
  readonly detector?: Detector;
  readonly kind: number;
  readonly context: number;
  readonly endsWord: boolean;
}

type Row = Omit<Anchor, "literal" | "offset" | "anyCase">;

/** From frequent to rare, as in logs, JSON and prose. What is not here (capitals, other scripts) is rarer. */
const frequent = ' etaonirslhdcu0123456789m",.:/f_-pgwybv=+kxjqz';

function rarity(literal: string, at: number): number {
  const place = frequent.indexOf(literal.charAt(at));
  return place < 0 ? frequent.length : place;
}

function rarestPair(literal: string): number {
  let best = 1;
  for (let at = 2; at < literal.length; at++) {
    // A pair that ends beyond ASCII is met in texts of its script only.
    const sum = (offset: number) =>
      rarity(literal, offset - 1) +
      rarity(literal, offset) +
      (literal.charCodeAt(offset) > 127 ? frequent.length : 0);
    if (sum(at) > sum(best)) best = at;
  }
  return best;
}

/** Where a pair of characters stands in the table of pairs. Pairs of ASCII have a place each; others may share one. */
export function pairAt(first: number, second: number): number {
  return (((first << 7) ^ second) & 0x3fff) | (second > 127 ? 0x4000 : 0);
}

function forms(letter: string, folds: boolean): readonly number[] {
  const all = folds ? [letter, letter.toUpperCase()] : [letter];
  return [...new Set(all.map((each) => each.charCodeAt(0)))];
}

function variants(literal: string, anyCase: boolean): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the question is whether it is ASCII.
  if (!anyCase || /^[\x00-\x7f]*$/.test(literal)) return [literal];
  const capital = literal.charAt(0).toUpperCase() + literal.slice(1);
  return [...new Set([literal, capital, literal.toUpperCase()])];
}

/** Literals by a pair of their characters, and those of one character by themselves. */
export class AnchorTable {
  /** 0, or the place in `lists` of the anchors that a pair may belong to. */
  readonly pairs = new Uint16Array(0x8000);
  readonly lists: Anchor[][] = [[]];
  readonly singles = new Map<number, Anchor[]>();

  add(literal: string, row: Row, anyCase: boolean): void {
    for (const each of variants(literal, anyCase)) {
      const folds = anyCase && each === literal;
      if (each.length === 1) {
        const code = each.charCodeAt(0);
        const anchor = { ...row, literal: each, offset: 0, anyCase: folds };
        this.singles.set(code, [...(this.singles.get(code) ?? []), anchor]);
        continue;
      }
      const offset = rarestPair(each);
      const anchor = { ...row, literal: each, offset, anyCase: folds };
      const places = forms(each.charAt(offset - 1), folds).flatMap((first) =>
        forms(each.charAt(offset), folds).map((second) => pairAt(first, second)),
      );
      for (const place of new Set(places)) this.#put(place, anchor);
    }
  }

  #put(place: number, anchor: Anchor): void {
    const list = this.pairs[place] as number;
    if (list > 0) {
      this.lists[list]?.push(anchor);
      return;
    }
    this.pairs[place] = this.lists.length;
    this.lists.push([anchor]);
  }
}

/** The anchors of some detectors, and of the context words that they ask for. */
export function anchorsOf(
  detectors: readonly Detector[],
  kindOf: (kind: string) => number,
): AnchorTable {
  const table = new AnchorTable();
  for (const detector of detectors) {
    for (const literal of detector.anchors ?? []) {
      const row = { detector, kind: kindOf(detector.kind), context: -1, endsWord: false };
      table.add(literal, row, detector.anyCase === true);
    }
  }
  for (const [context, words] of Object.entries(contextWords)) {
    for (const word of words) {
      const endsWord = word.endsWith("$");
      const row = { kind: -1, context: contexts.indexOf(context as Context), endsWord };
      table.add(endsWord ? word.slice(0, -1) : word, row, true);
    }
  }
  return table;
}

/** True if the literal stands at `at`. */
export function standsAt(text: string, at: number, { literal, anyCase }: Anchor): boolean {
  for (let index = 0; index < literal.length; index++) {
    const wanted = literal.charCodeAt(index);
    const code = text.charCodeAt(at + index);
    if (code === wanted) continue;
    if (!anyCase || wanted < 97 || wanted > 122 || (code | 32) !== wanted) return false;
  }
  return true;
}
