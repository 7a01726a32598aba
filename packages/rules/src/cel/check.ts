import { didYouMean, quoted } from "@toolstile/core/provider";
import { CheckFault } from "./check-fault.js";
import type { Environment } from "./environment.js";
import {
  type Call,
  type Comprehension,
  childrenOf,
  type Expr,
  literalText,
  qualifiedName,
  type Select,
  type SourceInfo,
} from "./expression-tree.js";
import { Overloads, sign } from "./overloads.js";
import { anything, kind, listOf, maybe, spokenType, type Type, union } from "./types.js";

type Scope = ReadonlyMap<string, Type>;

const typeNames = [
  "bool",
  "bytes",
  "double",
  "int",
  "list",
  "map",
  "null_type",
  "string",
  "type",
  "uint",
];
const logic = new Set(["_&&_", "_||_", "!_"]);
const boolean = kind("bool");

/** Finds names and types that are wrong in every call, before there is one. */
export class Checker {
  readonly #overloads: Overloads;
  readonly #macros: SourceInfo["macroCalls"];

  constructor({ env }: Environment, source: SourceInfo) {
    this.#overloads = new Overloads(env);
    this.#macros = source.macroCalls;
  }

  /** @throws CheckFault for the first fault. */
  check(expression: Expr, variables: Scope): void {
    const type = this.#type(expression, variables);
    if (maybe(type, "bool")) return;
    throw new CheckFault(
      expression,
      `the expression must be true or false, and is ${spokenType(type)}`,
    );
  }

  #type(node: Expr, scope: Scope): Type {
    const { exprKind } = node;
    switch (exprKind.case) {
      case "constExpr":
        return constantType(exprKind.value.constantKind.case);
      case "identExpr":
        return this.#identifier(node, exprKind.value.name, scope);
      case "selectExpr":
        return this.#select(node, exprKind.value, scope);
      case "callExpr":
        return this.#call(node, exprKind.value, scope);
      case "listExpr": {
        const types = exprKind.value.elements.map((each) => this.#type(each, scope));
        return listOf(() => union(types));
      }
      case "comprehensionExpr":
        return this.#macro(node, exprKind.value, scope);
      case "structExpr":
        for (const child of childrenOf(node)) this.#type(child, scope);
        return exprKind.value.messageName === "" ? kind("map") : anything;
      default:
        return anything;
    }
  }

