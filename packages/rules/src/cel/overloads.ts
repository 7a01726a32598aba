import type { CelEnv, CelFunc, CelType } from "@bufbuild/cel";
import { didYouMean, quoted } from "@toolstile/core/provider";
import { CheckFault } from "./check-fault.js";
import type { Expr } from "./expression-tree.js";
import { anything, kind, maybe, spokenType, type Type, union } from "./types.js";

const numbers = ["int", "uint", "double"];
const equality = new Set(["_==_", "_!=_"]);
const arithmetic = new Set(["_+_", "_-_", "_*_", "_/_", "_%_"]);

/** The functions that there are, and what they take and give. */
export class Overloads {
  readonly #funcs = new Map<string, CelFunc[]>();

  constructor(env: CelEnv) {
    for (const func of env.funcs) {
      const group = this.#funcs.get(func.name);
      if (group === undefined) this.#funcs.set(func.name, [func]);
      else group.push(func);
    }
  }

  has(name: string): boolean {
    return this.#funcs.has(name);
  }

  /** @throws CheckFault if no function of the name takes such values. */
  result(node: Expr, name: string, on: Type | undefined, args: readonly Type[]): Type {
    const group = this.#funcs.get(name);
    if (group === undefined) throw this.#unknown(node, name);
    const fitting = group.filter((func) => fits(func, on, args));
    if (fitting.length === 0) throw noOverload(node, name, on, args);
    if (equality.has(name)) refuseNeverEqual(node, args);
    if (name === "@in") refuseNeverIn(node, args);
    if (arithmetic.has(name)) refuseMixed(node, name, group, args);
    return union(fitting.map(({ result }) => typeOf(result)));
  }

  /** True for the part of a name before its last dot, as in `math.greatest`. */
  hasUnder(name: string): boolean {
    return [...this.#funcs.keys()].some((each) => each.startsWith(`${name}.`));
  }

  #unknown(node: Expr, name: string): CheckFault {
    const names = [...this.#funcs.keys()].filter((each) => /^[a-z]/i.test(each));
    return new CheckFault(
      node,
      `there is no function ${quoted(name)}.${didYouMean(name, names)}`.replace(/\.$/, ""),
    );
  }
}

/** The sign of an operator, or the name of a function. */
export function sign(name: string): string {
  return name.replace(/^_?([^_a-z]+)_?$/, "$1").replace(/^@/, "");
}

function fits(func: CelFunc, on: Type | undefined, args: readonly Type[]): boolean {
  if ((func.target === undefined) !== (on === undefined)) return false;
  if (func.arguments.length !== args.length) return false;
  if (func.target !== undefined && on !== undefined && !takes(func.target, on)) return false;
  return func.arguments.every((taken, index) => takes(taken, args[index] ?? anything));
}

function takes(taken: CelType, given: Type): boolean {
  return taken.name === "dyn" || maybe(given, taken.name);
}

function typeOf({ name }: CelType): Type {
  return name === "dyn" ? anything : kind(name);
}

function noOverload(
  node: Expr,
  name: string,
  on: Type | undefined,
  args: readonly Type[],
): CheckFault {
  const given = args.map(spokenType).join(", ");
  const [left, right] = args;
  if (/^_.*_$|^@in$/.test(name) && left !== undefined && right !== undefined) {
    return new CheckFault(
      node,
      `${quoted(sign(name))} does not take ${spokenType(left)} with ${spokenType(right)}`,
    );
  }
  const target = on === undefined ? "" : ` of ${spokenType(on)}`;
  return new CheckFault(node, `there is no ${quoted(sign(name))}${target} that takes (${given})`);
}

function refuseNeverEqual(node: Expr, [left, right]: readonly Type[]): void {
  if (left === undefined || right === undefined || comparable(left, right)) return;
  throw new CheckFault(node, `${spokenType(left)} is never equal to ${spokenType(right)}`);
}

function refuseNeverIn(node: Expr, [value, range]: readonly Type[]): void {
  if (value === undefined || range === undefined || maybe(range, "map")) return;
  const elements = range.elements?.() ?? anything;
  if (comparable(value, elements)) return;
  throw new CheckFault(
    node,
    `${spokenType(value)} is never in a list of values that are each ${spokenType(elements)}`,
  );
}

function comparable(left: Type, right: Type): boolean {
  if (left.kinds === undefined || right.kinds === undefined) return true;
  const kinds = grouped(right.kinds);
  return [...grouped(left.kinds)].some((name) => kinds.has(name));
}

/** Numbers of all kinds compare with each other. */
function grouped(kinds: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...kinds].map((name) => (numbers.includes(name) ? "number" : name)));
}

/** A JSON number may be whole or not, and CEL adds no int to a double. */
function refuseMixed(
  node: Expr,
  name: string,
  group: readonly CelFunc[],
  [left, right]: readonly Type[],
): void {
  if (left?.kinds === undefined || right?.kinds === undefined) return;
  if (!isAnyNumber(left) && !isAnyNumber(right)) return;
  const pairs = ofNumbers(left).flatMap((one) => ofNumbers(right).map((other) => [one, other]));
  if (pairs.every((pair) => group.some((func) => fits(func, undefined, pair)))) return;
  throw new CheckFault(
    node,
    `${quoted(sign(name))} does not mix int and double, and a JSON number may be either: write double(…) around it`,
  );
}

function isAnyNumber({ kinds }: Type): boolean {
  return kinds?.has("int") === true && kinds.has("double");
}

function ofNumbers({ kinds }: Type): Type[] {
  return [...(kinds ?? [])].filter((name) => numbers.includes(name)).map(kind);
}
