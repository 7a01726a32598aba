import { continuesAfter, continuesBefore } from "../text/marks.js";

/** The place of an item in a text, in UTF-16 units. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** What words before an item say about it. */
export const contexts = [
  "awsSecret",
  "twilio",
  "phone",
  "ssn",
  "card",
  "number",
  "version",
] as const;
export type Context = (typeof contexts)[number];

/** Words of these say that what follows is something else. */
const contrary: readonly Context[] = ["number", "version"];

/** What the pass has read before the place that is judged. */
export class Before {
  readonly #ends: Float64Array;
  /** Look-ups that cost far more than reading, in the whole text. */
  readonly costs: { lookUps: number };

  constructor(
    ends: Float64Array = new Float64Array(contexts.length).fill(Number.NEGATIVE_INFINITY),
    costs = { lookUps: 0 },
  ) {
    this.#ends = ends;
    this.costs = costs;
  }

  /** True if a word of that context ends at most so many units before `at`, with no mark between. */
  says(context: Context, at: number, within: number): boolean {
    return at - (this.#ends[numberOf[context]] as number) <= within;
  }

  note(context: number, end: number): void {
    this.#ends[context] = end;
  }

  /**
   * At the end of a mark: what it hid is not known.
   *
   * It may have had a word that kept what follows from being found, and what
   * was not found beside it must not be found now.
   */
  passMark(end: number): void {
    this.#ends.fill(Number.NEGATIVE_INFINITY);
    for (const context of contrary) this.#ends[numberOf[context]] = end;
  }

  /** As read from a place `at` on, for a text that stands there in another form. */
  from(at: number): Before {
    return new Before(
      this.#ends.map((end) => end - at),
      this.costs,
    );
  }
}

const numberOf = Object.fromEntries(contexts.map((context, index) => [context, index])) as Readonly<
  Record<Context, number>
>;

type Found = Place | undefined;

/** One way in which items of a kind are found. Its work at one place is bounded. */
export interface Detector {
  readonly kind: string;
  /** One of these literals stands in every item, from `at` to `anchorEnd`. */
  readonly anchors?: readonly string[];
  /** The literals are lower case, and stand for upper case too. */
  readonly anyCase?: boolean;
  readonly atAnchor?: (text: string, at: number, before: Before, anchorEnd: number) => Found;
  /** Asked of each group of digits. */
  readonly atDigits?: (text: string, at: number, before: Before, groupEnd: number) => Found;
  /** Asked of each run of 16 or more characters of base64. */
  readonly atRun?: (text: string, start: number, before: Before, end: number) => Found;
}

/** True for `ghp_xxxxxxxxxx` and the like, which stand for a token. */
export function isFilledUp(token: string): boolean {
  let same = 1;
  for (let at = 1; at < token.length && same < 8; at++) {
    same = token.charCodeAt(at) === token.charCodeAt(at - 1) ? same + 1 : 1;
  }
  return same >= 8;
}

/** Items that begin with their anchor and have one shape. `valid` is what the shape cannot say. */
export function shaped(row: {
  readonly kind: string;
  readonly anchors: readonly string[];
  readonly anyCase?: boolean;
  /** Sticky. */
  readonly shape: RegExp;
  readonly valid?: (item: string) => boolean;
}): Detector {
  const { shape, valid } = row;
  return {
    ...row,
    atAnchor(text, at) {
      if (text.charCodeAt(at - 1) === 45 || continuesBefore(text, at)) return undefined;
      shape.lastIndex = at;
      if (!shape.test(text)) return undefined;
      const end = shape.lastIndex;
      if (continuesAfter(text, end)) return undefined;
      const item = text.slice(at, end);
      return (valid === undefined ? !isFilledUp(item) : valid(item))
        ? { start: at, end }
        : undefined;
    },
  };
}
