import { script } from "./script.js";

/** A message of a chat, in the form of OpenAI's chat completions. */
export type Message =
  | { role: "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: readonly AskedCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

export interface AskedCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * In place of a model: asks for all calls of the script, then ends.
 *
 * With the `openai` package: `client.chat.completions.create({ model, messages, tools })`.
 */
export async function complete(
  messages: readonly Message[],
): Promise<Extract<Message, { role: "assistant" }>> {
  if (messages.some(({ role }) => role === "tool")) {
    return { role: "assistant", content: "I have done what I may." };
  }
  const tool_calls = script.map(({ id, name, args }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role: "assistant", content: null, tool_calls };
}
