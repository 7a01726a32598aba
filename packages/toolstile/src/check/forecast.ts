import type { ToolDefinition } from "@toolstile/core";
import { type Asker, covers, type Inspection } from "./inspection.js";
import type { RulesOfTool } from "./rule-report.js";

/** The expected outcome of a call to a tool. */
export interface Forecast {
  readonly tool: string;
  /** Whose call it is: an agent's name, or a word in brackets; empty where the file has no agents. */
  readonly asker: string;
  readonly agent: string | undefined;
  /**
   * `asks`: a rule asks a human about every call, unless a guard denies it.
   * `depends`: on the arguments, the time, the calls before. It is not guessed.
   */
  readonly verdict: "denied" | "asks" | "depends";
  readonly by?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  /** The guards that are asked, in order, to the one that denies. */
  readonly asked: readonly string[];
}

export function forecasts(
  inspection: Inspection,
  tools: readonly ToolDefinition[],
  rulesOfTools: readonly RulesOfTool[],
): readonly Forecast[] {
  const questions = new Map(
    rulesOfTools.map(({ tool, rules }) => [
      tool,
      rules.filter(({ effect, hasCondition }) => effect === "ask" && !hasCondition),
    ]),
  );
  return tools.flatMap(({ name }) => {
    const askingGuards = (questions.get(name) ?? []).map(({ guard }) => guard);
    return inspection.askers.map((asker) => forecast(inspection, name, asker, askingGuards));
  });
}

function forecast(
  inspection: Inspection,
  tool: string,
  asker: Asker,
  askingGuards: readonly string[],
): Forecast {
  const denial = inspection.denialOf(tool, asker);
  const asked: string[] = [];
  for (const each of inspection.guards) {
    const { guard, judgesCalls } = each;
    if (denial?.code === "tool_refused" || !covers(guard, tool, asker)) continue;
    if (guard.mode === "shadow") asked.push(`${guard.name} (shadow)`);
    else asked.push(judgesCalls ? guard.name : `${guard.name} (result)`);
    if (guard.mode === "enforce" && each.denialOf(tool, asker) !== undefined) break;
  }
  const asks = asked.some((name) => askingGuards.includes(name));
  const { label, agentName } = asker;
  return {
    tool,
    asker: label,
    agent: agentName,
    verdict: denial !== undefined ? "denied" : asks ? "asks" : "depends",
    by: denial?.decidedBy,
    code: denial?.code,
    reason: denial?.reason,
    asked,
  };
}
