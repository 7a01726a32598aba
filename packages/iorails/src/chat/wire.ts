import type { AskedCall } from "./message.js";

/**
 * One call as it stands in `tool_calls`.
 *
 * Arguments that the model wrote as text stay as they are, byte for byte; of
 * blank ones `{}` is made, as which they were judged. A call without an id
 * stays without.
 */
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
