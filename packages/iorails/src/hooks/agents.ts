import type { JsonObject } from "@toolstile/core";
import { ownText, ownValue } from "@toolstile/core/provider";
import { HookError } from "./hook-error.js";

/** A call that an agent is about to run, as its hook tells of it. */
export interface HookCall {
  readonly id: string | undefined;
  readonly name: string;
  /** An object; or a list, which the engine refuses. */
  readonly arguments: unknown;
  readonly sessionId?: string | undefined;
  readonly agentName?: string | undefined;
}

/** The bodies of one agent's hooks, and of the answers that it reads. */
export interface Agent {
  /** @throws HookError for a body that is not about a call. */
  readonly read: (body: JsonObject) => HookCall;
  readonly allowed: object;
  /** @param isOfRail true of a rail or policy that NeMo Guardrails has too: what it denies begins as there. */
  readonly denied: (reason: string, isOfRail: boolean) => object;
}

/**
 * Claude Code and Codex: nothing but what is here may be in an answer. A
 * permission "allow" would skip the rules of the agent's user, and Codex runs a
 * tool whose hook answers with a member that it does not know.
 */
const preToolUse: Agent = {
  read: (body) => {
    if (ownValue(body, "hook_event_name") !== "PreToolUse") {
      throw wrong("hook_event_name must be 'PreToolUse', received another event or none");
    }
    return {
      id: textOf(body, "tool_use_id") || undefined,
      name: nameIn(body),
      arguments: argumentsIn(body, "tool_input"),
      sessionId: ownText(body, "session_id"),
      agentName: ownText(body, "agent_type"),
    };
  },
  allowed: {},
  // Never "ask": in the mode bypassPermissions Claude Code runs such a call and asks nobody.
  denied: (reason, isOfRail) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: isOfRail ? `NeMo Guardrails: ${reason}` : reason,
    },
  }),
};

const relayMembers: readonly string[] = ["hook_event_name", "tool_name", "arguments"];

const nemoRelay: Agent = {
  read: (body) => {
    const event = ownValue(body, "hook_event_name");
    const isOurs = typeof event === "string" && event.startsWith(relayEvent);
    if (event !== undefined && !isOurs) {
      throw wrong("hook_event_name must be that of a tool's conditional execution");
    }
    if (Object.keys(body).some((name) => !relayMembers.includes(name))) {
      throw wrong(`a hook of NeMo Relay must have only ${relayMembers.join(", ")}`);
    }
    return { id: undefined, name: nameIn(body), arguments: argumentsIn(body, "arguments") };
  },
  allowed: { decision: "allow" },
  denied: (reason) => ({ decision: "deny", reason }),
};

const relayEvent = "NemoRelayToolConditionalExecution";

/** The agents by the last part of their paths. */
export const agents: ReadonlyMap<string, Agent> = new Map([
  ["claude-code", preToolUse],
  ["codex", preToolUse],
  ["nemo-relay", nemoRelay],
]);

function nameIn(body: JsonObject): string {
  const name = textOf(body, "tool_name");
  if (name === "") throw wrong("tool_name must be text that is not empty");
  return name;
}

/** The engine would read a text as JSON, and nothing as no arguments. A list stands for both: it is no object. */
function argumentsIn(body: JsonObject, key: string): unknown {
  const value = ownValue(body, key);
  return typeof value === "object" && value !== null ? value : [];
}

function textOf(body: JsonObject, key: string): string {
  const value = ownValue(body, key);
  if (typeof value === "string") return value;
  throw wrong(`${key} must be text, received ${value === undefined ? "nothing" : typeof value}`);
}

function wrong(message: string): HookError {
  return new HookError(422, "invalid_hook", message);
}
