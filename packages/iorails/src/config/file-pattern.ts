import { compilePatterns, PatternError } from "../detection/patterns.js";

/**
 * Tells if a file's name fits a shell pattern: `*`, `?`, `[a-z]`, `[!a-z]`.
 *
 * The whole name must fit, with its case. Nothing fits a pattern that is too long to be run.
 */
export function shellPattern(pattern: string): (name: string) => boolean {
  // A `]` that comes first belongs to the set.
  const parts = pattern.replace(
    /\[!(.[^\]]*)\]|\[([^!][^\]]*)\]|./gsu,
    (whole, others: string | undefined, set: string | undefined) => {
      if (others !== undefined) return setOf(others, "^");
      if (set !== undefined) return setOf(set, "");
      return whole === "*" ? ".*" : whole === "?" ? "." : sign(whole);
    },
  );
  try {
    const compiled = compilePatterns([`(?s)\\A${parts}\\Z`], false);
    return (name) => compiled.foundIn([name]).length > 0;
  } catch (error) {
    if (error instanceof PatternError) return () => false;
    throw error;
  }
}

function setOf(written: string, negation: string): string {
  const ranges = Array.from(written.matchAll(/(.)-(.)|./gsu), ([whole, low, high]) => {
    if (low === undefined || high === undefined) return sign(whole);
    return low <= high ? `${sign(low)}-${sign(high)}` : "";
  }).join("");
  if (ranges !== "") return `[${negation}${ranges}]`;
  return negation === "" ? "(?!)" : ".";
}

/** A character as Python's patterns write it by its number. */
function sign(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  return `\\U${character.codePointAt(0)?.toString(16).padStart(8, "0")}`;
}
