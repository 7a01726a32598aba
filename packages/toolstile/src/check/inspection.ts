import type { InspectedGuardFile, LoadedGuard } from "@toolstile/config";
import { type Stopped, type ToolDefinition, ToolRunner } from "@toolstile/core";

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

/** A tool that a runner with these guards would not take on. */
export interface Refusal {
  readonly tool: string;
  readonly refusedBy: string;
  readonly cause: unknown;
}

/** The answers of a runner with all guards. */
export interface Inspection {
  readonly guards: readonly InspectedGuard[];
  readonly askers: readonly Asker[];
  readonly refusals: readonly Refusal[];
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
  const ofFile = file.guardrails.slice(0, file.guards.length);
  const guards = file.guards.map((guard, index): InspectedGuard => {
    const guardrail = ofFile[index];
    const { runner } = runnerOf(guardrail === undefined ? [] : [guardrail], tools, true);
    return {
      guard,
      judgesCalls: "evaluate" in guard.guardrail && guard.guardrail.evaluate !== undefined,
      denialOf: (tool, { agentName }) => policyDenial(runner, tool, agentName),
    };
  });
  return {
    guards,
    askers: askersOf(file.agents),
    refusals: all.refusals,
    denialOf: (tool, { agentName }) => denialOf(all.runner, tool, agentName),
  };
}

/** A runner that has these tools, and with them every name that a guard is for: names are another finding. */
function runnerOf(
  guardrails: InspectedGuardFile["guardrails"],
  tools: readonly ToolDefinition[],
  unchecked: boolean,
): { readonly runner: ToolRunner; readonly refusals: readonly Refusal[] } {
  const runner = new ToolRunner({ guardrails, unchecked });
  const declared = new Set(tools.map(({ name }) => name));
  const others = new Set(guardrails.flatMap(namesOf).filter((name) => !declared.has(name)));
  const stand = [...others].map((name) => ({ name }));
  const refused = runner.setTools([...tools, ...stand]);
  const refusals = refused
    .filter(({ name }) => declared.has(name))
    .map(({ name, refusedBy, cause }) => ({ tool: name, refusedBy, cause }));
  return { runner, refusals };
}

/** The tools that a guard of the file is for by their names. */
export function scopeNamesOf({ tools = [] }: LoadedGuard): readonly string[] {
  return tools.filter((tool) => typeof tool === "string");
}

/** The tools that a guard says it is for. */
export function namesOf(guardrail: object): readonly string[] {
  const names: unknown = "tools" in guardrail ? guardrail.tools : undefined;
  return Array.isArray(names) ? names : [];
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
