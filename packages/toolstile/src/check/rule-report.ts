import type { InspectedGuard, OptionPlace } from "@toolstile/config";
import type { ToolDefinition } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import type { RuleFinding, RuleOfTool, RulesAnalysis } from "@toolstile/rules/analysis";
import { rulesGuardsOf } from "../policy/rule-places.js";
import type { Finding } from "./findings.js";
import type { Inspection } from "./inspection.js";

/** A rule about a tool, and where it stands. */
export interface ListedRule extends OptionPlace, RuleOfTool {
  readonly guard: string;
}

/** The rules about one tool, in the order in which they are asked. */
export interface RulesOfTool {
  readonly tool: string;
  readonly rules: readonly ListedRule[];
}

export interface RuleReport {
  readonly tools: readonly RulesOfTool[];
  readonly findings: readonly Finding[];
}

/** @param declared Whether these are the tools that there are, and not only those that guards name. */
export async function reportOnRules(
  guards: readonly InspectedGuard[],
  tools: readonly ToolDefinition[],
  declared: boolean,
  inspection: Inspection,
): Promise<RuleReport> {
  const ofRules = rulesGuardsOf(guards);
  if (ofRules.length === 0) return { tools: [], findings: [] };
  const { analyseRules } = await import("@toolstile/rules/analysis");
  const listed = new Map<string, ListedRule[]>(tools.map(({ name }) => [name, []]));
  const findings: Finding[] = [];
  for (const { guard, options } of ofRules) {
    const own = tools.filter(({ name }) => guard.covers(name));
    const ids = options.rules.map(({ id }) => id);
    const analysis = analyseRules(options, own);
    for (const each of deadRules(guard, analysis.tools, ids, inspection)) findings.push(each);
    for (const { tool, rules } of analysis.tools) {
      for (const rule of rules) {
        const place = guard.placeOf(["rules", ids.indexOf(rule.id)]);
        listed.get(tool)?.push({ guard: guard.name, ...rule, ...place });
      }
    }
    // A pattern may be about tools that no guard names.
    const known = analysis.findings.filter(({ kind }) => declared || kind !== "no_tool");
    for (const each of known.map((finding) => placed(finding, guard, ids))) findings.push(each);
  }
  return { tools: [...listed].map(([tool, rules]) => ({ tool, rules })), findings };
}

/** Finds rules about tools of which a guard before denies every call. If that is all that the guard is about, it is itself the finding. */
function deadRules(
  guard: InspectedGuard,
  tools: RulesAnalysis["tools"],
  ids: readonly string[],
  { guards, askers }: Inspection,
): readonly Finding[] {
  const index = guards.findIndex((each) => each.guard.path === guard.path);
  const before = guards.slice(0, index).filter((each) => each.guard.mode === "enforce");
  const denierOf = (tool: string): string | undefined => {
    const deniers = askers.map((asker) =>
      before.find((each) => each.denialOf(tool, asker) !== undefined),
    );
    return deniers.includes(undefined) ? undefined : deniers[0]?.guard.name;
  };
  const deniers = new Map(tools.map(({ tool }) => [tool, denierOf(tool)]));
  if (tools.every(({ tool }) => deniers.get(tool) !== undefined)) return [];
  return ids.flatMap((id, place): readonly Finding[] => {
    const own = tools.filter(({ rules }) => rules.some((rule) => rule.id === id));
    const by = own.map(({ tool }) => deniers.get(tool));
    if (own.length === 0 || by.includes(undefined)) return [];
    const names = [...new Set(by)].map((name) => quoted(name as string)).join(" and ");
    const message = `the rule ${quoted(id)} is never asked: ${names} before it denies every call that it is about`;
    return [{ kind: "dead_rule", ...guard.placeOf(["rules", place]), message }];
  });
}

function placed(
  { kind, index, by, message }: RuleFinding,
  guard: InspectedGuard,
  ids: readonly string[],
): Finding {
  const place = guard.placeOf(["rules", index]);
  const shadow = by === undefined ? undefined : guard.placeOf(["rules", ids.indexOf(by)]);
  const where = shadow?.line === undefined ? "" : ` (line ${shadow.line})`;
  return { kind, ...place, message: message.replace(/\.$/, where) };
}
