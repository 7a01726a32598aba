import { requestsFor } from "./approval-requests.js";

/** The question to `toolApproval` of ai 7. */
export interface ToolApprovalQuestion {
  readonly toolCall: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input?: unknown;
  };
  /** The tools of the run, those that are not guarded among them. */
  readonly tools?: unknown;
  readonly messages?: readonly unknown[] | undefined;
  readonly toolsContext?: unknown;
}

/** Its answer. */
export type ToolApprovalAnswer =
  | { readonly type: "not-applicable" }
  | { readonly type: "user-approval"; readonly reason?: string };

/**
 * The `toolApproval` of ai 7 for guarded tools: a denial that can be lifted
 * becomes an approval request with its summary as the reason.
 *
 * The SDK asks this in place of a tool's own `needsApproval`, which is therefore
 * asked as well. It decides nothing else: every call is decided when it is run, also one that
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
  return async ({ toolCall, tools: set, messages, toolsContext }) => {
    const { toolCallId, toolName, input } = toolCall;
    const contexts = Object(toolsContext) as Record<string, unknown>;
    const context = Object.hasOwn(contexts, toolName) ? contexts[toolName] : undefined;
    const call = { toolCallId, messages, context };
    const reason = await requests.summaryOf(toolName, input, call);
    if (reason !== undefined) return { type: "user-approval", reason };
    const asksItself = await requests.asksItself(toolName, set, input, call);
    return { type: asksItself ? "user-approval" : "not-applicable" };
  };
}
