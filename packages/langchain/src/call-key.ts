import type { ToolCall } from "@langchain/core/messages/tool";
import {
  type ApprovalQuestion,
  canonicalJson,
  parseArguments,
  type RunOptions,
} from "@toolstile/core";

/** What a question and the call that it is about have in common; nothing, where a member is no JSON. */
export function keyOf({
  turnId,
  callId,
  requestedName,
  askedArgs,
  agentName,
  context,
}: Pick<
  ApprovalQuestion,
  "turnId" | "callId" | "requestedName" | "askedArgs" | "agentName" | "context"
>): string | undefined {
  try {
    const args = parseArguments(askedArgs);
    if (!args.ok) return undefined;
    // Each time that the graph goes on is another trace.
    const { traceparent: _, ...lasting } = context;
    const facts = Object.fromEntries(
      Object.entries(lasting).filter(([, value]) => value !== undefined),
    );
    return canonicalJson([
      turnId ?? null,
      callId,
      requestedName,
      args.args,
      agentName ?? null,
      facts,
    ]);
  } catch {
    return undefined;
  }
}

/** The same of a call that is asked for now. */
export function keyFor({ id: callId = "", name, args }: ToolCall, options: RunOptions) {
  const { turnId, agentName, context = {} } = options;
  try {
    const { attributes, ...facts } = { ...context };
    const known = {
      ...facts,
      ...(attributes === undefined ? {} : { attributes: { ...attributes } }),
    };
    return keyOf({
      turnId,
      callId,
      requestedName: name,
      askedArgs: args,
      agentName,
      context: known,
    });
  } catch {
    // The host's facts cannot be read, and core says so.
    return undefined;
  }
}
