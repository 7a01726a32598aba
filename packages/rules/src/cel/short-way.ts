import type { Pattern } from "../patterns/pattern.js";
import type { Environment } from "./environment.js";
import {
  type Call,
  type Comprehension,
  type Expr,
  identifier,
  literalText,
  qualifiedName,
} from "./expression-tree.js";
import { countNodes } from "./instrument.js";
import { ofJson, ofTexts, orders, type Step, Steps } from "./short-steps.js";

/** Evaluates with the values of the variables; undefined where the library must be asked. */
export type ShortWay = (values: readonly unknown[]) => boolean | undefined;

/** The library takes less than fifty times as much, and so does not give up where this does not. */
const mostUnits = 1_000;

/** Thrown for an expression that has no short way. */
const noShortWay = Symbol("no short way");

/** The place of each name's value. */
interface Scope {
  readonly slots: ReadonlyMap<string, number>;
  readonly next: number;
}

/**
 * Finds the short way of an expression that is made of comparisons, members, `&&`, `||`, `!`, `? :`, `in`, `has`,
 * `size`, functions of texts, and `exists` and `all` over lists; undefined for others.
 *
 * It says true or false only where the library says the same, and nothing where a value is not plain.
 *
 * @param patterns - those of `matches`, by their texts.
 */
export function shortWay(
  expression: Expr,
  variables: readonly string[],
  { env, meter }: Environment,
  patterns: ReadonlyMap<string, Pattern>,
): ShortWay | undefined {
  const slots = new Map(variables.map((name, slot) => [name, slot]));
  const reader = new Reader(
    new Steps(meter),
    patterns,
    (name) => env.funcs.find(name) !== undefined,
  );
  let step: Step;
  try {
    step = reader.step(expression, { slots, next: variables.length });
  } catch (thrown) {
    if (thrown === noShortWay) return undefined;
    throw thrown;
  }
  return (values) => {
    // The library goes through a list that is a variable, whether it is read or not.
    if (values.some(Array.isArray)) return undefined;
    meter.begin(mostUnits);
    try {
      const answer = step(values.map(ofJson));
      return typeof answer === "boolean" ? answer : undefined;
    } catch {
      return undefined;
    }
  };
}

/** Reads an expression. Throws `noShortWay` for what has none. */
class Reader {
  readonly #steps: Steps;
  readonly #patterns: ReadonlyMap<string, Pattern>;
  readonly #isFunction: (name: string) => boolean;

  constructor(
    steps: Steps,
    patterns: ReadonlyMap<string, Pattern>,
    isFunction: (name: string) => boolean,
  ) {
    this.#steps = steps;
    this.#patterns = patterns;
    this.#isFunction = isFunction;
  }

  step(node: Expr | undefined, scope: Scope): Step {
    switch (node?.exprKind.case) {
      case "constExpr":
      case "listExpr":
        return this.#steps.constant(literal(node));
      case "identExpr":
      case "selectExpr":
        return this.#place(node, scope);
      case "callExpr":
        return node.exprKind.value.function === "_[_]"
          ? this.#place(node, scope)
          : this.#call(node.exprKind.value, scope);
      case "comprehensionExpr":
        return this.#macro(node.exprKind.value, scope);
      default:
        throw noShortWay;
    }
  }

