import type { RunOptions } from "@toolstile/core";
import { conversationIn, describeCall, withConversation } from "@toolstile/core/host";
import { sharedSignal } from "@toolstile/core/provider";
import type { Attempt, HookedCall, ToolCallContext } from "./mastra.js";

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
    ...inConversation(describeCall(describe && (() => describe(context ?? {})), known), agent),
    callId: text(agent?.toolCallId),
    ...caller(signalOf(context)),
  };
}

/** The facts about a call that a hook is told, which are fewer; those that `describe` gives take their place. */
export function hookedFactsOf(
  call: HookedCall,
  describe: ((call: HookedCall) => RunOptions) | undefined,
): CallFacts {
  const known = described(call.metadata?.agentId);
  return {
    ...inConversation(describeCall(describe && (() => describe(call)), known), call.context),
    callId: text(call.context?.toolCallId),
    ...caller(call.context?.abortSignal),
  };
}

/** The caller's signal: of an agent's call, or of an MCP request. */
export function signalOf(context: ToolCallContext | undefined): AbortSignal | undefined {
  return context?.abortSignal ?? context?.mcp?.extra?.signal;
}

/** The facts, with the messages that the agent was asked with beside them. */
function inConversation(facts: RunOptions, attempt: Attempt | undefined): RunOptions {
  const messages = attempt?.messages;
  if (messages === undefined) return facts;
  const context = withConversation(facts.context, () => conversationIn(messages));
  return { ...facts, ...(context !== undefined && { context }) };
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
