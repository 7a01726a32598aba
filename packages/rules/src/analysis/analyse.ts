import type { ToolDefinition } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import type { Effect, Rule } from "../rules/rule.js";
import { type RulesOptions, readRules } from "../rules/rules.js";
import { appliesWherever } from "./implies.js";
import { possible } from "./possible.js";

/** Something about a rule that is probably not meant. */
export interface RuleFinding {
  readonly kind: "no_tool" | "never_true" | "always_applies" | "shadowed";
  readonly rule: string;
  /** The place of the rule in the list. */
  readonly index: number;
  /** The rule that decides in its place, if it is shadowed. */
  readonly by?: string | undefined;
  readonly message: string;
}

/** A rule about a tool. */
export interface RuleOfTool {
  readonly id: string;
  readonly effect: Effect;
  /** False for a rule that applies to every call of its tools: it has no condition, and counts nothing. */
  readonly hasCondition: boolean;
}

/** The rules about one tool, in their order. */
export interface RulesOfOneTool {
  readonly tool: string;
  readonly rules: readonly RuleOfTool[];
}

export interface RulesAnalysis {
  readonly tools: readonly RulesOfOneTool[];
  readonly findings: readonly RuleFinding[];
}

/**
 * Says which rules are about which tool, and which rules probably do not do what is meant.
 *
 * It finds rules about no tool, conditions that no value can make true, rules that apply to every
 * call although they have a condition, and rules that never decide since another does before. What
 * it does not see through (CEL, texts, times), it does not report.
 *
 * @throws ToolstileError for options that `rules()` refuses.
 */
export function analyseRules(
  options: RulesOptions,
  tools: readonly ToolDefinition[],
): RulesAnalysis {
  const { rules } = readRules(options);
  return {
    tools: tools.map(({ name }) => ({
      tool: name,
      rules: rules.filter((rule) => isAbout(rule, name)).map(ruleOfTool),
    })),
    findings: rules.flatMap((rule, index) => findingsOf(rule, index, rules, tools)),
  };
}

function ruleOfTool({ id, effect, when, require, repeats, total }: Rule): RuleOfTool {
  const hasCondition = [when, require, repeats, total].some((each) => each !== undefined);
  return { id, effect, hasCondition };
}

function isAbout({ tools }: Rule, name: string): boolean {
  return tools === undefined || tools.covers(name);
}

function findingsOf(
  rule: Rule,
  index: number,
  rules: readonly Rule[],
  tools: readonly ToolDefinition[],
): readonly RuleFinding[] {
  const own = tools.filter(({ name }) => isAbout(rule, name));
  const found = (kind: RuleFinding["kind"], message: string, by?: string): RuleFinding => ({
    kind,
    rule: rule.id,
    index,
    ...(by !== undefined && { by }),
    message: `the rule ${quoted(rule.id)} ${message}`,
  });
  if (tools.length > 0 && own.length === 0)
    return [found("no_tool", "is about none of the tools.")];
  const findings: RuleFinding[] = [];
  if (own.length > 0) for (const each of ofConditions(rule, own, found)) findings.push(each);
  const shadow = rules.find((other, place) => shadows(other, place, rule, index, own));
  if (shadow !== undefined) {
    const message = `never decides: where it applies, the rule ${quoted(shadow.id)} decides.`;
    findings.push(found("shadowed", message, shadow.id));
  }
  return findings;
}

function ofConditions(
  { when, require, repeats, total }: Rule,
  tools: readonly ToolDefinition[],
  found: (kind: RuleFinding["kind"], message: string) => RuleFinding,
): readonly RuleFinding[] {
  const whens = when === undefined ? [] : tools.map((tool) => possible(when, tool, true));
  const requires = require === undefined ? [] : tools.map((tool) => possible(require, tool, false));
  if (when !== undefined && whens.every((each) => !each.true)) {
    return [found("never_true", "has a condition under 'when' that no declared value makes true.")];
  }
  if (require !== undefined && requires.every((each) => !each.false)) {
    return [found("never_true", "requires what is true of every declared value.")];
  }
  const countsToo = repeats !== undefined || total !== undefined;
  const always =
    (when !== undefined || require !== undefined) &&
    whens.every((each) => !each.false) &&
    requires.every((each) => !each.true);
  return always && !countsToo
    ? [found("always_applies", "applies to every call, although it has a condition.")]
    : [];
}

/** Effects that decide in the place of another: an earlier one of its own kind, or a denial of a question. */
function shadows(
  other: Rule,
  place: number,
  rule: Rule,
  index: number,
  tools: readonly ToolDefinition[],
): boolean {
  if (other === rule) return false;
  const isBefore = place < index && other.effect === rule.effect;
  const decides =
    (isBefore && (rule.effect === "deny" || rule.effect === "withhold")) ||
    (other.effect === "deny" && rule.effect === "ask");
  return decides && coversTools(other, rule, tools) && appliesWherever(other, rule);
}

function coversTools(wide: Rule, narrow: Rule, tools: readonly ToolDefinition[]): boolean {
  if (wide.tools === undefined) return true;
  const covers = (name: string): boolean => isAbout(wide, name);
  if (narrow.tools !== undefined && !narrow.hasPatterns) {
    return [...narrow.tools.names].every(covers);
  }
  return tools.length > 0 && tools.every(({ name }) => covers(name));
}
