import { continuesAfter, continuesBefore } from "../text/marks.js";
import type { Source } from "../text/source.js";
import type { Before, Context, Place } from "./before.js";

type Found = Place | undefined;

/** Groups of digits by their length and by what stands around them. */
export interface DigitGroups {
  readonly from: number;
  /** From 20 on, all lengths are one. */
  readonly to: number;
  /** Signs one of which follows. Default: anything. */
  readonly next?: string;
  /** A word of that context stands not far before. */
  readonly behind?: Context;
}

/** One way in which items of a kind are found. Its work at one place is bounded. */
export interface Detector {
  readonly kind: string;
  /** One of these literals stands in every item, from `at` to `anchorEnd`. */
  readonly anchors?: readonly string[];
  /** The literals are lower case, and stand for upper case too. */
  readonly anyCase?: boolean;
  /** Small letters with which a literal may begin behind another one. */
  readonly insideWords?: string;
  /** For anchors of one sign or two letters: the ASCII signs one of which follows; beyond ASCII anything may. Default: anything. */
  readonly next?: string;
  readonly atAnchor?: (source: Source, at: number, before: Before, anchorEnd: number) => Found;
  /** The groups of digits that `atDigits` is asked of. None of them stands behind a letter or `_`. */
  readonly groups?: readonly DigitGroups[];
  readonly atDigits?: (source: Source, at: number, before: Before, groupEnd: number) => Found;
  /** Asked of each run of 16 or more characters of base64. */
  readonly atRun?: (source: Source, start: number, before: Before, end: number) => Found;
}

/** True for `ghp_xxxxxxxxxx` and the like, which stand for a token. */
export function isFilledUp(token: string): boolean {
  let same = 0;
  let previous = -1;
  for (let at = 0; at < token.length && same < 8; at++) {
    const code = token.charCodeAt(at);
    same = code === previous ? same + 1 : 1;
    previous = code;
  }
  return same >= 8;
}

const hyphen = 45;
const underscore = 95;

/** True behind a word or a mark. A line of a diff may begin with `-`, and `_` parts an item from a name or emphasises it. */
export function joinsBefore(source: Source, at: number): boolean {
  const { units } = source;
  const previous = at > 0 ? units[at - 1] : 0;
  if (previous === underscore) return false;
  if (previous !== hyphen) return continuesBefore(source, at);
  return at > 1 && (units[at - 2] === hyphen || continuesBefore(source, at - 1));
}

/** Items that begin with their anchor and have one shape. `valid` is what the shape cannot say. */
export function shaped(row: {
  readonly kind: string;
  readonly anchors: readonly string[];
  readonly anyCase?: boolean;
  /** Sticky. */
  readonly shape: RegExp;
  readonly valid?: (item: string) => boolean;
  /** The value may be an item of another kind, which gives the name. Default: nothing else is looked for in an item. */
  readonly mayBeOther?: boolean;
}): Detector {
  const { shape, valid, mayBeOther = false } = row;
  return {
    ...row,
    atAnchor(source, at, before) {
      if (joinsBefore(source, at)) return undefined;
      const { text } = source;
      shape.lastIndex = at;
      if (!shape.test(text)) return undefined;
      const end = shape.lastIndex;
      if (!continuesAfter(source, end)) {
        const item = text.slice(at, end);
        if (valid === undefined ? !isFilledUp(item) : valid(item)) {
          if (!mayBeOther) before.passOver(end);
          return { start: at, end };
        }
      }
      before.doubt(at, at, end);
      return undefined;
    },
  };
}
