import {
  type ApprovalQuestion,
  type Approver,
  type Fault,
  type GuardedExecutor,
  type ToolOutcome,
  type ToolRunnerOptions,
  ToolstileError,
  tellOfFault,
} from "@toolstile/core";
import { denial } from "./answer.js";
import type { CallFacts } from "./call-facts.js";
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
  readonly #onFault: ((fault: Fault) => void) | undefined;
  readonly #executor: Executor;
  readonly #described: (context: ToolCallContext | undefined) => CallFacts;

  /** @throws ToolstileError `ERR_INVALID_OPTION` where nobody could approve. */
  constructor(
    suspends: boolean,
    { approver, onFault }: Pick<ToolRunnerOptions, "approver" | "onFault">,
    executor: Executor,
    described: (context: ToolCallContext | undefined) => CallFacts,
  ) {
    if (suspends && approver === undefined) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "Approval requests need an approver in the options of guardTools().",
      );
    }
    this.#suspends = suspends;
    this.#approver = approver;
    this.#onFault = onFault;
    this.#executor = executor;
    this.#described = described;
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
    try {
      if (await this.#isFor(approvalId, name, context)) {
        return await this.#executor.resume(approvalId, asCalledFirst(context));
      }
    } catch (error) {
      if (!ToolstileError.isInstance(error) || error.code !== "ERR_APPROVAL") throw error;
    }
    throw denial("Tool call denied: it has not been approved");
  }

  /** The payload was stored where others may write: the approval of another call, or of another run, is none of this one's. */
  async #isFor(
    approvalId: string,
    name: string,
    context: ToolCallContext | undefined,
  ): Promise<boolean> {
    const { turnId, callId } = this.#described(context);
    const question = await this.#recalled(approvalId);
    return question?.toolName === name && question.callId === callId && question.turnId === turnId;
  }

  /** What the approver throws may hold anything: it is told to operators, and to nobody else. */
  async #recalled(approvalId: string): Promise<ApprovalQuestion | undefined> {
    try {
      return await this.#approver?.recall(approvalId);
    } catch (error) {
      tellOfFault(this.#onFault, { source: this.#approver?.name ?? "", phase: "approval", error });
      return undefined;
    }
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
function asCalledFirst(context: ToolCallContext | undefined): ToolCallContext {
  const unsaid = { resumeData: undefined, suspendPayload: undefined };
  return { ...context, ...unsaid, agent: { ...context?.agent, ...unsaid } };
}
