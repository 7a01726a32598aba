import type { ChatMessage } from "../chat/message.js";
import { own, ownText } from "../own-property.js";

/** A result in a conversation, and the call that it answers. */
export interface AnsweredCall {
  /** Of the result's message. */
  readonly index: number;
  readonly result: ChatMessage;
  /** Absent for a legacy result, which has no id. */
  readonly callId: string | undefined;
  /** The called tool; what the result says of it, where the call says nothing. */
  readonly name: string | undefined;
  readonly arguments: unknown;
  /** The receipt that came with the call. */
  readonly receipt: string | undefined;
}

/**
 * The results of a conversation with their calls, in order, those of the
 * legacy role `function` among them.
 *
 * Only of one whose linkage was found right: each result then answers one call
 * of the assistant message that it follows. Of any other, a result without its
 * call is there with what it says of itself.
 */
export function answeredCalls(messages: readonly ChatMessage[]): readonly AnsweredCall[] {
  const answered: AnsweredCall[] = [];
  let calls = new Map<string, unknown>();
  let legacy: unknown;
  for (const [index, message] of messages.entries()) {
    const role = own(message, "role");
    if (role !== "tool" && role !== "function") {
      calls = role === "assistant" ? callsOf(message) : new Map();
      legacy = role === "assistant" ? own(message, "function_call") : undefined;
      continue;
    }
    const callId = role === "tool" ? ownText(message, "tool_call_id") : undefined;
    const call = role === "tool" ? calls.get(callId ?? "") : legacy;
    const definition =
      role === "tool" ? (own(call, "function") ?? own(call, "custom") ?? call) : call;
    answered.push({
      index,
      result: message,
      callId,
      name: ownText(definition, "name") ?? ownText(message, "name"),
      arguments: own(call, "custom") === undefined ? own(definition, "arguments") : undefined,
      receipt: ownText(call, "receipt"),
    });
  }
  return answered;
}

function callsOf(message: ChatMessage): Map<string, unknown> {
  const list = own(message, "tool_calls");
  const calls = new Map<string, unknown>();
  if (!Array.isArray(list)) return calls;
  for (const call of list) {
    const id = ownText(call, "id");
    if (id !== undefined) calls.set(id, call);
  }
  return calls;
}

/** Whether a conversation holds any result at all. */
export function hasResults(messages: readonly ChatMessage[]): boolean {
  return messages.some((message) => {
    const role = own(message, "role");
    return role === "tool" || role === "function";
  });
}
