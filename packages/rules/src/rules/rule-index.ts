import type { Check } from "../checks/check.js";
import { ownCopy } from "../checks/own-copy.js";
import type { Condition } from "../conditions/condition.js";
import type { Effect, Rule } from "./rule.js";

/** The rules about one tool, by what they do. Each list is in the order of the rules. */
export interface RulesOfTool {
  readonly deny: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly change: readonly Rule[];
  readonly withhold: readonly Rule[];
  readonly cut: readonly Rule[];
  /** Those among them that count. */
  readonly counting: readonly Rule[];
  readonly all: readonly Rule[];
}

/** The number of tools that no rule names whose rules are remembered. */
const remembered = 1_000;
const longestRemembered = 256;

/** Finds the rules about a tool, at a cost that does not depend on the number of rules. */
export class RuleIndex {
  readonly #rules: readonly Rule[];
  readonly #named = new Map<string, RulesOfTool>();
  readonly #others = new Map<string, RulesOfTool>();
  readonly #forAll: RulesOfTool | undefined;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    for (const name of this.names) this.#named.set(name, this.#find(name, gathered));
    // With no patterns, all tools without rules of their own have the same rules.
    const hasPatterns = rules.some((rule) => rule.hasPatterns);
    this.#forAll = hasPatterns
      ? undefined
      : ofTool(rules.filter(({ tools }) => tools === undefined));
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#rules.flatMap(({ tools }) => [...(tools?.names ?? [])]));
  }

  of(toolName: string): RulesOfTool {
    return this.#named.get(toolName) ?? this.#forAll ?? this.#ofOther(toolName);
  }

  #ofOther(toolName: string): RulesOfTool {
    const known = this.#others.get(toolName);
    if (known !== undefined) return known;
    const found = this.#find(toolName);
    if (toolName.length > longestRemembered) return found;
    if (this.#others.size >= remembered) this.#others.clear();
    this.#others.set(ownCopy(toolName), found);
    return found;
  }

  #find(toolName: string, kept: (rule: Rule) => Rule = (rule) => rule): RulesOfTool {
    const own = this.#rules.filter(({ tools }) => tools === undefined || tools.covers(toolName));
    return ofTool(own.map(kept));
  }
}

/**
 * Copies a rule for one tool. The rules about a tool then lie together in
 * memory, where a call reads them one after the other: apart, each part of
 * each rule is waited for, and that takes longer than what is done with it.
 */
function gathered(rule: Rule): Rule {
  const when = rule.when && gatheredCondition(rule.when);
  const require = rule.require && gatheredCondition(rule.require);
  return { ...rule, when, require };
}

function gatheredCondition(condition: Condition): Condition {
  switch (condition.kind) {
    case "value": {
      const { kind, place, optional, several, checks } = condition;
      return { kind, place, optional, several, checks: checks.map(gatheredCheck) };
    }
    case "all":
    case "any":
      return { kind: condition.kind, of: condition.of.map(gatheredCondition) };
    case "not":
      return { kind: "not", of: gatheredCondition(condition.of) };
    default:
      return condition;
  }
}

/** Written out: members of a copy by `...` are read slower. */
function gatheredCheck({ name, operand, kinds, mostValues, test, doubt }: Check): Check {
  return { name, operand, kinds, mostValues, test, doubt };
}

function ofTool(all: readonly Rule[]): RulesOfTool {
  const of = (effect: Effect) => all.filter((rule) => rule.effect === effect);
  return {
    deny: of("deny"),
    ask: of("ask"),
    change: of("change"),
    withhold: of("withhold"),
    cut: of("cut"),
    counting: all.filter(({ repeats, total }) => repeats !== undefined || total !== undefined),
    all,
  };
}
