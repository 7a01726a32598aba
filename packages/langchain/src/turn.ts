import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { RunOptions } from "@toolstile/core";
import { ownValue, sameJson } from "@toolstile/core/provider";

const minted = new WeakMap<object, string>();

/** The turn of a call, which is the model's last message, and whether an earlier call of it has the same id. */
export function turnOf(
  given: unknown,
  toolCall: ToolCall,
): Pick<RunOptions, "turnId" | "repeatedId"> {
  const message = lastOfModel(given);
  if (message === undefined) return { turnId: undefined, repeatedId: false };
  return { turnId: turnIdOf(message), repeatedId: !isFirst(toolCall, message.tool_calls ?? []) };
}

/** True if at most one call of the model's last message has no answer yet. */
export function hasOneCallLeft(given: unknown): boolean {
  const message = lastOfModel(given);
  const messages = listOf(given);
  const answers = messages.slice(messages.lastIndexOf(message as BaseMessage) + 1);
  const answered = new Set(
    answers.map((each) => (each as { tool_call_id?: unknown }).tool_call_id),
  );
  const left = message?.tool_calls?.filter(({ id }) => id === undefined || !answered.has(id));
  return (left?.length ?? 1) <= 1;
}

/** The ids of all calls of the model's last message, as they are now. */
export function idsOf(given: unknown): readonly (string | undefined)[] {
  return lastOfModel(given)?.tool_calls?.map(({ id }) => id) ?? [];
}

/** The conversation of a call, where its node was sent one. */
export function messagesIn(state: unknown): readonly BaseMessage[] {
  return listOf(ownValue(state, "messages"));
}

/** The model's last message. A node may be sent a call without its conversation. */
function lastOfModel(given: unknown): AIMessage | undefined {
  return listOf(given).findLast((message) => message.getType() === "ai") as AIMessage | undefined;
}

function listOf(given: unknown): readonly BaseMessage[] {
  return Array.isArray(given) ? given : [];
}

/** True if no earlier call has its id. Of two that are alike to the last argument that cannot be told, and neither is the first. */
function isFirst(toolCall: ToolCall, calls: readonly ToolCall[]): boolean {
  const first = calls.find(({ id }) => id !== undefined && id === toolCall.id);
  if (first === undefined || first === toolCall) return true;
  const others = calls.filter((each) => each !== first && each.id === toolCall.id);
  if (others.length === 0) return true;
  // A call that is sent to its node alone is a copy.
  const isCopied = !others.includes(toolCall);
  return isCopied && isSame(first, toolCall) && !others.some((other) => isSame(other, toolCall));
}

function isSame(one: ToolCall, other: ToolCall): boolean {
  return sameJson([one.name, one.args], [other.name, other.args]);
}

/** A graph gives each message an id, by which it is known also after a restart. */
function turnIdOf(message: AIMessage): string {
  if (typeof message.id === "string" && message.id !== "") return message.id;
  const known = minted.get(message) ?? crypto.randomUUID();
  minted.set(message, known);
  return known;
}
