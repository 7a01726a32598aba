import type { BaseMessage } from "@langchain/core/messages";
import type { RunOptions } from "@toolstile/core";
import { describeCall } from "@toolstile/core/host";
import type { ToolCallRequest } from "langchain";

/** The facts that the host knows of a call, beside those that the framework knows. */
export type HostFacts = Pick<RunOptions, "agentName" | "context">;

/** One call, as the framework tells of it. */
export interface DescribedCall
  extends Pick<ToolCallRequest<Record<string, unknown>>, "toolCall" | "tool"> {
  /** The state of the graph: its `messages`, and its other members. */
  readonly state: { readonly messages: readonly BaseMessage[]; readonly [key: string]: unknown };
  /** In a tool node, the whole config. */
  readonly runtime: {
    readonly context?: unknown;
    readonly configurable?: Readonly<Record<string, unknown>> | undefined;
    readonly signal?: AbortSignal | undefined;
  };
}

/** The facts that the graph knows of a call. */
type GraphFacts = Pick<RunOptions, "turnId" | "repeatedId" | "signal">;

/** All facts of a call: the agent's name and the thread, as the framework has them, and in place of each what the host says. */
export function factsOf(
  call: DescribedCall,
  describe: ((call: DescribedCall) => HostFacts) | undefined,
  metadata: Readonly<Record<string, unknown>> | undefined,
  { turnId, repeatedId, signal }: GraphFacts,
): RunOptions & { readonly callId: string | undefined } {
  const callId = call.toolCall.id;
  const agentName = textOf(metadata, "lc_agent_name");
  const sessionId = textOf(call.runtime.configurable, "thread_id");
  const context = sessionId === undefined ? undefined : { sessionId };
  // Most hosts say nothing more: one object, and no copy of it.
  if (describe === undefined) return { turnId, repeatedId, signal, agentName, context, callId };
  const described = describeCall(() => describe(call), { agentName, context });
  return { turnId, repeatedId, signal, ...described, callId };
}

function textOf(facts: object | undefined, key: string): string | undefined {
  const value: unknown =
    facts !== undefined && Object.hasOwn(facts, key) ? facts[key as never] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
