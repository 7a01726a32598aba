import type { RunOptions } from "@toolstile/core";
import { describeCall, sharedSignal } from "@toolstile/core/host";
import type { HookedCall, ToolCallContext } from "./mastra.js";

/** The call's id, the caller's signal, and what is known of the host. */
export type CallFacts = RunOptions & { readonly callId: string | undefined };

/** Mastra's facts about a tool's call; those that `describe` gives take their place. */
export function factsOf(
  context: ToolCallContext | undefined,
  describe: ((context: ToolCallContext) => RunOptions) | undefined,
): CallFacts {
  const { agent, runId } = context ?? {};
  const sessionId = text(agent?.threadId);
  const principal = text(agent?.resourceId);
  const known = described(agent?.agentId, runId, { sessionId, principal });
  return {
    ...describeCall(describe && (() => describe(context ?? {})), known),
    callId: text(agent?.toolCallId),
    ...caller(signalOf(context)),
  };
}

/** The facts about a call that a hook is told, which are fewer; those that `describe` gives take their place. */
export function hookedFactsOf(
  call: HookedCall,
  describe: ((call: HookedCall) => RunOptions) | undefined,
): CallFacts {
  return {
    ...describeCall(describe && (() => describe(call)), described(call.metadata?.agentId)),
    callId: text(call.context?.toolCallId),
    ...caller(call.context?.abortSignal),
  };
}

/** The caller's signal: of an agent's call, or of an MCP request. */
export function signalOf(context: ToolCallContext | undefined): AbortSignal | undefined {
  return context?.abortSignal ?? context?.mcp?.extra?.signal;
}

function described(agentId: unknown, runId?: unknown, context = {}): RunOptions {
  return { agentName: text(agentId), turnId: text(runId), context };
}

function caller(signal: AbortSignal | undefined): RunOptions {
  return signal === undefined ? {} : { signal: sharedSignal(signal) };
}

/** Mastra fills in empty text for what it does not know. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
