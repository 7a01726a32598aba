import type { Characters } from "./characters.js";

/** A place in a text, of no width. */
export type Place =
  | "text start"
  | "text end"
  /** The end, or before the line's end that the text ends with. */
  | "last line end"
  | "line start"
  | "line end"
  | "boundary"
  | "no boundary"
  | "ASCII boundary"
  | "no ASCII boundary";

/** A pattern of Python's `re`, reduced to what decides whether it is found: greed and groups are gone. */
export type Expression =
  | { readonly kind: "characters"; readonly characters: Characters }
  | { readonly kind: "place"; readonly place: Place }
  | {
      readonly kind: "look";
      readonly behind: boolean;
      readonly negative: boolean;
      readonly body: Expression;
    }
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  | { readonly kind: "choice"; readonly options: readonly Expression[] }
  | {
      readonly kind: "repeat";
      readonly body: Expression;
      readonly min: number;
      readonly max: number;
    };

/** The reason for which a pattern is refused: it goes on after "the pattern". */
export class PatternError extends Error {}

/** The number of characters that it matches, if that is always the same. */
export function widthOf(part: Expression): number | undefined {
  switch (part.kind) {
    case "characters":
      return 1;
    case "sequence":
      return part.parts.reduce<number | undefined>((sum, inner) => {
        const width = widthOf(inner);
        return sum === undefined || width === undefined ? undefined : sum + width;
      }, 0);
    case "choice": {
      const widths = new Set(part.options.map(widthOf));
      return widths.size === 1 ? [...widths][0] : undefined;
    }
    case "repeat": {
      const width = widthOf(part.body);
      return width === 0 || part.min === part.max ? width && width * part.min : undefined;
    }
    default:
      return 0;
  }
}
