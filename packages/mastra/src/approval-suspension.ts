import {
  type Approver,
  type GuardedExecutor,
  type ToolOutcome,
  ToolstileError,
} from "@toolstile/core";
import { denial } from "./answer.js";
import type { ToolCallContext } from "./mastra.js";

type Executor = GuardedExecutor<[ToolCallContext | undefined], unknown>;

/** What the run of an agent is suspended with while somebody may approve: all that is needed to take the call up again. */
export interface PendingApproval {
  readonly pendingApproval: {
    readonly approvalId: string;
    readonly toolName: string;
    /** Why the call was denied. */
    readonly reason: string;
  };
}

/** Decides on calls, and suspends the agent's run for an approval where that is asked for. */
export class ApprovalSuspension {
  readonly #suspends: boolean;
  readonly #approver: Approver | undefined;
  readonly #executor: Executor;

  /** @throws ToolstileError `ERR_INVALID_OPTION` where nobody could approve. */
  constructor(suspends: boolean, approver: Approver | undefined, executor: Executor) {
    if (suspends && approver === undefined) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "Approval requests need an approver in the options of guardTools().",
      );
    }
    this.#suspends = suspends;
    this.#approver = approver;
    this.#executor = executor;
  }

  /** What became of the call; nothing, where the run is suspended now. */
  async decide(
    name: string,
    input: unknown,
    context: ToolCallContext | undefined,
  ): Promise<ToolOutcome | undefined> {
    const approved = this.#suspends ? pendingIn(context?.agent?.suspendPayload) : undefined;
    const outcome =
      approved === undefined
        ? await endOf(this.#executor.stream(name, input, context))
        : await this.#resume(approved, name, context);
    const suspend = context?.agent?.suspend;
    if (!this.#suspends || suspend === undefined) return outcome;
    if (outcome.status !== "denied" || outcome.approvalId === undefined) return outcome;
    const { reason } = outcome;
    const pendingApproval = { approvalId: outcome.approvalId, toolName: name, reason };
    await suspend({ pendingApproval } satisfies PendingApproval);
    return undefined;
  }

  async #resume(
    approvalId: string,
    name: string,
    context: ToolCallContext | undefined,
  ): Promise<ToolOutcome> {
    const question = await this.#approver?.recall(approvalId);
    // The payload was stored where others may write: another call's approval is none of this one's.
    if (question?.toolName !== name || question.callId !== context?.agent?.toolCallId) {
      throw denial("Tool call denied: it has not been approved");
    }
    return this.#executor.resume(approvalId, asCalledFirst(context));
  }
}

/** The outcome, which only a stream gives: the pieces before it are no answer. */
async function endOf(pieces: AsyncGenerator<unknown, ToolOutcome>): Promise<ToolOutcome> {
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return value;
  }
}

function pendingIn(payload: unknown): string | undefined {
  const { pendingApproval } = ownMembers(payload);
  const { approvalId } = ownMembers(pendingApproval);
  return typeof approvalId === "string" ? approvalId : undefined;
}

function ownMembers(value: unknown): Record<string, unknown> {
  return Object.assign(Object.create(null), Object(value));
}

/** The tool itself was not suspended: what the run goes on with is no word to it. */
function asCalledFirst(context: ToolCallContext): ToolCallContext {
  const unsaid = { resumeData: undefined, suspendPayload: undefined };
  return { ...context, ...unsaid, agent: { ...context.agent, ...unsaid } };
}
