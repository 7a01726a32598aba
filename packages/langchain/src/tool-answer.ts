import {
  type BaseMessage,
  type MessageContent,
  ToolMessage,
  type ToolMessageFields,
} from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { type Command, isCommand } from "@langchain/langgraph";
import { type ToolOutcome, toolResult } from "@toolstile/core";
import { base64, type ClaimedResult, isRewritten } from "@toolstile/core/host";
import { ownValue, sameJson } from "@toolstile/core/provider";
import { messagesOf, newMessagesOf, withMessages, withRealMessages } from "./command-messages.js";

export type ToolAnswer = ToolMessage | Command;

/** A tool's answer, read once, before anybody judges it. */
export interface ReadAnswer {
  readonly answer: ToolAnswer;
  /** The one message that answers the call. A command may hold none, or several. */
  readonly message: ToolMessage | undefined;
  readonly result: ClaimedResult;
}

type AskedCall = Pick<ToolCall, "id" | "name">;

/** The part of the conversation that is needed to read an answer. */
export interface AnsweredTurn {
  readonly callId: string | undefined;
  /** The messages that the graph has. */
  readonly known: readonly BaseMessage[];
  /** The ids of all calls of the turn. */
  readonly asked: readonly (string | undefined)[];
}

/**
 * An answer as its judges are to see it, with the identity that it claims.
 *
 * Of a command they see all that it has the model read: the answer, and any
 * message that the graph does not have yet.
 */
export function readAnswer(given: ToolAnswer, turn: AnsweredTurn): ReadAnswer {
  return isCommand(given) ? readCommand(given, turn) : readMessage(given, turn.callId);
}

function readMessage(message: ToolMessage, callId: string | undefined): ReadAnswer {
  const content = contentOf(message.content) as ClaimedResult["content"];
  const result = resultOf(content, message.status === "error", callId, message);
  return { answer: message, message, result };
}

function readCommand(given: Command, turn: AnsweredTurn): ReadAnswer {
  const { callId, known, asked } = turn;
  const siblings = asked.filter((id) => id !== undefined && id !== callId);
  const answer = withRealMessages(given);
  const added = newMessagesOf(answer, known);
  const answersSibling = added.some(
    (each) => ToolMessage.isInstance(each) && siblings.includes(each.tool_call_id),
  );
  // The model would read it in the place of that call's own.
  if (answersSibling) return readMessage(forged(callId), callId);
  const answers = answersIn(answer, callId);
  const others = added.filter((each) => !answers.includes(each as ToolMessage));
  const [first] = answers;
  const message = answers.length === 1 && others.every(saysNothing) ? first : undefined;
  const content = (
    message === undefined ? [...answers, ...others].flatMap(partsOf) : contentOf(message.content)
  ) as ClaimedResult["content"];
  const isError = answers.some(({ status }) => status === "error");
  return { answer, message, result: resultOf(content, isError, callId, first) };
}

function resultOf(
  content: ClaimedResult["content"],
  isError: boolean,
  callId: string | undefined,
  first: ToolMessage | undefined,
): ClaimedResult {
  return toolResult({
    content,
    isError,
    // An id that the model did not give, the tool cannot claim.
    callId: callId === undefined ? undefined : first?.tool_call_id,
    name: first?.name,
  });
}

function forged(callId = ""): ToolMessage {
  return new ToolMessage({
    content: "Tool result withheld: the tool answered another call of its turn",
    tool_call_id: callId,
    status: "error",
  });
}

/** The messages of a command that answer the call. */
function answersIn(command: Command, callId: string | undefined): readonly ToolMessage[] {
  return messagesOf(command).filter(
    (message): message is ToolMessage =>
      ToolMessage.isInstance(message) && message.tool_call_id === callId,
  );
}

function saysNothing(message: BaseMessage): boolean {
  return partsOf(message).every((part) => sameJson(part, { type: "text", text: "" }));
}

/** All of a message that the model reads: the arguments of calls are words too. */
function partsOf(message: BaseMessage): readonly unknown[] {
  const { content } = message;
  const calls = [ownValue(message, "tool_calls") ?? []].flat() as {
    name?: unknown;
    args?: unknown;
  }[];
  const said = calls.map(({ name, args }) => ({
    type: "text",
    text: `${String(name)} ${JSON.stringify(args)}`,
  }));
  return Array.isArray(content)
    ? [...(contentOf(content) as unknown[]), ...said]
    : [{ type: "text", text: content }, ...said];
}

/** Bytes as base64 text, which models are sent for them: JSON would make an object of them. */
function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? "";
  return content.map((block: unknown) => {
    const { data } = Object(block) as { data?: unknown };
    return data instanceof Uint8Array ? { ...(block as object), data: base64(data) } : block;
  });
}

/** The graph's answer to a call that came to its end. */
export function answerOf(
  outcome: ToolOutcome,
  toolCall: AskedCall,
  read: ReadAnswer | undefined,
): ToolAnswer {
  const { content, isError } = outcome.result;
  const hasRun = outcome.status === "executed" || outcome.status === "failed";
  if (!hasRun || read === undefined) return messageFor(toolCall, content, "error");
  const { answer, message } = read;
  const judged = messageFor(toolCall, content, isError ? "error" : "success", message);
  if (!isCommand(answer)) return judged;
  if (message !== undefined) {
    return withMessages(answer, (each) => (each === message ? judged : each));
  }
  // What core could not read, judges were not shown.
  const isUnread = outcome.status === "failed" && outcome.error !== undefined;
  return isUnread || isRewritten(outcome) ? judged : answer;
}

/** A message of just this content, with all of the old one that the model does not read. */
function messageFor(
  { id = "", name }: AskedCall,
  content: ToolOutcome["result"]["content"],
  status: "error" | "success",
  before: Partial<ToolMessage> = {},
): ToolMessage {
  const { additional_kwargs, artifact, id: messageId, metadata, response_metadata } = before;
  const fields: ToolMessageFields = {
    additional_kwargs: additional_kwargs ?? {},
    response_metadata: response_metadata ?? {},
    // What was judged is frozen JSON: others may change their copy.
    content: typeof content === "string" ? content : copyOf(content),
    status,
    tool_call_id: id,
    name,
  };
  // The framework writes down each member that it is given.
  if (artifact !== undefined) fields.artifact = artifact;
  if (messageId !== undefined) fields.id = messageId;
  if (metadata) fields.metadata = metadata;
  return new ToolMessage(fields);
}

function copyOf(content: unknown): MessageContent {
  return JSON.parse(JSON.stringify(content));
}

/** A denial in words of its own. */
export function denied(reason: string, toolCall: AskedCall): ToolMessage {
  return messageFor(toolCall, `Tool call denied: ${reason}`, "error");
}
