import { PatternError } from "./expression.js";
import { compileProgram } from "./pattern-program.js";
import { Search } from "./pattern-search.js";
import { parsePattern } from "./pattern-syntax.js";

export { PatternError } from "./expression.js";

/** Patterns of Python's `re`, searched in time that grows with the length of the text and no faster. */
export interface Patterns {
  /**
   * The patterns that match anywhere in one of the texts, as `re.search` finds them.
   *
   * @throws TooMuchWork for a text that would take longer than a check may.
   */
  readonly foundIn: (texts: readonly string[]) => readonly string[];
}

/**
 * Compiles patterns.
 *
 * @throws PatternError that names the index and the pattern, for one that no engine without backtracking can run.
 */
export function compilePatterns(sources: readonly string[], ignoreCase: boolean): Patterns {
  const searches = sources.map((source, index) => {
    try {
      return new Search(compileProgram(parsePattern(source, ignoreCase)));
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      throw new PatternError(
        `has at index ${index} a pattern that cannot be run: ${JSON.stringify(source.slice(0, 80))} ${error.message}`,
      );
    }
  });
  return {
    foundIn: (texts) => {
      const read = texts.map(pointsOf);
      return sources.filter((_, index) =>
        read.some((points) => searches[index]?.isFoundIn(points)),
      );
    },
  };
}

function pointsOf(text: string): Uint32Array {
  const points = new Uint32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; length++) {
    const point = text.codePointAt(at) as number;
    points[length] = point;
    at += point > 0xffff ? 2 : 1;
  }
  return points.subarray(0, length);
}
