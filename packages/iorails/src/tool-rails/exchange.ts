import type { ChatMessage } from "../chat/message.js";
import { own, ownText } from "../own-property.js";

/** A result in a conversation, and the call that it answers. */
export interface AnsweredCall {
  /** Of the result's message. */
  readonly index: number;
  readonly result: ChatMessage;
  readonly callId: string;
  /** Absent where the call does not say. */
  readonly name: string | undefined;
  readonly arguments: unknown;
  /** The receipt that came with the call. */
  readonly receipt: string | undefined;
}

/**
 * The results of a conversation with their calls, in order.
 *
 * Only of one whose linkage was found right: each result then answers one call
 * of the assistant message that it follows.
 */
export function answeredCalls(messages: readonly ChatMessage[]): readonly AnsweredCall[] {
  const answered: AnsweredCall[] = [];
  let calls = new Map<string, unknown>();
  for (const [index, message] of messages.entries()) {
    const role = own(message, "role");
    if (role !== "tool") {
      calls = role === "assistant" ? callsOf(message) : new Map();
      continue;
    }
    const callId = ownText(message, "tool_call_id") ?? "";
    const call = calls.get(callId);
    const definition = own(call, "function");
    answered.push({
      index,
      result: message,
      callId,
      name: ownText(definition, "name"),
      arguments: own(definition, "arguments"),
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
