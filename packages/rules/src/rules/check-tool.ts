import type { ToolDefinition } from "@toolstile/core";
import { didYouMean, invalidOption, quoted } from "@toolstile/core/provider";
import { compileExpression } from "../cel/compile.js";
import { typeOfSchema } from "../cel/schema-types.js";
import { anything, maybe, type Type } from "../cel/types.js";
import type { ValueKind } from "../checks/check.js";
import { type Condition, type Place, within } from "../conditions/condition.js";
import { celVariables } from "../conditions/read-condition.js";
import { kindsOfAddends } from "../counting/total.js";
import type { Rule } from "./rule.js";
import { RuleFaults } from "./rule-faults.js";

/** The words that types have for the kinds of JSON values. */
const kindsOfTypes: Readonly<Record<ValueKind, readonly string[]>> = {
  string: ["string"],
  number: ["int", "double"],
  boolean: ["bool"],
  null: ["null_type"],
  list: ["list"],
  object: ["map"],
};

/**
 * Holds the rules about a tool to what it declares: a misspelt member would be found at no call.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` that names the rule, the place and the nearest name.
 */
export function checkTool(rules: readonly Rule[], tool: ToolDefinition): void {
  const faults = new RuleFaults();
  for (const rule of rules) {
    if (rule.tools !== undefined && !rule.tools.covers(tool.name)) continue;
    faults.attempt(rule.id, () => new ToolCheck(rule, tool).check());
  }
  faults.throwIfAny();
}

class ToolCheck {
  readonly #rule: Rule;
  readonly #tool: ToolDefinition;
  readonly #args: Type;
  /** True if the rule names the tool. Otherwise it may be about members that only some tools have. */
  readonly #isNamed: boolean;

  constructor(rule: Rule, tool: ToolDefinition) {
    this.#rule = rule;
    this.#tool = tool;
    this.#args = typeOfSchema(tool.parameters ?? true);
    this.#isNamed = rule.tools?.names.has(tool.name) === true;
  }

  check(): void {
    const { when, require, changes, total } = this.#rule;
    for (const condition of [when, require]) {
      if (condition !== undefined) for (const each of within(condition)) this.#condition(each);
    }
    for (const { written, pointer, transformation } of changes) {
      const place: Place = { source: "at", written, pointer };
      this.#type(place, transformation.creates || this.#isNamed);
    }
    if (total !== undefined) {
      const { at, pointer, of } = total;
      const place: Place = { source: "at", written: at, pointer };
      const name = of === "length" ? "total of length" : "total";
      this.#kinds(place, this.#type(place, true), name, kindsOfAddends[of]);
    }
  }

  #condition(condition: Condition): void {
    if (condition.kind === "present") this.#type(condition.place, this.#isNamed);
    if (condition.kind === "value") {
      const { place, optional, checks } = condition;
      const type = this.#type(place, this.#isNamed || !optional);
      for (const { name, kinds } of checks) this.#kinds(place, type, name, kinds);
    }
    if (condition.kind === "cel") {
      const { parameters = true, outputSchema = true } = this.#tool;
      compileExpression(condition.text, {
        variables: celVariables({ result: this.#isOfResults }, parameters, outputSchema),
        where: `${this.#rule.where}: for the tool ${quoted(this.#tool.name)}`,
      });
    }
  }

  get #isOfResults(): boolean {
    return this.#rule.effect === "withhold" || this.#rule.effect === "cut";
  }

  /** The type of what a place leads to. Nothing is known of what the host and the result hold. */
  #type(place: Place, mustBeThere: boolean): Type {
    const [first, ...rest] = place.pointer;
    if (place.source === "at") return this.#follow(this.#args, place, place.pointer, mustBeThere);
    if (place.source !== "result" || first !== "structured") return anything;
    const type = typeOfSchema(this.#tool.outputSchema ?? true);
    return this.#follow(type, place, rest, mustBeThere);
  }

  #follow(root: Type, place: Place, names: readonly string[], mustBeThere: boolean): Type {
    let type = root;
    for (const name of names) {
      const inside = stepInto(type, name);
      if (inside === undefined) {
        if (!mustBeThere) return anything;
        throw this.#missing(place, type, name);
      }
      type = inside;
    }
    return type;
  }

  #missing({ source, written }: Place, type: Type, name: string): Error {
    const known = [...(type.members?.keys() ?? [])];
    const there = known.length === 0 ? "" : ` There are: ${known.join(", ")}.`;
    const way = this.#isNamed
      ? ""
      : " For tools that do not have it, write optional: true, or name the tools.";
    return this.#fault(
      `'${source}' leads to ${quoted(written)}, and there is no ${quoted(name)}.${didYouMean(name, known)}${there}${way}`,
    );
  }

  #kinds({ source, written }: Place, type: Type, check: string, kinds: readonly ValueKind[]): void {
    if (kinds.some((kind) => kindsOfTypes[kind].some((name) => maybe(type, name)))) return;
    const entries = maybe(type, "list") && type.kinds !== undefined;
    const adds = check === "total" && maybe(type, "string");
    const hint = entries
      ? ` For each entry, write ${written}/*.`
      : adds
        ? " To add up the lengths of texts, write of: length."
        : "";
    throw this.#fault(
      `'${check}' asks about a ${kinds.join(" or a ")}, and '${source}' leads to something else at ${quoted(written)}.${hint}`,
    );
  }

  #fault(problem: string): Error {
    const { where, id } = this.#rule;
    const tool = quoted(this.#tool.name);
    return invalidOption(`${where} (${id})`, `for the tool ${tool}, ${problem}`);
  }
}

/** The type of a member or of each entry; undefined if there is no such member. */
function stepInto(type: Type, name: string): Type | undefined {
  if (!maybe(type, "map") && !maybe(type, "list")) return undefined;
  if (name === "*")
    return maybe(type, "map") && type.kinds !== undefined ? anything : elementsOf(type);
  const member = type.members?.get(name);
  if (member !== undefined) return member();
  if (maybe(type, "list") && /^\d+$/.test(name)) return elementsOf(type);
  if (!maybe(type, "map")) return undefined;
  return type.others === "declared" || type.others === "exact" ? undefined : anything;
}

function elementsOf({ elements }: Type): Type {
  return elements?.() ?? anything;
}
