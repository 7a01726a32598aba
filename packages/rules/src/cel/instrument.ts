import {
  type Call,
  type Comprehension,
  callNode,
  childrenOf,
  doubleNode,
  type Expr,
  identifier,
  nodesOf,
} from "./expression-tree.js";
import { macroNames } from "./functions/macros.js";

/** Counts the nodes of an expression. */
export function countNodes(expression: Expr): number {
  return [...nodesOf(expression)].length;
}

/** Has every macro of an expression take units for each of its passes. Changes the expression itself. */
export function meterMacros(expression: Expr): void {
  for (const child of childrenOf(expression)) meterMacros(child);
  if (expression.exprKind.case !== "comprehensionExpr") return;
  const macro = expression.exprKind.value;
  const { iterRange, loopCondition, loopStep } = macro;
  if (iterRange === undefined || loopCondition === undefined || loopStep === undefined) return;
  const units = countNodes(loopCondition) + countNodes(loopStep);
  macro.iterRange = callNode(iterRange, macroNames.range, [iterRange]);
  macro.loopCondition = callNode(loopCondition, macroNames.pass, [
    loopCondition,
    doubleNode(loopCondition, units),
  ]);
  gatherInPlace(macro);
}

/** `map` and `filter` add one value at a time to a list, which would copy or nest it each time. */
function gatherInPlace(macro: Comprehension): void {
  const { accuInit, loopStep, accuVar } = macro;
  if (accuInit?.exprKind.case !== "listExpr" || loopStep?.exprKind.case !== "callExpr") return;
  if (accuInit.exprKind.value.elements.length > 0) return;
  const step = loopStep.exprKind.value;
  if (step.function === "_?_:_") {
    const [, chosen, otherwise] = step.args;
    if (identifier(otherwise) !== accuVar || chosen?.exprKind.case !== "callExpr") return;
    if (!append(chosen.exprKind.value, accuVar)) return;
  } else if (!append(step, accuVar)) {
    return;
  }
  macro.accuInit = callNode(accuInit, macroNames.none, []);
}

/** Turns `list + [value]` into an append. Returns false for anything else. */
function append(call: Call, accuVar: string): boolean {
  const [list, added] = call.args;
  if (call.function !== "_+_" || list === undefined || identifier(list) !== accuVar) return false;
  if (added?.exprKind.case !== "listExpr") return false;
  const [value, ...others] = added.exprKind.value.elements;
  if (value === undefined || others.length > 0) return false;
  call.function = macroNames.append;
  call.args = [list, value];
  return true;
}
