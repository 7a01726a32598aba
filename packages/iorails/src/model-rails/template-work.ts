/** Columns that a filter may indent by. */
const maxIndent = 100;
/** Comparisons of characters that a search makes in one step. */
const comparisonsOfStep = 3_000;

/**
 * Steps that a search for one text in another takes at most.
 *
 * The engine compares a long text with the other anew at each place, where both are made for it.
 */
export function stepsOfSearch(text: unknown, wanted: unknown): number {
  if (typeof text !== "string" || typeof wanted !== "string") return 0;
  return (text.length * wanted.length) / comparisonsOfStep;
}

type Count = (operand: unknown, given: readonly unknown[]) => number;

/** The characters that are made at most, by what can multiply what it is given. */
const growing: ReadonlyMap<string, Count> = new Map<string, Count>([
  [
    "replace",
    (operand, [from, to]) => {
      const text = String(operand);
      return text.length + (text.split(String(from)).length + 1) * String(to).length;
    },
  ],
  [
    "join",
    (operand, [between]) => {
      const count = Array.isArray(operand) ? operand.length : String(operand).length;
      return count * (typeof between === "string" ? between.length : 1);
    },
  ],
  [
    "indent",
    (operand, given) => {
      const lines = String(operand).split("\n").length;
      return lines * mostColumns(given);
    },
  ],
  ["tojson", (_, given) => mostColumns(given)],
]);

/** Filters and methods that look for their first argument in a text. */
const searching: ReadonlySet<string> = new Set(["replace", "split"]);

/** True of a filter or method whose work is not bounded by its operand. */
export function multiplies(name: string): boolean {
  return growing.has(name) || searching.has(name);
}

/** The steps that it takes at most to look for something, known before it is applied. */
export function stepsOf(name: string, operand: unknown, given: readonly unknown[]): number {
  return searching.has(name) ? stepsOfSearch(operand, given[0]) : 0;
}

/** The characters that it makes at most, known before it is applied. */
export function charactersOf(name: string, operand: unknown, given: readonly unknown[]): number {
  return growing.get(name)?.(operand, given) ?? 0;
}

function mostColumns(given: readonly unknown[]): number {
  return given.reduce((most: number, each) => Math.max(most, columns(each)), 0);
}

/** Columns, of a number; a number that is too large is without end. */
function columns(given: unknown): number {
  if (typeof given !== "number") return typeof given === "string" ? given.length : 0;
  return given > maxIndent ? Number.POSITIVE_INFINITY : given;
}
