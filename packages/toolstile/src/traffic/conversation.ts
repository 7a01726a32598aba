import { isJsonObject, ownValue } from "@toolstile/core/provider";
import { counted } from "../terminal/terminal.js";

/** Messages, tool definitions and calls of one conversation: no model has read as many, and each takes memory. */
const mostParts = 250_000;
/** Characters of an id: it is said again with every finding. */
const longestId = 256;

/** A conversation as it was recorded: nothing of it has been believed yet. */
export interface Conversation {
  /** As it is called in the file, where it is called anything. */
  readonly id: string | undefined;
  readonly tools: readonly unknown[];
  readonly messages: readonly unknown[];
}

/** Reads one line. A line that is not a conversation is a fault, in words that follow "line 7". */
export function readConversation(
  text: string,
): { readonly conversation: Conversation } | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's message quotes the text.
    return { fault: "is not JSON" };
  }
  if (!isJsonObject(value)) {
    return { fault: "is not a conversation: it must be an object" };
  }
  const messages = ownValue(value, "messages");
  if (!Array.isArray(messages)) {
    return { fault: "is not a conversation: it must have a list of messages" };
  }
  // "functions" is what OpenAI called it first.
  const tools = ownValue(value, "tools") ?? ownValue(value, "functions") ?? [];
  if (!Array.isArray(tools)) return { fault: "is not a conversation: its tools must be a list" };
  if (messages.length + tools.length + callsIn(messages) > mostParts) {
    return { fault: `has more than ${counted(mostParts)} messages, tools and calls` };
  }
  const id = ownValue(value, "id");
  return {
    conversation: {
      id: typeof id === "string" || typeof id === "number" ? cut(String(id)) : undefined,
      tools,
      messages,
    },
  };
}

function callsIn(messages: readonly unknown[]): number {
  let calls = 0;
  for (const message of messages) {
    const toolCalls = ownValue(message, "tool_calls");
    if (Array.isArray(toolCalls)) calls += toolCalls.length;
  }
  return calls;
}

function cut(id: string): string {
  return id.length > longestId ? `${id.slice(0, longestId)}…` : id;
}
