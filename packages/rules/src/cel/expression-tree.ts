import type { Cel } from "./load.js";

type Parsed = ReturnType<Cel["parse"]>;
/** A node of a parsed expression. */
export type Expr = NonNullable<Parsed["expr"]>;
export type SourceInfo = NonNullable<Parsed["sourceInfo"]>;
export type Call = Extract<Expr["exprKind"], { case: "callExpr" }>["value"];
export type Select = Extract<Expr["exprKind"], { case: "selectExpr" }>["value"];
export type Comprehension = Extract<Expr["exprKind"], { case: "comprehensionExpr" }>["value"];
type Constant = Extract<Expr["exprKind"], { case: "constExpr" }>["value"];

/** The nodes directly below a node. */
export function childrenOf({ exprKind }: Expr): readonly Expr[] {
  switch (exprKind.case) {
    case "callExpr":
      return present([exprKind.value.target, ...exprKind.value.args]);
    case "selectExpr":
      return present([exprKind.value.operand]);
    case "listExpr":
      return exprKind.value.elements;
    case "structExpr":
      return present(
        exprKind.value.entries.flatMap(({ keyKind, value }) => [
          keyKind.case === "mapKey" ? keyKind.value : undefined,
          value,
        ]),
      );
    case "comprehensionExpr": {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
      return present([iterRange, accuInit, loopCondition, loopStep, result]);
    }
    default:
      return [];
  }
}

/** A node, and all nodes below it. */
export function* nodesOf(expression: Expr): Iterable<Expr> {
  const waiting = [expression];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    for (const each of childrenOf(next)) waiting.push(each);
  }
}

function present(nodes: readonly (Expr | undefined)[]): readonly Expr[] {
  return nodes.filter((node) => node !== undefined);
}

/** Makes a call in the place of a node. */
export function callNode(place: Expr, name: string, args: readonly Expr[]): Expr {
  const value = { $typeName: "cel.expr.Expr.Call", function: name, args: [...args] } as Call;
  return node(place, { case: "callExpr", value });
}

/** Makes a constant in the place of a node. */
export function doubleNode(place: Expr, double: number): Expr {
  const constantKind = { case: "doubleValue", value: double } as const;
  const value = { $typeName: "cel.expr.Constant", constantKind } as Constant;
  return node(place, { case: "constExpr", value });
}

function node({ id }: Expr, exprKind: Expr["exprKind"]): Expr {
  return { $typeName: "cel.expr.Expr", id, exprKind } as Expr;
}

/** The text of a literal, if the node is one. */
export function literalText({ exprKind }: Expr): string | undefined {
  if (exprKind.case !== "constExpr") return undefined;
  const { constantKind } = exprKind.value;
  return constantKind.case === "stringValue" ? constantKind.value : undefined;
}

/** The name of a plain identifier, if the node is one. */
export function identifier(node: Expr | undefined): string | undefined {
  return node?.exprKind.case === "identExpr" ? node.exprKind.value.name : undefined;
}

/** A name with dots, as in `math.greatest`, if the node is one. */
export function qualifiedName(node: Expr | undefined): string | undefined {
  if (node?.exprKind.case !== "selectExpr") return identifier(node);
  const { operand, field, testOnly } = node.exprKind.value;
  const parent = testOnly ? undefined : qualifiedName(operand);
  return parent === undefined ? undefined : `${parent}.${field}`;
}
