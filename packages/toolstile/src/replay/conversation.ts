import { counted } from "../terminal.js";
import { own } from "./own-property.js";

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

/** Read one line. Whatever is no conversation is a fault, in words that follow "line 7". */
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
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { fault: "is no conversation: it is not an object" };
  }
  const messages = own(value, "messages");
  if (!Array.isArray(messages)) {
    return { fault: "is no conversation: it has no list of messages" };
  }
  // "functions" is what OpenAI called it first.
  const tools = own(value, "tools") ?? own(value, "functions") ?? [];
  if (!Array.isArray(tools)) return { fault: "is no conversation: its tools are not a list" };
  if (messages.length + tools.length + callsIn(messages) > mostParts) {
    return { fault: `has more than ${counted(mostParts)} messages, tools and calls` };
  }
  const id = own(value, "id");
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
    const toolCalls = own(message, "tool_calls");
    if (Array.isArray(toolCalls)) calls += toolCalls.length;
  }
  return calls;
}

function cut(id: string): string {
  return id.length > longestId ? `${id.slice(0, longestId)}…` : id;
}
