import {
  type AIMessage,
  type BaseMessage,
  type ChatMessage as GenericMessage,
  isAIMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import type { ChatMessage } from "@toolstile/iorails";
import { plainText, shownOf } from "./content.js";

/** A conversation as rails read it, message for message. */
export function chatMessages(messages: readonly BaseMessage[]): readonly ChatMessage[] {
  return messages.map(chatMessage);
}

/** By the type that LangChain gives a message. */
export const roles: ReadonlyMap<string, string> = new Map([
  ["human", "user"],
  ["ai", "assistant"],
  ["tool", "tool"],
  ["system", "system"],
  ["developer", "developer"],
]);
export const knownRoles: readonly unknown[] = ["user", "assistant", "system", "developer"];

/** A message of an unknown role is read as the user's. */
function roleOf(message: BaseMessage): string {
  const type = message.getType();
  const { role } = message as GenericMessage;
  return roles.get(type) ?? (knownRoles.includes(role) ? role : "user");
}

/** Without the name of who says it, which is judged by itself. */
function chatMessage(message: BaseMessage): ChatMessage {
  const role = roleOf(message);
  const shown = shownOf(message.content);
  if (role === "tool") {
    const { tool_call_id, name } = message as ToolMessage;
    return { role, content: shown, tool_call_id, ...(name !== undefined && { name }) };
  }
  if (role === "user") return { role, content: shown };
  const content = plainText(shown);
  if (!isAIMessage(message) || callsOf(message).length === 0) return { role, content };
  const tool_calls = callsOf(message).map(({ id, name: called, args }) => ({
    id,
    type: "function",
    function: { name: called, arguments: JSON.stringify(args) },
  }));
  return { role, content: content === "" ? null : content, tool_calls };
}

export function callsOf({ tool_calls }: AIMessage): NonNullable<AIMessage["tool_calls"]> {
  return tool_calls ?? [];
}

/** Calls as the text that they are. */
export function spokenCalls(message: AIMessage): string {
  return callsOf(message)
    .map(({ name, args }) => `${name} ${JSON.stringify(args)}`)
    .join("\n");
}

/** The words of a message. */
export function messageText({ content }: BaseMessage): string {
  return plainText(content);
}

/** A copy of a message of the same class, with other members. */
export function copyOf<Message extends BaseMessage>(message: Message, members: object): Message {
  const fields = Object.entries(message).filter(
    ([key, value]) => value !== undefined && !key.startsWith("lc_") && key !== "type",
  );
  const Class = message.constructor as new (fields: object) => Message;
  const given = { ...Object.fromEntries(fields), ...members };
  return new Class(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  );
}
