import { type MessageContent, ToolMessage } from "@langchain/core/messages";
import { type Command, isCommand } from "@langchain/langgraph";
import { type ClaimedResult, type ToolOutcome, toolResult } from "@toolstile/core";
import { messagesOf, withMessages, withRealMessages } from "./command-messages.js";

export type Answer = ToolMessage | Command;

/** What a tool answered, taken apart once, before anybody judges it. */
export interface TakenAnswer {
  readonly answer: Answer;
  /** What the model is to read of it; a command may hold none. */
  readonly message: ToolMessage | undefined;
  readonly result: ClaimedResult;
}

/** Read an answer as its judges are to see it, with the identity that it claims. */
export function take(given: Answer, callId: string | undefined): TakenAnswer {
  const answer = isCommand(given) ? withRealMessages(given) : given;
  const answers = isCommand(answer) ? answersIn(answer, callId) : [answer];
  const [first] = answers;
  const message = answers.length === 1 ? first : undefined;
  const result = toolResult({
    content: (message === undefined
      ? answers.flatMap(partsOf)
      : contentOf(message.content)) as ClaimedResult["content"],
    isError: answers.some(({ status }) => status === "error"),
    // An id that the model did not give, the tool cannot claim.
    callId: callId === undefined ? undefined : first?.tool_call_id,
    name: first?.name,
  });
  return { answer, message, result };
}

/** The messages of a command that answer the call. */
function answersIn(command: Command, callId: string | undefined): readonly ToolMessage[] {
  return messagesOf(command).filter(
    (message): message is ToolMessage =>
      ToolMessage.isInstance(message) && message.tool_call_id === callId,
  );
}

function partsOf({ content }: ToolMessage): readonly unknown[] {
  return Array.isArray(content)
    ? (contentOf(content) as unknown[])
    : [{ type: "text", text: content }];
}

/** Bytes as base64 text, which models are sent for them: JSON would make an object of them. */
function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? "";
  return content.map((block: unknown) => {
    const { data } = Object(block) as { data?: unknown };
    return data instanceof Uint8Array ? { ...(block as object), data: base64(data) } : block;
  });
}

/** Without Node's Buffer: the framework runs elsewhere, too. */
function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** What the graph is given for a call that came to its end. */
export function answerOf(
  outcome: ToolOutcome,
  toolCall: { readonly id?: string | undefined; readonly name: string },
  taken: TakenAnswer | undefined,
): Answer {
  const { content, isError } = outcome.result;
  const hasRun = outcome.status === "executed" || outcome.status === "failed";
  if (!hasRun || taken === undefined) return messageFor(toolCall, content, "error");
  const { answer, message } = taken;
  const status = isError ? "error" : "success";
  const judged = messageFor(toolCall, content, status, message);
  if (!isCommand(answer)) return judged;
  if (message !== undefined) {
    return withMessages(answer, (each) => (each === message ? judged : each));
  }
  return isRewritten(outcome) ? judged : answer;
}

/** A message of just this content, and what the model does not read of the old one. */
function messageFor(
  { id = "", name }: { readonly id?: string | undefined; readonly name: string },
  content: ToolOutcome["result"]["content"],
  status: "error" | "success",
  before: Partial<ToolMessage> = {},
): ToolMessage {
  const { additional_kwargs, artifact, id: messageId, metadata, response_metadata } = before;
  const beside = { additional_kwargs, artifact, id: messageId, metadata, response_metadata };
  const kept = Object.entries(beside).filter(([, value]) => value !== undefined);
  return new ToolMessage({
    ...Object.fromEntries(kept),
    // A copy that may be changed: what was judged is frozen.
    content: structuredClone(content) as MessageContent,
    status,
    tool_call_id: id,
    name,
  });
}

/** Whether a judge changed the result, and not only to see what would become of it. */
function isRewritten({ decisions }: ToolOutcome): boolean {
  return decisions.some(
    ({ phase, decision, mode }) => phase === "result" && decision === "modify" && mode !== "shadow",
  );
}

/** A denial in words of its own. */
export function denied(
  reason: string,
  toolCall: { readonly id?: string | undefined; readonly name: string },
) {
  return messageFor(toolCall, `Tool call denied: ${reason}`, "error");
}
