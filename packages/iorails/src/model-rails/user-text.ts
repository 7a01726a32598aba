import { ownText, ownValue } from "@toolstile/core/provider";
import type { ChatMessage } from "../chat/message.js";

/** The user's last text, as a rail reads it. */
export interface UserText {
  /** Names and text parts, a line each; "" where there is none. */
  readonly text: string;
  /**
   * The text of each message, also of blank ones behind them, and of each name and part of one that has several: what
   * begins or ends one does not begin or end the whole.
   */
  readonly texts: readonly string[];
  /**
   * The text of each message that is not blank, without its name, and of each part of one that has several; none where
   * that is `text`. What is a share of a text, or a guess at all of it, another message, part or name would hide.
   */
  readonly said: readonly string[];
  /** There is something beside text, which a rail that reads text does not see. */
  readonly hasOtherParts: boolean;
  /** Among it is a document or sound: words that a rail that reads text does not see. */
  readonly hasOtherWords: boolean;
  /** The content where it is a list: a prompt may hand it on whole, images and all. */
  readonly parts: readonly unknown[] | undefined;
}

/**
 * Read what the user said last: the messages of role `user` since the model
 * last answered, up to the last one that is not blank.
 *
 * Of earlier ones the model has heard, and they were judged when they were
 * last, if the client did not write its own history. A name that the user goes
 * by is text like any other, for the model reads it. A message of images alone
 * is not passed over for one that was answered. Where every user message is
 * blank the last is judged like any other; where there is no user message at
 * all, or a content is neither text nor a list, there is nothing to read and
 * the answer is `undefined`.
 */
export function lastUserText(messages: readonly ChatMessage[]): UserText | undefined {
  const places = lastSpoken(messages);
  const spoken = places.map((index) => partsOf(messages[index]));
  if (spoken.length === 0) return undefined;
  const parts: unknown[] = [];
  for (const said of spoken) {
    if (said === undefined) return undefined;
    for (const part of said) parts.push(part);
  }
  const others = parts.filter((part) => !isTextAlone(part));
  const text = textsIn(parts).join("\n");
  const said = places.flatMap((index) => withEach(textsIn(contentOf(messages[index]) ?? [])));
  const since = messages.slice(places[0]).filter((message) => message.role === "user");
  return {
    text,
    texts: since.flatMap((message) => withEach(textsIn(partsOf(message) ?? []))),
    said: said.filter((each) => each !== text),
    hasOtherParts: others.length > 0,
    hasOtherWords: others.some((part) => ownValue(part, "type") !== "image_url"),
    parts: parts.every((part) => typeof part === "string") ? undefined : parts.map(asPart),
  };
}

/** The number of lines that each name and part has in the text that the user said last, by message. */
export function lineCounts(messages: readonly ChatMessage[]): readonly (readonly number[])[] {
  return lastSpoken(messages).map((index) =>
    textsIn(partsOf(messages[index]) ?? []).map((text) => text.split("\n").length),
  );
}

/** Some texts as one, and each of them where there are several. */
function withEach(texts: readonly string[]): readonly string[] {
  const joined = texts.join("\n");
  return texts.length > 1 ? [joined].concat(texts) : [joined];
}

function textsIn(parts: readonly unknown[]): readonly string[] {
  return parts.flatMap((part) => partText(part) ?? []);
}

/** The text of one part of a content; `undefined` if the part is not text. */
export function partText(part: unknown): string | undefined {
  if (typeof part === "string") return part;
  // Any part with a text of its own: a provider may read types that we do not know.
  const text = ownValue(part, "text");
  return typeof text === "string" ? text : undefined;
}

/** Not every model takes a text in a list of parts as it is. */
function asPart(part: unknown): unknown {
  return typeof part === "string" ? { type: "text", text: part } : part;
}

/** True if a part is nothing but text: an image or a file with a text beside it is not. */
function isTextAlone(part: unknown): boolean {
  if (partText(part) === undefined) return false;
  const type = ownValue(part, "type") ?? "text";
  return typeof type === "string" && /(?:^|_)text$/.test(type);
}

/** The text of one message; `undefined` for content that is neither text nor a list. */
function partsOf(message: unknown): readonly unknown[] | undefined {
  const name = ownText(message, "name");
  const content = contentOf(message);
  return name === undefined || content === undefined ? content : [name, ...content];
}

/** The same without its name. */
function contentOf(message: unknown): readonly unknown[] | undefined {
  const content = ownValue(message, "content") ?? [];
  if (typeof content === "string") return [content];
  return Array.isArray(content) ? content : undefined;
}

/**
 * The conversation with another text in place of what the user said last.
 *
 * It stands in the last of the messages that were judged; names and the texts
 * of the others are gone with what it replaces, and what is no text stays.
 */
export function withUserText(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const spoken = lastSpoken(messages);
  return messages.map((message, at) => {
    if (!spoken.includes(at)) return message;
    const { name: _, ...nameless } = message;
    const isLast = at === spoken.at(-1);
    const content = ownValue(message, "content");
    if (!Array.isArray(content)) return { ...nameless, content: isLast ? text : "" };
    const others = content.filter((part) => !isTextAlone(part)).map(withoutText);
    const own = isLast || others.length === 0 ? [{ type: "text", text: isLast ? text : "" }] : [];
    return { ...nameless, content: [...own, ...others] };
  });
}

/** Returns the messages before the user's last: the text alone, of the user, the assistant and the system. */
export function talkBefore(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const [first = 0] = lastSpoken(messages);
  return messages.slice(0, first).flatMap((message) => {
    const { role } = message;
    if (role !== "user" && role !== "assistant" && role !== "system") return [];
    const content = textsIn(partsOf(message) ?? []).join("\n");
    return content === "" ? [] : [{ role, content }];
  });
}

function withoutText(part: unknown): unknown {
  if (partText(part) === undefined) return part;
  const { text: _, ...rest } = part as { readonly text: string };
  return rest;
}

/** The places of the messages that the user has said since the model last answered, up to the last that is not blank. */
function lastSpoken(messages: readonly ChatMessage[]): readonly number[] {
  const isOf = (role: string) => (message: unknown) => ownValue(message, "role") === role;
  const last = messages.findLastIndex((message) => isOf("user")(message) && !isBlank(message));
  const end = last === -1 ? messages.findLastIndex(isOf("user")) : last;
  if (last === -1) return end === -1 ? [] : [end];
  const answered = messages.slice(0, end).findLastIndex(isAnswer);
  const since = messages.slice(answered + 1, end + 1);
  return since.flatMap((message, at) =>
    isOf("user")(message) && !isBlank(message) ? answered + 1 + at : [],
  );
}

/** A message of the assistant that says nothing, and asks for nothing, answers nothing. */
function isAnswer(message: unknown): boolean {
  if (ownValue(message, "role") !== "assistant") return false;
  const calls = ownValue(message, "tool_calls");
  const asks = (Array.isArray(calls) && calls.length > 0) || ownValue(message, "function_call");
  return Boolean(asks) || ownText(message, "refusal") !== undefined || !isBlank(message);
}

function isBlank(message: unknown): boolean {
  const parts = partsOf(message);
  return parts?.every((part) => isTextAlone(part) && partText(part)?.trim() === "") ?? false;
}
