import type { Conversation } from "../call/conversation.js";
import { ownValue } from "../json/own.js";

const resultRoles: ReadonlySet<unknown> = new Set(["tool", "function"]);
const resultTypes: ReadonlySet<unknown> = new Set([
  "tool-result",
  "tool_result",
  "function_call_output",
  "function_call_result",
  "hosted_tool_call",
]);

/**
 * Reads what the user said, and whether a tool has answered, from messages as the frameworks have them.
 *
 * It knows messages by their `role` or `getType()`, and texts in `content`, in its parts or in
 * `content.parts`. What it does not know counts as the answer of a tool.
 */
export function conversationIn(messages: unknown): Conversation {
  const userTexts: string[] = [];
  if (!Array.isArray(messages)) return { userTexts, hasResults: messages !== undefined };
  let hasResults = false;
  for (const message of messages) {
    const role = roleOf(message);
    const content = ownValue(message, "content");
    const parts = partsOf(content);
    if (role === "user" || role === "human") {
      if (typeof content === "string") userTexts.push(content);
      for (const part of parts) {
        const text = ownValue(part, "text");
        if (typeof text === "string") userTexts.push(text);
      }
    } else if (!innerRoles.has(role)) {
      hasResults = true;
    }
    // Some frameworks put the answers of tools in messages of other roles.
    hasResults ||= parts.some(isResult);
  }
  return { userTexts, hasResults };
}

/** Roles of messages that hold no answer of a tool, except in parts that say so. */
const innerRoles: ReadonlySet<unknown> = new Set([
  "assistant",
  "ai",
  "system",
  "developer",
  "context",
  "signal",
  "function_call",
  "reasoning",
]);

function roleOf(message: unknown): unknown {
  const role = ownValue(message, "role");
  if (role !== undefined) return resultRoles.has(role) ? "tool" : role;
  const getType = (message as { readonly getType?: unknown } | null | undefined)?.getType;
  return typeof getType === "function" ? getType.call(message) : ownValue(message, "type");
}

function partsOf(content: unknown): readonly unknown[] {
  const parts = Array.isArray(content) ? content : ownValue(content, "parts");
  return Array.isArray(parts) ? parts : [];
}

function isResult(part: unknown): boolean {
  const type = ownValue(part, "type");
  if (resultTypes.has(type)) return true;
  // An invocation in Mastra's and the AI SDK's own messages holds its result.
  const invocation = ownValue(part, "toolInvocation");
  return (
    ownValue(invocation, "state") === "result" || ownValue(part, "state") === "output-available"
  );
}