  #identifier(node: Expr, name: string, scope: Scope): Type {
    const type = scope.get(name.replace(/^\./, ""));
    if (type !== undefined) return type;
    if (typeNames.includes(name)) return kind("type");
    const known = [...scope.keys()].filter((each) => !each.startsWith("@"));
    throw new CheckFault(
      node,
      `there is no variable ${quoted(name)}.${didYouMean(name, known)} There are: ${known.join(", ") || "none"}`,
    );
  }

  #select(node: Expr, { operand, field }: Select, scope: Scope): Type {
    const qualified = qualifiedName(node);
    if (qualified?.startsWith("google.protobuf.") === true) return kind("type");
    const type = operand === undefined ? anything : this.#type(operand, scope);
    const member = memberOf(node, type, field, "declared");
    const testsOnly = node.exprKind.case === "selectExpr" && node.exprKind.value.testOnly;
    return testsOnly ? boolean : member;
  }

  #call(node: Expr, call: Call, scope: Scope): Type {
    const { function: name, target, args } = call;
    const qualified = qualifiedName(target);
    if (qualified !== undefined && this.#overloads.hasUnder(qualified) && !scope.has(qualified)) {
      const types = args.map((each) => this.#type(each, scope));
      return this.#overloads.result(node, `${qualified}.${name}`, undefined, types);
    }
    const types = args.map((each) => this.#type(each, scope));
    if (logic.has(name)) return this.#logic(name, args, types);
    switch (name) {
      case "@not_strictly_false":
        return boolean;
      case "_?_:_":
        this.#logic(name, args.slice(0, 1), types.slice(0, 1));
        return union(types.slice(1));
      case "_[_]":
        return index(node, args, types);
      case "matches":
        literalPattern(node, args.at(-1));
    }
    const on = target === undefined ? undefined : this.#type(target, scope);
    return this.#overloads.result(node, name, on, types);
  }

  #logic(name: string, nodes: readonly Expr[], types: readonly Type[]): Type {
    for (const [index, type] of types.entries()) {
      if (maybe(type, "bool")) continue;
      throw new CheckFault(
        nodes[index] as Expr,
        `what ${quoted(sign(name))} takes must be true or false, and is ${spokenType(type)}`,
      );
    }
    return boolean;
  }

  #macro(node: Expr, macro: Comprehension, scope: Scope): Type {
    const { iterVar, accuVar, iterRange, loopCondition, loopStep } = macro;
    const range = iterRange === undefined ? anything : this.#type(iterRange, scope);
    const written = this.#macros[String(node.id)]?.exprKind;
    const name = written?.case === "callExpr" ? written.value.function : "";
    if (!maybe(range, "list") && !maybe(range, "map")) {
      throw new CheckFault(
        node,
        `${quoted(name)} goes over a list or a map, and not ${spokenType(range)}`,
      );
    }
    const element = elementOf(range);
    const inner = new Map([...scope, [iterVar, element], [accuVar, anything]]);
    if (loopCondition !== undefined) this.#type(loopCondition, inner);
    if (loopStep !== undefined) this.#type(loopStep, inner);
    if (name === "map") {
      const mapped = written?.case === "callExpr" ? written.value.args.at(-1) : undefined;
      return listOf(() => (mapped === undefined ? anything : this.#type(mapped, inner)));
    }
    return name === "filter" ? listOf(() => element) : boolean;
  }
}

/** The keys of a map are strings in JSON. */
function elementOf(range: Type): Type {
  if (!maybe(range, "map")) return range.elements?.() ?? anything;
  return maybe(range, "list") ? anything : kind("string");
}

function memberOf(node: Expr, type: Type, name: string, least: "declared" | "exact"): Type {
  if (!maybe(type, "map")) {
    throw new CheckFault(node, `${quoted(name)} cannot be a member of ${spokenType(type)}`);
  }
  const { members, others } = type;
  const member = members?.get(name);
  if (member !== undefined) return member();
  if (others === "exact" || (others === "declared" && least === "declared")) {
    const known = [...(members?.keys() ?? [])];
    throw new CheckFault(
      node,
      `there is no member ${quoted(name)}.${didYouMean(name, known)} There are: ${known.join(", ") || "none"}`,
    );
  }
  return anything;
}

function index(node: Expr, [, key]: readonly Expr[], [on, by]: readonly Type[]): Type {
  if (on === undefined || by === undefined) return anything;
  const name = key === undefined ? undefined : literalText(key);
  if (name !== undefined && !maybe(on, "list")) return memberOf(node, on, name, "exact");
  if (maybe(on, "list") || maybe(on, "map")) {
    return maybe(on, "map") ? anything : (on.elements?.() ?? anything);
  }
  throw new CheckFault(
    node,
    `'[…]' takes a value out of a list or a map, and not out of ${spokenType(on)}`,
  );
}

function literalPattern(node: Expr, pattern: Expr | undefined): void {
  if (pattern !== undefined && literalText(pattern) !== undefined) return;
  throw new CheckFault(
    node,
    "the pattern of 'matches' must be a literal, so that its cost is known",
  );
}

function constantType(name: string | undefined): Type {
  switch (name) {
    case "int64Value":
      return kind("int");
    case "uint64Value":
      return kind("uint");
    case "nullValue":
      return kind("null_type");
    default:
      return name === undefined ? anything : kind(name.replace(/Value$/, ""));
  }
}
