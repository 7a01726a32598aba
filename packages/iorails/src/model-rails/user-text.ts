import type { ChatMessage } from "../chat/message.js";
import { own } from "../own-property.js";

/** What the user said last, as a rail reads it. */
export interface UserText {
  /** The text parts, a line each; "" where there is none. */
  readonly text: string;
  /** There is something beside text, which a rail that reads text does not see. */
  readonly hasOtherParts: boolean;
  /** The content where it is a list: a prompt may hand it on whole, images and all. */
  readonly parts: readonly unknown[] | undefined;
}

/**
 * Read the last thing the user said: the content of the last message of role `user` that is not blank.
 *
 * Earlier messages of the user were judged when they were last, if the client
 * did not write its own history, nor two in a row. A message of images alone is
 * not passed over for an earlier one with text. Where every user message is
 * blank the last is judged like any other; where there is no user message at
 * all, or its content is neither text nor a list, there is nothing to read and
 * the answer is `undefined`.
 */
export function lastUserText(messages: readonly ChatMessage[]): UserText | undefined {
  const index = lastUserIndex(messages);
  if (index === undefined) return undefined;
  const content = own(messages[index], "content");
  if (
    content === undefined ||
    content === null ||
    (Array.isArray(content) && content.length === 0)
  ) {
    return { text: "", hasOtherParts: false, parts: undefined };
  }
  if (typeof content === "string") return { text: content, hasOtherParts: false, parts: undefined };
  if (!Array.isArray(content)) return undefined;
  return {
    text: content.flatMap((part) => partText(part) ?? []).join("\n"),
    hasOtherParts: !content.every(isTextAlone),
    parts: content,
  };
}

/** The text of one part of a content; `undefined` where it is no text. */
export function partText(part: unknown): string | undefined {
  if (typeof part === "string") return part;
  // Any part with a text of its own: a provider may read types that we do not know.
  const text = own(part, "text");
  return typeof text === "string" ? text : undefined;
}

/** Whether a part is nothing but text: an image or a file may have a text beside it, and is still one. */
function isTextAlone(part: unknown): boolean {
  if (partText(part) === undefined) return false;
  const type = own(part, "type") ?? "text";
  return typeof type === "string" && /(?:^|_)text$/.test(type);
}

/** The conversation with another text in place of what the user said last; other parts stay, without theirs. */
export function withUserText(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const index = lastUserIndex(messages);
  return messages.map((message, at) => {
    if (at !== index) return message;
    const content = own(message, "content");
    if (!Array.isArray(content)) return { ...message, content: text };
    const others = content.filter((part) => !isTextAlone(part)).map(withoutText);
    return { ...message, content: [{ type: "text", text }, ...others] };
  });
}

function withoutText(part: unknown): unknown {
  if (partText(part) === undefined) return part;
  const { text: _, ...rest } = part as { readonly text: string };
  return rest;
}

function lastUserIndex(messages: readonly ChatMessage[]): number | undefined {
  const users = messages.flatMap((message, index) =>
    own(message, "role") === "user" ? index : [],
  );
  return users.findLast((index) => !isBlank(own(messages[index], "content"))) ?? users.at(-1);
}

function isBlank(content: unknown): boolean {
  if (typeof content === "string") return content.trim() === "";
  if (!Array.isArray(content)) return content === undefined || content === null;
  return content.every((part) => isTextAlone(part) && partText(part)?.trim() === "");
}
