import {
  type AIMessage,
  type BaseMessage,
  type ChatMessage as GenericMessage,
  isAIMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import type { ChatMessage } from "@toolstile/iorails";

/** A conversation as rails read it, message for message. */
export function chatMessages(messages: readonly BaseMessage[]): readonly ChatMessage[] {
  return messages.map(chatMessage);
}

const roles: ReadonlyMap<string, string> = new Map([
  ["human", "user"],
  ["ai", "assistant"],
  ["tool", "tool"],
  ["system", "system"],
  ["developer", "developer"],
  ["function", "function"],
]);

/** One of a role that no rail knows keeps it, and is refused there. */
function chatMessage(message: BaseMessage): ChatMessage {
  const { content, name } = message;
  const type = message.getType();
  const role = roles.get(type) ?? (message as GenericMessage).role ?? type;
  const named = name === undefined ? {} : { name };
  if (role === "tool") {
    const { tool_call_id } = message as ToolMessage;
    return { role, content, tool_call_id, ...named };
  }
  if (!isAIMessage(message) || callsOf(message).length === 0) return { role, content, ...named };
  const tool_calls = callsOf(message).map(({ id, name: called, args }) => ({
    id,
    type: "function",
    function: { name: called, arguments: JSON.stringify(args) },
  }));
  return { role, content: content === "" ? null : content, tool_calls, ...named };
}

export function callsOf({ tool_calls }: AIMessage): NonNullable<AIMessage["tool_calls"]> {
  return tool_calls ?? [];
}

/** What a message says in words. */
export function textOf({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => (block as { text?: unknown }).text)
    .filter((text) => typeof text === "string")
    .join("");
}
