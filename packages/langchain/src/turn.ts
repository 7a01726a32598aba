import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { canonicalJson } from "@toolstile/core";

/** The message that asks for some calls, as a guard has to know it. */
export interface CallTurn {
  readonly turnId: string | undefined;
  /** Whether an earlier call of the message has this one's id. */
  readonly repeatedId: boolean;
  /** Calls of the message that have no answer yet. */
  readonly unanswered: number;
}

const minted = new WeakMap<object, string>();

/** The turn of a call: the last message of the model. */
export function turnOf(given: unknown, toolCall: ToolCall): CallTurn {
  // A node may be sent a call without the conversation that it is of.
  const messages: readonly BaseMessage[] = Array.isArray(given) ? given : [];
  const index = messages.findLastIndex((message) => message.getType() === "ai");
  const message = messages[index] as AIMessage | undefined;
  if (message === undefined) return { turnId: undefined, repeatedId: false, unanswered: 1 };
  const calls = message.tool_calls ?? [];
  return {
    turnId: turnIdOf(message),
    repeatedId: !isFirst(toolCall, calls),
    unanswered: calls.filter(({ id }) => !isAnswered(messages.slice(index + 1), id)).length,
  };
}

/** Whether no earlier call has its id. Where two are alike to the last argument, that cannot be told, and neither is. */
function isFirst(toolCall: ToolCall, calls: readonly ToolCall[]): boolean {
  const [first, ...others] = calls.filter(({ id }) => id !== undefined && id === toolCall.id);
  if (first === undefined || others.length === 0 || first === toolCall) return true;
  // A call that is sent to its node alone is a copy.
  const isCopied = !others.includes(toolCall);
  return isCopied && isSame(first, toolCall) && !others.some((other) => isSame(other, toolCall));
}

function isSame(one: ToolCall, other: ToolCall): boolean {
  try {
    return canonicalJson([one.name, one.args]) === canonicalJson([other.name, other.args]);
  } catch {
    return false;
  }
}

/** A graph gives each message an id, by which it is known also after a restart. */
function turnIdOf(message: AIMessage): string {
  if (typeof message.id === "string" && message.id !== "") return message.id;
  const known = minted.get(message) ?? crypto.randomUUID();
  minted.set(message, known);
  return known;
}

function isAnswered(messages: readonly BaseMessage[], id: string | undefined): boolean {
  return (
    id !== undefined &&
    messages.some((message) => (message as { tool_call_id?: unknown }).tool_call_id === id)
  );
}
