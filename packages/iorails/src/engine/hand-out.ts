import type { HostContext } from "@toolstile/core";
import type { Receipts } from "@toolstile/result-linkage";
import { toolCall } from "../chat/wire.js";
import type { DecidedCall } from "../tool-rails/call-rail.js";
import type { ToolCallMessage } from "./answer.js";

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
    const written = toolCall({ ...asked, id, arguments: modified ? args : asked.arguments });
    const message = written as unknown as ToolCallMessage;
    if (receipts === undefined || id === undefined || args === undefined) return message;
    const toolName = asked.name ?? asked.type;
    return { ...message, receipt: receipts.signCall({ callId: id, toolName, args, context }) };
  });
}
