import { type JsonValue, type ToolContent, type ToolOutcome, toolResult } from "@toolstile/core";
import { isRecord, type JsonRpcId, type JsonRpcMessage, own } from "./json-rpc.js";
import { variantsOf } from "./name-variants.js";

/** A server's answer that no guard could judge: it is kept from the client. */
export class Unjudgeable extends Error {}

const kept = new WeakSet<object>();

/** Say of a message that nobody else holds it, so that it cannot change while it is judged. */
export function keepFixed(message: JsonRpcMessage): void {
  kept.add(message);
}

/**
 * An answer that nobody else can change: a copy, unless it is known to be one.
 *
 * Judges take their time, and an in-process server still has the original.
 *
 * @throws where JSON cannot hold it.
 */
export function fixedCopy(message: JsonRpcMessage): JsonRpcMessage {
  if (kept.has(message)) return message;
  return JSON.parse(JSON.stringify(message)) as JsonRpcMessage;
}

/**
 * A server's answer to a call, as core and its judges read it; `raw` leads back to the message.
 *
 * @throws for what is no tool's result and no error, such as a task.
 */
export function claimedBy(message: JsonRpcMessage): unknown {
  const error = own(message, "error");
  const result = own(message, "result");
  if ([error, result].some((part) => isRecord(part) && hasVariants(part))) {
    throw new Unjudgeable("The server's answer means different things to different readers.");
  }
  if (Object.hasOwn(message, "error")) {
    if (Object.hasOwn(message, "result")) {
      throw new Unjudgeable("The server answered with a result and an error at once.");
    }
    return toolResult({ content: errorText(error), isError: true, raw: message });
  }
  // Judges would see nothing of it, and there are clients that show it.
  if (!isRecord(result)) throw new Unjudgeable("The server answered with what is no result.");
  const content = own(result, "content");
  const structured = own(result, "structuredContent") as JsonValue | undefined;
  switch (own(result, "resultType") ?? "complete") {
    case "complete":
      break;
    case "input_required":
      // Not the tool's answer yet, but what the server wants to know for it.
      return toolResult({
        content: [],
        structured: own(result, "inputRequests") as JsonValue | undefined,
        raw: message,
      });
    default:
      throw new Unjudgeable("The server answered with a kind of result that guards cannot judge.");
  }
  // Also beside content: whoever knows the first revision's results, or tasks, reads those.
  if ((own(result, "task") ?? own(result, "toolResult")) !== undefined) {
    throw new Unjudgeable("The server answered with a task, whose result guards cannot judge.");
  }
  return toolResult({
    content: (content ?? []) as ToolContent,
    structured,
    isError: (own(result, "isError") ?? false) as boolean,
    raw: message,
  });
}

const hasVariants = variantsOf([
  "resultType",
  "content",
  "structuredContent",
  "isError",
  "inputRequests",
  "requestState",
  "task",
  "toolResult",
  "_meta",
  "code",
  "message",
  "data",
]);

/** All that a client may show of an error. @throws for one that has more, where no text is looked for. */
function errorText(error: unknown): string {
  const message = own(error, "message") ?? "The server answered with an error.";
  if (
    !isRecord(error) ||
    typeof message !== "string" ||
    typeof (own(error, "code") ?? 0) !== "number"
  ) {
    throw new Unjudgeable("The server answered with what is no error of the protocol.");
  }
  const data = own(error, "data");
  return data === undefined ? message : `${message} ${JSON.stringify(data)}`;
}

/**
 * What the client is told in place of the server's own words, or where there are none.
 *
 * @param hasOutputSchema a client refuses such a tool's result without its structured half, unless it is an error.
 */
export function answerFrom(
  id: JsonRpcId,
  { result, status }: ToolOutcome,
  { hasOutputSchema, isModern }: { hasOutputSchema: boolean; isModern: boolean },
): JsonRpcMessage {
  const { content, structured } = result;
  const isError = status !== "executed" || (hasOutputSchema && structured === undefined);
  return {
    jsonrpc: "2.0",
    id,
    result: {
      ...(isModern && { resultType: "complete" }),
      content: typeof content === "string" ? [{ type: "text", text: content }] : content,
      ...(structured !== undefined && { structuredContent: structured }),
      ...(isError && { isError }),
      ...(result.receipt !== undefined && { _meta: { [receiptKey]: result.receipt } }),
    },
  };
}

/** Where a signed receipt stands in a result's metadata. */
const receiptKey = "toolstile/receipt";

/** The server's own answer, with the receipt that core's signer gave for it. */
export function withReceipt(message: JsonRpcMessage, receipt: string | undefined): JsonRpcMessage {
  const result = own(message, "result");
  if (receipt === undefined || result === undefined) return message;
  const meta = own(result, "_meta");
  return {
    ...message,
    result: { ...(result as object), _meta: { ...(meta as object), [receiptKey]: receipt } },
  };
}
