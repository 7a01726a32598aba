import { type JsonValue, type ToolContent, type ToolOutcome, toolResult } from "@toolstile/core";
import { isJsonObject, ownValue } from "@toolstile/core/provider";
import type { JsonRpcId, JsonRpcMessage } from "../message/json-rpc.js";
import { variantsOf } from "../message/name-variants.js";
import { askingMembers, completeMembers, withoutRest, withRest } from "./result-rest.js";

/** Thrown for a server's answer that no guard could judge. The client does not get it. */
export class Unjudgeable extends Error {}

/**
 * A server's answer to a call, as core and its guards read it. Its `raw` is the message.
 *
 * @param showsRest true for guards that judge results: what has no place in a
 * result of core's is a last part of its content, so that nothing passes unseen.
 * @throws for an answer that is neither a tool's result nor an error, such as a task.
 */
export function claimedBy(message: JsonRpcMessage, showsRest = false): unknown {
  const error = ownValue(message, "error");
  const result = ownValue(message, "result");
  if ([error, result].some((part) => isJsonObject(part) && hasVariants(part))) {
    throw new Unjudgeable("The server's answer means different things to different readers.");
  }
  if (Object.hasOwn(message, "error")) {
    if (Object.hasOwn(message, "result")) {
      throw new Unjudgeable("The server answered with a result and an error at once.");
    }
    return toolResult({ content: errorText(error), isError: true, raw: message });
  }
  // Judges would see nothing of it, and there are clients that show it.
  if (!isJsonObject(result)) throw new Unjudgeable("The server answered with what is no result.");
  const content = (ownValue(result, "content") ?? []) as ToolContent;
  const structured = ownValue(result, "structuredContent") as JsonValue | undefined;
  switch (ownValue(result, "resultType") ?? "complete") {
    case "complete":
      break;
    case "input_required":
      // Not the tool's answer yet, but what the server wants to know for it.
      return toolResult({
        content: showsRest ? withRest([], result, askingMembers) : [],
        structured: ownValue(result, "inputRequests") as JsonValue | undefined,
        raw: message,
      });
    default:
      throw new Unjudgeable("The server answered with a kind of result that guards cannot judge.");
  }
  // Also beside content: a client that knows the first revision's results, or tasks, reads those.
  if ((ownValue(result, "task") ?? ownValue(result, "toolResult")) !== undefined) {
    throw new Unjudgeable("The server answered with a task, whose result guards cannot judge.");
  }
  return toolResult({
    content: showsRest ? withRest(content, result, completeMembers) : content,
    structured,
    isError: (ownValue(result, "isError") ?? false) as boolean,
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

/** All text of an error that a client may show. @throws for what is no error of the protocol. */
function errorText(error: unknown): string {
  const message = ownValue(error, "message") ?? "The server answered with an error.";
  if (
    !isJsonObject(error) ||
    typeof message !== "string" ||
    typeof (ownValue(error, "code") ?? 0) !== "number"
  ) {
    throw new Unjudgeable("The server answered with what is no error of the protocol.");
  }
  const { code: _, message: __, data, ...rest } = error;
  const more = Object.keys(rest).length === 0 ? [] : [rest];
  const shown = data === undefined ? more : [data, ...more];
  return [message, ...shown.map((each) => JSON.stringify(each))].join(" ");
}

/**
 * The answer that is made here for the client: a guard changed the server's, or there is none.
 *
 * @param hasOutputSchema a client refuses such a tool's result without structured content, unless it is an error.
 */
export function answerFrom(
  id: JsonRpcId,
  { result, status }: ToolOutcome,
  { hasOutputSchema, isModern }: { hasOutputSchema: boolean; isModern: boolean },
): JsonRpcMessage {
  const { structured } = result;
  const content = withoutRest(result.content);
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

/** The key of a signed receipt in a result's `_meta`. */
const receiptKey = "toolstile/receipt";

/** The server's own answer, with the receipt that core's signer gave for it. */
export function withReceipt(message: JsonRpcMessage, receipt: string | undefined): JsonRpcMessage {
  const result = ownValue(message, "result");
  if (receipt === undefined || result === undefined) return message;
  const meta = ownValue(result, "_meta");
  return {
    ...message,
    result: { ...(result as object), _meta: { ...(meta as object), [receiptKey]: receipt } },
  };
}
