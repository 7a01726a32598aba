import type { Conversation } from "../call/conversation.js";
import { ownValue } from "../json/own.js";

/**
 * Reads what the user said, and which tools have answered, from messages as the frameworks have them.
 *
 * It knows messages by their `role` or `getType()`, and texts in `content`, in its parts, in
 * `content.parts` or in `parts`. What it does not know counts as the answer of a tool. So does a message of
 * the role `user` that says that somebody else wrote it: by a `name`, or as LangChain marks a summary.
 */
export function conversationIn(messages: unknown): Conversation {
  const userTexts: string[] = [];
  const resultIds: string[] = [];
  const read = { userTexts, resultIds };
  if (Array.isArray(messages)) for (const message of messages) readMessage(message, read);
  else if (messages !== undefined) resultIds.push("");
  return { userTexts, hasResults: resultIds.length > 0, resultIds };
}

interface Read {
  readonly userTexts: string[];
  readonly resultIds: string[];
}

function readMessage(message: unknown, { userTexts, resultIds }: Read): void {
  const role = roleOf(message);
  const content = ownValue(message, "content");
  const parts = partsOf(message);
  const isUser = (role === "user" || role === "human") && !isOfAnother(message);
  // Some frameworks put the answers of tools in messages of other roles.
  const results = (parts ?? []).filter((part) => isResult(part) || (isUser && isUnknown(part)));
  for (const each of results) resultIds.push(idOf(each));
  if (innerRoles.has(role)) return;
  const isUnread = parts === undefined && (content === undefined || typeof content === "object");
  if (!isUser || isUnread) {
    if (results.length === 0) resultIds.push(idOf(message));
    return;
  }
  if (typeof content === "string") userTexts.push(content);
  for (const part of parts ?? []) {
    const text = ownValue(part, "text");
    if (typeof text === "string" && textTypes.has(ownValue(part, "type"))) userTexts.push(text);
  }
}

/** Types of the parts that the user wrote. The text of a document has another. */
const textTypes: ReadonlySet<unknown> = new Set([undefined, "text", "input_text"]);

/** Roles of messages that hold no answer of a tool, except in parts that say so. */
const innerRoles: ReadonlySet<unknown> = new Set([
  "assistant",
  "ai",
  "model",
  "system",
  "developer",
  "context",
  "signal",
  "function_call",
  "reasoning",
]);

function roleOf(message: unknown): unknown {
  const role = ownValue(message, "role");
  if (role !== undefined) return role;
  const getType = (message as { readonly getType?: unknown } | null | undefined)?.getType;
  return typeof getType === "function" ? getType.call(message) : ownValue(message, "type");
}

/** True for a message that an agent, or a summary of the conversation, has put in the user's mouth. */
function isOfAnother(message: unknown): boolean {
  const name = ownValue(message, "name");
  const source = ownValue(ownValue(message, "additional_kwargs"), "lc_source");
  return (name !== undefined && name !== null && name !== "") || source !== undefined;
}

function partsOf(message: unknown): readonly unknown[] | undefined {
  const content = ownValue(message, "content");
  const lists = [content, ownValue(content, "parts"), ownValue(message, "parts")];
  const found = lists.filter((each) => Array.isArray(each));
  return found.length === 0 ? undefined : found.flat();
}

/** The types of results, of tools that the host runs and of those that the model's provider runs, such as its search of the web. */
const resultType =
  /(?:^|_)tool[-_](?:call_)?result$|_call_(?:output|result)$|^(?:hosted_tool|web_search|file_search|code_interpreter|mcp|computer|image_generation)_call$/;

function isResult(part: unknown): boolean {
  const type = ownValue(part, "type");
  if (typeof type === "string" && resultType.test(type)) return true;
  // An invocation in Mastra's and the AI SDK's own messages holds its result.
  const invocation = ownValue(part, "toolInvocation");
  if (ownValue(invocation, "state") === "result" || outputStates.has(ownValue(part, "state")))
    return true;
  if (type !== undefined || typeof part !== "object" || part === null) return false;
  return Object.keys(part).some((name) => !membersOfUntyped.has(name));
}

const outputStates: ReadonlySet<unknown> = new Set(["output-available", "output-error"]);

/** The members of parts without a type, as Bedrock's and Google's are, that hold no answer of a tool. */
const membersOfUntyped: ReadonlySet<string> = new Set([
  "type",
  "text",
  "image",
  "audio",
  "video",
  "document",
  "inlineData",
  "fileData",
  "cachePoint",
  "guardContent",
  "citationsContent",
  "reasoningContent",
  "toolUse",
  "functionCall",
  "executableCode",
  "toolInvocation",
  "thought",
  "thoughtSignature",
  "videoMetadata",
]);

/** True for a part of a type that no framework lets the user write. */
function isUnknown(part: unknown): boolean {
  const type = ownValue(part, "type");
  return type !== undefined && !userTypes.has(type);
}

/** Types of the parts that come from the user: texts and files. */
const userTypes: ReadonlySet<unknown> = new Set([
  "text",
  "input_text",
  "text-plain",
  "image",
  "image_url",
  "image_file",
  "input_image",
  "audio",
  "audio_url",
  "input_audio",
  "video",
  "video_url",
  "file",
  "input_file",
  "document",
  "media",
  "container_upload",
  "step-start",
]);

const idNames = [
  "toolCallId",
  "tool_call_id",
  "tool_use_id",
  "toolUseId",
  "call_id",
  "callId",
] as const;

/** The id of the call that a message or a part answers; empty if none is there. */
function idOf(answer: unknown): string {
  const inner = ownValue(answer, "toolInvocation") ?? ownValue(answer, "toolResult");
  for (const name of idNames) {
    const id = ownValue(answer, name) ?? ownValue(inner, name);
    if (typeof id === "string") return id;
  }
  const id = ownValue(ownValue(answer, "functionResponse"), "id");
  return typeof id === "string" ? id : "";
}
