import { RE2JS } from "re2js";

/** A pattern that takes time in proportion to the text, whatever stands in either. */
export interface Pattern {
  /** True if it is found anywhere in the text. */
  readonly test: (text: string) => boolean;
  /** The cost of one character of the text at worst, in units of a meter. */
  readonly unitsPerCharacter: number;
}

/** The most units that one search may take. */
export const mostPatternUnits = 50_000;
const longestPattern = 2_000;
const mostInstructions = 1_000;
/** A unit is a call of a function. The engine takes some 8 ns for an instruction and a character. */
const instructionsPerUnit = 32;

/**
 * Compiles a pattern of RE2: no look-around and no back-references.
 *
 * @throws Error that says what is wrong with it.
 */
export function compilePattern(source: string): Pattern {
  if (source.length > longestPattern) {
    throw new Error(`it must have at most ${longestPattern} characters`);
  }
  const program = compiled(source);
  const instructions = program.programSize();
  if (instructions > mostInstructions) {
    throw new Error(
      `it must come to at most ${mostInstructions} instructions of RE2, and comes to ${instructions}`,
    );
  }
  return {
    test: (text) => program.test(text),
    unitsPerCharacter: instructions / instructionsPerUnit,
  };
}

function compiled(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const told = error instanceof Error ? error.message : "";
    throw new Error(told.replace(/^error parsing regexp: /, "") || "RE2 cannot read it");
  }
}
