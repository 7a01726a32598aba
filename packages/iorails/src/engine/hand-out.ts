import { ToolstileError } from "@toolstile/core";
import type { HostContext } from "@toolstile/core/host";
import { ownValue } from "@toolstile/core/provider";
import type { Receipts } from "@toolstile/result-linkage";
import { toolCall } from "../chat/wire.js";
import { invalid } from "../errors.js";
import type { DecidedCall } from "../tool-rails/call-rail.js";
import type { ToolCallMessage } from "./assistant-message.js";

/**
 * Write decided calls as the application gets them, each with its receipt.
 *
 * Arguments that no guard changed stay as the model wrote them, byte for byte:
 * they were read so strictly that no reader can take them otherwise.
 */
export function handOut(
  calls: readonly DecidedCall[],
  receipts: Receipts | undefined,
  context: HostContext | undefined,
): readonly ToolCallMessage[] {
  return calls.map(({ asked, id, args, modified }) => {
    const isCustom = asked.type === "custom";
    const changed = isCustom ? ownValue(args, "input") : args;
    const written = toolCall({ ...asked, id, arguments: modified ? changed : asked.arguments });
    const message = written as unknown as ToolCallMessage;
    // A receipt proves arguments, and a custom tool has none.
    if (receipts === undefined || id === undefined || args === undefined || isCustom) {
      return message;
    }
    const toolName = asked.name ?? asked.type;
    return { ...message, receipt: signed(receipts, { callId: id, toolName, args, context }) };
  });
}

/** @throws ToolstileError of the signer's, which may have words of its own for a key. */
function signed(receipts: Receipts, facts: Parameters<Receipts["signCall"]>[0]): string {
  let receipt: unknown;
  try {
    receipt = receipts.signCall(facts);
  } catch (cause) {
    if (ToolstileError.isInstance(cause)) throw cause;
    throw unsigned("failed", cause);
  }
  if (typeof receipt !== "string" || receipt === "") throw unsigned("gave no text");
  return receipt;
}

function unsigned(what: string, cause?: unknown): ToolstileError {
  const message = `receipts.signCall() ${what}, and a call without its receipt is not handed out.`;
  return invalid(message, cause);
}
