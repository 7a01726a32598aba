import type { CelFunc } from "@bufbuild/cel";
import type { Pattern } from "../../patterns/pattern.js";
import { ExpressionFault } from "../fault.js";
import type { Cel } from "../load.js";
import type { Meter } from "../meter.js";

/** The patterns of the expression that is evaluated, by their texts. All of them are literals. */
export class LiteralPatterns {
  readonly #meter: Meter;
  current: ReadonlyMap<string, Pattern> = new Map();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  /** @throws ExpressionFault for a pattern that is not one of the expression's own. */
  test(text: string, source: string): boolean {
    const pattern = this.current.get(source);
    if (pattern === undefined) throw new ExpressionFault("invalid_argument");
    this.#meter.take(text.length * pattern.unitsPerCharacter);
    return pattern.test(text);
  }
}

export function matchFunctions(cel: Cel, patterns: LiteralPatterns): readonly CelFunc[] {
  const { BOOL, STRING } = cel.CelScalar;
  return [
    cel.celMethod("matches", STRING, [STRING], BOOL, function (source) {
      return patterns.test(this, source);
    }),
    cel.celFunc("matches", [STRING, STRING], BOOL, (text, source) => patterns.test(text, source)),
  ];
}
