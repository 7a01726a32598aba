import { compilePattern, type Pattern } from "../patterns/pattern.js";
import { type Expr, literalText, nodesOf } from "./expression-tree.js";

/** Compiles the patterns of `matches` that are literals. */
export function literalPatterns(
  expression: Expr,
  refuse: (id: bigint, problem: string) => void,
): ReadonlyMap<string, Pattern> {
  const patterns = new Map<string, Pattern>();
  for (const next of nodesOf(expression)) {
    if (next.exprKind.case !== "callExpr" || next.exprKind.value.function !== "matches") continue;
    const source = literalText(next.exprKind.value.args.at(-1) ?? next);
    if (source === undefined) continue;
    try {
      patterns.set(source, compilePattern(source));
    } catch (error) {
      refuse(next.id, `the pattern cannot be used: ${(error as Error).message}`);
    }
  }
  return patterns;
}
