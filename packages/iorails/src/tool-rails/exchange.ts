import type { ToolDeclaration } from "@toolstile/core/host";
import { ownText, ownValue } from "@toolstile/core/provider";
import type { ChatMessage } from "../chat/message.js";

/** A result in a conversation, and the call that it answers. */
export interface AnsweredCall {
  /** The index of the result's message. */
  readonly index: number;
  readonly result: ChatMessage;
  /** Absent for a legacy result, which has no id. */
  readonly callId: string | undefined;
  /** The called tool; what the result says of it, where the call says nothing. */
  readonly name: string | undefined;
  /** The tool that the call names. */
  readonly calledName: string | undefined;
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
    const role = ownValue(message, "role");
    if (role !== "tool" && role !== "function") {
      calls = role === "assistant" ? callsOf(message) : new Map();
      legacy = role === "assistant" ? ownValue(message, "function_call") : undefined;
      continue;
    }
    const callId = role === "tool" ? ownText(message, "tool_call_id") : undefined;
    const call = role === "tool" ? calls.get(callId ?? "") : legacy;
    const definition =
      role === "tool" ? (ownValue(call, "function") ?? ownValue(call, "custom") ?? call) : call;
    answered.push({
      index,
      result: message,
      callId,
      name: ownText(definition, "name") ?? ownText(message, "name"),
      calledName: ownText(definition, "name"),
      arguments:
        ownValue(call, "custom") === undefined ? ownValue(definition, "arguments") : undefined,
      receipt: ownText(call, "receipt"),
    });
  }
  return answered;
}

function callsOf(message: ChatMessage): Map<string, unknown> {
  const list = ownValue(message, "tool_calls");
  const calls = new Map<string, unknown>();
  if (!Array.isArray(list)) return calls;
  for (const call of list) {
    const id = ownText(call, "id");
    if (id !== undefined) calls.set(id, call);
  }
  return calls;
}

/** True if a conversation holds a result. */
export function hasResults(messages: readonly ChatMessage[]): boolean {
  return messages.some((message) => {
    const role = ownValue(message, "role");
    return role === "tool" || role === "function";
  });
}

/** The data in a result: text is parsed as JSON, unless it is not JSON, or its schema asks for text. */
export function structuredIn(content: unknown, { outputSchema }: ToolDeclaration): unknown {
  if (typeof content !== "string" || ownValue(outputSchema, "type") === "string") return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
