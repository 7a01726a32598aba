import { isJsonObject, ownText } from "@toolstile/core/provider";
import {
  firstChoices,
  type ReadText,
  type Refusal,
  readText,
  readUsage,
  refusalFor,
  refuseReportedError,
} from "./answer.js";
import { CallAssembly } from "./call-assembly.js";
import { callEntries, readFunctionCall } from "./call-fragment.js";
import { given } from "./fields.js";
import type { AskedCall, Completion } from "./message.js";

/** A whole assistant message as it was read, its text with any thinking in it. */
export interface ReadMessage extends ReadText {
  readonly calls: readonly AskedCall[];
}

/**
 * Read the body of a Chat Completions answer that was not streamed.
 *
 * Arguments are handed on as the model wrote them, neither parsed nor mended.
 *
 * @throws ModelError "provider" where the body reports an error, "malformed"
 *   where it has no message or what is in it cannot be read.
 */
export function readCompletion(body: unknown, model: string): Completion {
  const refuse = refusalFor(model);
  refuseReportedError(body, model);
  if (!isJsonObject(body)) throw refuse("it is not an object");
  const [choice] = firstChoices(body, refuse);
  if (choice === undefined) throw refuse("it has no choices");
  const message = given(choice, "message");
  if (!isJsonObject(message)) throw refuse("its choice has no message");
  const { text, reasoning, isRefusal, calls } = readMessage(message, refuse);
  return {
    ...withoutThinking(text, reasoning),
    ...(isRefusal && { isRefusal }),
    calls,
    finishReason: ownText(choice, "finish_reason"),
    usage: readUsage(body),
    responseModel: ownText(body, "model"),
    responseId: ownText(body, "id"),
  };
}

export function readMessage(message: object, refuse: Refusal): ReadMessage {
  return { ...readText(message, refuse), calls: readCalls(message, refuse) };
}

/** The calls of a whole message. @throws ModelError "malformed" where they cannot be read. */
export function readCalls(message: object, refuse: Refusal): readonly AskedCall[] {
  const calls = new CallAssembly(refuse);
  calls.takeWhole(callEntries(message, refuse), readFunctionCall(message, refuse));
  return calls.calls();
}

/** Text and reasoning of an answer. Reasoning that has a field of its own wins: tags are then only text. */
export function withoutThinking(
  text: string,
  reasoning: string,
): { readonly content: string; readonly reasoning: string | undefined } {
  if (reasoning !== "") return { content: text, reasoning };
  const split = splitThinking(text);
  return { content: split.text, reasoning: split.reasoning };
}

const opening = "<think>";
const closing = "</think>";

/**
 * Split `<think>…</think>` off a text.
 *
 * Every block is removed, and the first one is the reasoning; the rest is
 * trimmed. Where tags do not match, or are nested, nothing can be told apart:
 * the text is left as it is.
 */
export function splitThinking(text: string): {
  readonly text: string;
  readonly reasoning?: string | undefined;
} {
  const parts = text.split(/(<think>|<\/think>)/);
  if (parts.length === 1) return { text };
  // Text stands at even places, tags at odd ones: they must be opening and closing in turn.
  const matched =
    parts.length % 4 === 1 &&
    parts.every((tag, at) => at % 2 === 0 || tag === (at % 4 === 1 ? opening : closing));
  if (!matched) return { text };
  const reasoning = (parts[2] ?? "").trim();
  return {
    text: parts
      .filter((_, at) => at % 4 === 0)
      .join("")
      .trim(),
    reasoning: reasoning === "" ? undefined : reasoning,
  };
}
