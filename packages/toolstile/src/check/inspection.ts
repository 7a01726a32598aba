import type { InspectedGuardFile, LoadedGuard } from "@toolstile/config";
import { type ToolDefinition, ToolRunner } from "@toolstile/core";
import type { RefusedTool, Stopped } from "@toolstile/core/host";
import { withTools } from "../policy/policy-runner.js";
import { RulePlaces } from "../policy/rule-places.js";

/** A caller of tools: an agent of the file, any other agent, or one without a name. */
export interface Asker {
  readonly label: string;
  readonly agentName: string | undefined;
}

/** A guard of the file, and the denials that it has for whatever arguments. */
export interface InspectedGuard {
  readonly guard: LoadedGuard;
  readonly judgesCalls: boolean;
  denialOf(tool: string, asker: Asker): Stopped | undefined;
}

/** The answers of a runner with all guards. */
export interface Inspection {
  readonly guards: readonly InspectedGuard[];
  readonly askers: readonly Asker[];
  readonly refusals: readonly RefusedTool[];
  denialOf(tool: string, asker: Asker): Stopped | undefined;
}

const anyone: Asker = { label: "", agentName: undefined };

/** Ask the guards, each by itself and all together, about tools that are there. */
export function inspect(
  file: InspectedGuardFile,
  tools: readonly ToolDefinition[],
  unchecked: boolean,
): Inspection {
  const all = runnerOf(file.guardrails, tools, unchecked);
  const places = new RulePlaces(file.guards);
  const lasting = (denial: Stopped | undefined) =>
    denial?.code !== undefined && places.asksAboutFacts(denial.decidedBy, denial.code)
      ? undefined
      : denial;
  const ofFile = file.guardrails.slice(0, file.guards.length);
  const guards = file.guards.map((guard, index): InspectedGuard => {
    const guardrail = ofFile[index];
    const { runner } = runnerOf(guardrail === undefined ? [] : [guardrail], tools, true);
    return {
      guard,
      judgesCalls: "evaluate" in guard.guardrail && guard.guardrail.evaluate !== undefined,
      denialOf: (tool, { agentName }) => lasting(policyDenial(runner, tool, agentName)),
    };
  });
  return {
    guards,
    askers: askersOf(file.agents),
    refusals: all.refusals,
    denialOf: (tool, { agentName }) => lasting(denialOf(all.runner, tool, agentName)),
  };
}

function runnerOf(
  guardrails: InspectedGuardFile["guardrails"],
  tools: readonly ToolDefinition[],
  unchecked: boolean,
): { readonly runner: ToolRunner; readonly refusals: readonly RefusedTool[] } {
  const runner = new ToolRunner({ guardrails, unchecked });
  return { runner, refusals: withTools(runner, guardrails, tools) };
}

/** The tools that a guard of the file is for by their names. */
export function scopeNamesOf({ tools = [] }: LoadedGuard): readonly string[] {
  return tools.filter((tool) => typeof tool === "string");
}

function denialOf(
  runner: ToolRunner,
  tool: string,
  agentName: string | undefined,
): Stopped | undefined {
  return runner.denialOf(tool, agentName === undefined ? {} : { agentName });
}

/** The denial of one guard alone. The runner's own denial of a call without a guard does not count. */
function policyDenial(
  runner: ToolRunner,
  tool: string,
  agentName: string | undefined,
): Stopped | undefined {
  const denial = denialOf(runner, tool, agentName);
  return denial?.basis === "policy" && denial.code !== "tool_refused" ? denial : undefined;
}

function askersOf(agents: readonly string[]): readonly Asker[] {
  if (agents.length === 0) return [anyone];
  let other = "another";
  while (agents.includes(other)) other += "-";
  return [
    ...agents.map((agentName) => ({ label: agentName, agentName })),
    { label: "(any other)", agentName: other },
    { label: "(not said)", agentName: undefined },
  ];
}

/** True if a guard judges calls to this tool by this caller. */
export function covers(guard: LoadedGuard, tool: string, { agentName }: Asker): boolean {
  const { agent } = guard;
  return (
    guard.covers(tool) && (agent === undefined || agentName === undefined || agent === agentName)
  );
}
