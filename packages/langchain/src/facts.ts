import type { BaseMessage } from "@langchain/core/messages";
import type { RunOptions } from "@toolstile/core";
import { conversationIn, describeCall, withConversation } from "@toolstile/core/host";
import { type Conversation, ownText, ownValue } from "@toolstile/core/provider";
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
  const agentName = ownText(metadata, "lc_agent_name");
  const sessionId = ownText(call.runtime.configurable, "thread_id");
  const known = sessionId === undefined ? undefined : { sessionId };
  const messages = ownValue(call.state, "messages");
  const read = (): Conversation => conversationIn(messages);
  if (describe === undefined) {
    const context = messages === undefined ? known : withConversation(known, read);
    return { turnId, repeatedId, signal, agentName, context, callId };
  }
  const described = describeCall(() => describe(call), { agentName, context: known });
  const context =
    messages === undefined ? described.context : withConversation(described.context, read);
  return { turnId, repeatedId, signal, ...described, context, callId };
}
