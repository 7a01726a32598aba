import type { Expression } from "./syntax.js";

/** True if it matches no empty text. */
export function consumes(part: Expression): boolean {
  switch (part.kind) {
    case "set":
      return true;
    case "sequence":
      return part.parts.some(consumes);
    case "choice":
      return part.options.every(consumes);
    case "repeat":
      return part.min > 0 && consumes(part.body);
    default:
      return false;
  }
}

/** The number of code points that it matches, if that is always the same. */
export function lengthOf(part: Expression): number | undefined {
  switch (part.kind) {
    case "set":
      return 1;
    case "sequence":
      return part.parts.reduce<number | undefined>((sum, inner) => {
        const length = lengthOf(inner);
        return sum === undefined || length === undefined ? undefined : sum + length;
      }, 0);
    case "choice": {
      const lengths = new Set(part.options.map(lengthOf));
      return lengths.size === 1 ? lengths.values().next().value : undefined;
    }
    case "repeat": {
      const length = lengthOf(part.body);
      return part.min === part.max && length !== undefined ? length * part.min : undefined;
    }
    default:
      return 0;
  }
}

export function looksAhead(part: Expression): boolean {
  switch (part.kind) {
    case "look":
      return true;
    case "sequence":
      return part.parts.some(looksAhead);
    case "choice":
      return part.options.some(looksAhead);
    case "repeat":
      return looksAhead(part.body);
    default:
      return false;
  }
}
