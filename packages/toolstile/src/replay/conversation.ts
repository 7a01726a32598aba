import { own } from "./own-property.js";

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
  const id = own(value, "id");
  return {
    conversation: {
      id: typeof id === "string" || typeof id === "number" ? String(id) : undefined,
      tools,
      messages,
    },
  };
}
