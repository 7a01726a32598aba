import { describeCall, type RunOptions } from "@toolstile/core";
import type { HookedCall, ToolCallContext } from "./mastra.js";

/** The call's id, the caller's signal, and what is known of the host. */
export type CallFacts = RunOptions & { readonly callId: string | undefined };

/** What Mastra says of a tool's call, under what `describe` says of it. */
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

/** What a hook is told of a call, which is less, under what `describe` says of it. */
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
  return signal === undefined ? {} : { signal };
}

/** Mastra fills in empty text for what it does not know. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
