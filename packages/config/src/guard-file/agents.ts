import {
  allow,
  deny,
  type Guardrail,
  type GuardrailProvider,
  type ToolCall,
  when,
} from "@toolstile/core";
import type { Predicate } from "@toolstile/core/host";
import { member, quoted } from "@toolstile/core/provider";
import type { LoadedGuard } from "./guard-file.js";

/** The name of the agent that asks; nothing if the call does not say. */
function agentOf(call: ToolCall): string | undefined {
  const name = Object.hasOwn(call, "agentName") ? call.agentName : undefined;
  return name === "" ? undefined : name;
}

/** A call that names no agent may be anybody's: the guards of every agent have a say about it. */
export function askedBy(agent: string): Predicate {
  return (call) => {
    const name = agentOf(call);
    return name === undefined || name === agent;
  };
}

/**
 * Denies a call that names no agent where only agents' own guards would judge
 * it: what one agent may do is not what anybody may.
 */
export function agentsOnly(guards: readonly LoadedGuard[]): Guardrail {
  const general = guards.filter(
    ({ agent, mode, guardrail }) =>
      agent === undefined && mode === "enforce" && member(guardrail, "evaluate") !== undefined,
  );
  const judged = (tool: string): boolean => general.some((guard) => guard.covers(tool));
  return when((call) => agentOf(call) === undefined && !judged(call.toolName), {
    name: "agents",
    evaluate: ({ toolName }) =>
      deny(`tool ${quoted(toolName)} is for agents, and the call does not say which agent asks`, {
        code: "no_agent",
      }),
  });
}

/** `mode: shadow` of a whole file: nothing it says holds, and that is meant. */
export function everythingInShadow(): GuardrailProvider {
  // No guard here checks arguments against a schema either. A tool must not be refused for that.
  return { name: "shadow-mode", evaluate: () => allow(), checksArguments: () => true };
}
