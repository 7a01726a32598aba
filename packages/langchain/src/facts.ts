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

/** The agent's name and the thread, as the framework has them, and in place of each what the host says. */
export function factsOf(
  call: DescribedCall,
  describe: ((call: DescribedCall) => HostFacts) | undefined,
  metadata: Readonly<Record<string, unknown>> | undefined,
): RunOptions {
  const agentName = textOf(metadata, "lc_agent_name");
  const sessionId = textOf(call.runtime.configurable, "thread_id");
  return describeCall(describe && (() => describe(call)), { agentName, context: { sessionId } });
}

function textOf(facts: object | undefined, key: string): string | undefined {
  const value: unknown =
    facts !== undefined && Object.hasOwn(facts, key) ? facts[key as never] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
