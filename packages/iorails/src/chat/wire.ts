import type { AskedCall, ChatMessage } from "./message.js";

/**
 * Write an answer as the assistant message that Chat Completions have.
 *
 * Arguments that the model wrote as text stay as they are, byte for byte; of
 * blank ones `{}` is made, as which they were judged. A call without an id
 * stays without.
 */
export function assistantMessage(answer: {
  readonly content: string;
  readonly calls: readonly AskedCall[];
}): ChatMessage {
  if (answer.calls.length === 0) return { role: "assistant", content: answer.content };
  return {
    role: "assistant",
    content: answer.content === "" ? null : answer.content,
    tool_calls: answer.calls.map(toolCall),
  };
}

/** One call as it stands in `tool_calls`. */
export function toolCall(call: AskedCall): Readonly<Record<string, unknown>> {
  const head = call.id === undefined ? { type: call.type } : { id: call.id, type: call.type };
  const { name } = call;
  // A hosted tool is named by its type alone.
  if (name === undefined) return head;
  if (call.type === "custom") return { ...head, custom: { name, input: call.arguments } };
  return { ...head, function: { name, arguments: argumentText(call.arguments) } };
}

function argumentText(value: unknown): string {
  if (value === undefined || value === null) return "{}";
  if (typeof value !== "string") return JSON.stringify(value);
  return value.trim() === "" ? "{}" : value;
}
