import type { InspectedGuard } from "@toolstile/config";
import type { ToolDefinition } from "@toolstile/core";
import { ownValue, quoted } from "@toolstile/core/provider";
import type { RuleCondition, RulesPluginOptions } from "@toolstile/rules";
import { rulesGuardsOf } from "../policy/rule-places.js";
import type { Inspection } from "./inspection.js";
import type { ListedRule, RulesOfTool } from "./rule-report.js";

type ToolRule = RulesPluginOptions["rules"][number];

/** The checks of where a call leads to. Who writes one about some tools probably means all that have the place. */
const destinations = [
  "pathUnder",
  "realPathUnder",
  "pathHas",
  "realPathHas",
  "hostIn",
  "urlScheme",
  "emailDomain",
] as const satisfies readonly (keyof RuleCondition)[];

/**
 * Notes the tools that a rule about paths, hosts or domains probably left out: few of those that have the argument,
 * of which no rule asks about it.
 *
 * @param tools The tools that there are.
 * @param listed The rules about each of them.
 */
export function leftOutTools(
  guards: readonly InspectedGuard[],
  tools: readonly ToolDefinition[],
  listed: readonly RulesOfTool[],
  inspection: Inspection,
): readonly string[] {
  const rules = new Map(
    rulesGuardsOf(guards).flatMap(({ guard, options }) =>
      options.rules.map((rule) => [keyOf(guard.name, rule.id), rule] as const),
    ),
  );
  const rulesOf = new Map(listed.map((each) => [each.tool, each.rules]));
  const open = tools.filter(({ name }) => !isDenied(name, inspection));
  const pointers = new Set([...rules.values()].flatMap(pointersOfDestinations));
  return [...pointers].flatMap((pointer) => {
    const having = open.filter(({ parameters }) => declares(parameters, pointer));
    const asked = new Map<string, number>();
    const others: string[] = [];
    for (const { name } of having) {
      const own = rulesOf.get(name) ?? [];
      const asking = own.filter((each) => {
        const rule = rules.get(keyOf(each.guard, each.id));
        return rule !== undefined && pointersOfDestinations(rule).includes(pointer);
      });
      for (const { id } of asking) asked.set(id, (asked.get(id) ?? 0) + 1);
      if (!own.some((each) => mayAskAbout(each, rules.get(keyOf(each.guard, each.id)), pointer))) {
        others.push(name);
      }
    }
    const [widest] = [...asked].sort(([, one], [, other]) => other - one);
    if (widest === undefined || widest[1] < 2 || others.length === 0) return [];
    return others.length < having.length - others.length ? [worded(widest, others, pointer)] : [];
  });
}

function worded([id, count]: readonly [string, number], others: readonly string[], at: string) {
  const names = others.map(quoted).join(", ");
  const verb = others.length === 1 ? "has" : "have";
  return `The rule ${quoted(id)} asks about ${at} of ${count} tools; ${names} ${verb} ${at} too and no rule about it.`;
}

function keyOf(guard: string, id: string): string {
  return JSON.stringify([guard, id]);
}

function isDenied(tool: string, { askers, denialOf }: Inspection): boolean {
  return askers.every((asker) => denialOf(tool, asker) !== undefined);
}

/** In doubt it does: an expression may read any argument, and a rule on each call needs to ask about none. */
function mayAskAbout(
  { effect, hasCondition }: ListedRule,
  rule: ToolRule | undefined,
  pointer: string,
): boolean {
  if (rule === undefined || effect === "withhold" || effect === "cut") return false;
  if (!hasCondition && effect !== "change") return true;
  return conditionsOf(rule).some(({ at, cel }) => at === pointer || cel !== undefined);
}

function pointersOfDestinations(rule: ToolRule): readonly string[] {
  return conditionsOf(rule).flatMap((condition) => {
    const { at } = condition;
    const asks = destinations.some((name) => condition[name] !== undefined);
    return at !== undefined && asks ? [at] : [];
  });
}

/** All conditions of a rule, with those that they are made of. */
function conditionsOf({ when, require }: ToolRule): readonly RuleCondition[] {
  const found = [when, require].filter((each) => each !== undefined);
  for (const { all = [], any = [], not } of found) {
    for (const inner of [...all, ...any, not]) if (inner !== undefined) found.push(inner);
  }
  return found;
}

/** True if a schema plainly has a place. What it says by references and alternatives is not looked at. */
function declares(schema: unknown, pointer: string): boolean {
  let at = schema;
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    at = name === "*" ? ownValue(at, "items") : ownValue(ownValue(at, "properties"), name);
  }
  return typeof at === "object" && at !== null;
}