  /** A variable, or what is in it. */
  #place(node: Expr | undefined, scope: Scope): Step {
    if (node?.exprKind.case === "identExpr") {
      const slot = scope.slots.get(node.exprKind.value.name);
      if (slot === undefined) throw noShortWay;
      return this.#steps.variable(slot);
    }
    if (node?.exprKind.case === "selectExpr") {
      const { operand, field, testOnly } = node.exprKind.value;
      const of = this.#place(operand, scope);
      return testOnly ? this.#steps.has(of, field) : this.#steps.member(of, field);
    }
    if (node?.exprKind.case !== "callExpr" || node.exprKind.value.function !== "_[_]") {
      throw noShortWay;
    }
    const [operand, index] = node.exprKind.value.args;
    const of = this.#place(operand, scope);
    const at = literal(index);
    if (typeof at === "string") return this.#steps.member(of, at);
    if (typeof at !== "number" || !Number.isInteger(at) || at < 0) throw noShortWay;
    return this.#steps.item(of, at);
  }

  #call({ function: name, target, args }: Call, scope: Scope): Step {
    const qualified = qualifiedName(target);
    // As in `sets.contains`, where `sets` is no value.
    if (qualified !== undefined && this.#isFunction(`${qualified}.${name}`)) throw noShortWay;
    const all = target === undefined ? args : [target, ...args];
    const part = (index: number): Step => this.step(all[index], scope);
    const order = orders.get(name);
    const ofText = target === undefined ? undefined : ofTexts.get(name);
    switch (`${name} ${all.length}`) {
      case "!_ 1":
        return this.#steps.not(part(0));
      case "size 1":
        return this.#steps.size(part(0));
      case "_==_ 2":
      case "_!=_ 2":
        return this.#steps.equal(part(0), part(1), name === "_==_");
      case "@in 2":
        return this.#steps.within(part(0), part(1));
      case "matches 2":
        return this.#steps.matches(part(0), this.#pattern(all[1]));
      case "_?_:_ 3":
        return this.#steps.choice(part(0), part(1), part(2));
    }
    if (name === "_&&_" || name === "_||_") {
      const parts = all.map((each) => this.step(each, scope));
      return this.#steps.every(parts, name === "_&&_");
    }
    if (all.length !== 2) throw noShortWay;
    if (order !== undefined) return this.#steps.ordered(part(0), part(1), order);
    if (ofText !== undefined) return this.#steps.text(part(0), part(1), ofText);
    throw noShortWay;
  }

  #pattern(source: Expr | undefined): Pattern {
    const text = source === undefined ? undefined : literalText(source);
    const pattern = text === undefined ? undefined : this.#patterns.get(text);
    if (pattern === undefined) throw noShortWay;
    return pattern;
  }

  /** `exists` or `all`, as the parser writes them out. */
  #macro(macro: Comprehension, scope: Scope): Step {
    const { accuVar, accuInit, iterVar, iterVar2, iterRange, loopStep, result } = macro;
    const step = loopStep?.exprKind.case === "callExpr" ? loopStep.exprKind.value : undefined;
    const [accumulated, test, ...others] = step?.args ?? [];
    const isExists = step?.function === "_||_" && literal(accuInit) === false;
    const isAll = step?.function === "_&&_" && literal(accuInit) === true;
    if (!isExists && !isAll) throw noShortWay;
    if (identifier(accumulated) !== accuVar || identifier(result) !== accuVar) throw noShortWay;
    if (others.length > 0 || iterVar2 !== "" || loopStep === undefined) throw noShortWay;
    const slots = new Map(scope.slots).set(iterVar, scope.next);
    const inside = { slots, next: scope.next + 1 };
    return this.#steps.macro(
      this.step(iterRange, scope),
      scope.next,
      this.step(test, inside),
      isExists,
      1 + countNodes(loopStep) / 4,
    );
  }
}

/** The value of a literal, or of a list of literals. */
function literal(node: Expr | undefined): unknown {
  if (node?.exprKind.case === "listExpr") {
    const { elements, optionalIndices } = node.exprKind.value;
    if (optionalIndices.length > 0) throw noShortWay;
    const values = elements.map(literal);
    if (values.some(Array.isArray)) throw noShortWay;
    return values;
  }
  if (node?.exprKind.case !== "constExpr") throw noShortWay;
  const { constantKind } = node.exprKind.value;
  switch (constantKind.case) {
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
    case "doubleValue":
      return constantKind.value;
    case "int64Value":
    case "uint64Value": {
      const value = Number(constantKind.value);
      if (Number.isSafeInteger(value)) return value;
    }
  }
  throw noShortWay;
}
