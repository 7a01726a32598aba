import { requestsFor } from "./approval-requests.js";

/** What `toolApproval` of ai 7 is told. */
export interface ToolApprovalQuestion {
  readonly toolCall: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input?: unknown;
  };
  readonly messages?: readonly unknown[] | undefined;
  readonly toolsContext?: unknown;
}

/** What it answers. */
export type ToolApprovalAnswer =
  | { readonly type: "not-applicable" }
  | { readonly type: "user-approval"; readonly reason: string };

/**
 * The `toolApproval` of ai 7 for guarded tools: a denial that can be lifted
 * becomes an approval request with its summary as the reason.
 *
 * It decides nothing else: every call is decided when it is run, also one that
 * the SDK's user approved.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for tools that are not guarded,
 * or whose guards have no approver.
 */
export function toolApproval(
  tools: object,
): (question: ToolApprovalQuestion) => Promise<ToolApprovalAnswer> {
  const requests = requestsFor(tools);
  requests.checkApprover();
  return async ({ toolCall, messages, toolsContext }) => {
    const { toolCallId, toolName, input } = toolCall;
    const contexts = Object(toolsContext) as Record<string, unknown>;
    const context = Object.hasOwn(contexts, toolName) ? contexts[toolName] : undefined;
    const call = { toolCallId, messages, context };
    const reason = await requests.summaryOf(toolName, input, call);
    return reason === undefined ? { type: "not-applicable" } : { type: "user-approval", reason };
  };
}
