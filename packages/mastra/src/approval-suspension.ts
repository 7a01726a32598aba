import {
  type ApprovalQuestion,
  type Approver,
  type Fault,
  type ToolOutcome,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import { denial, type GuardedCalls, reportFault, type StandardSchema } from "@toolstile/core/host";
import type { CallFacts } from "./call-facts.js";
import type { ToolCallContext } from "./mastra.js";

type Calls = GuardedCalls<[ToolCallContext | undefined]>;

/** The payload of an agent's run that is suspended for an approval: all that is needed to take the call up again. */
export interface PendingApproval {
  readonly pendingApproval: {
    readonly approvalId: string;
    readonly toolName: string;
    /** The reason of the denial. */
    readonly reason: string;
  };
}

/** Decides on calls, and suspends the agent's run for an approval where that is asked for. */
export class ApprovalSuspension {
  readonly #suspends: boolean;
  readonly #approver: Approver | undefined;
  readonly #onFault: ((fault: Fault) => void) | undefined;
  readonly #calls: Calls;
  readonly #described: (context: ToolCallContext | undefined) => CallFacts;

  /** @throws ToolstileError `ERR_INVALID_OPTION` without an approver. */
  constructor(
    suspends: boolean,
    { approver, onFault }: Pick<ToolRunnerOptions, "approver" | "onFault">,
    calls: Calls,
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
    this.#calls = calls;
    this.#described = described;
  }

  /** The outcome of the call; undefined where the run is suspended now. */
  decide(
    name: string,
    input: unknown,
    context: ToolCallContext | undefined,
  ): Promise<ToolOutcome | undefined> {
    return this.#suspends
      ? this.#orSuspend(name, input, context)
      : this.#calls.outcome(name, input, context);
  }

  async #orSuspend(
    name: string,
    input: unknown,
    context: ToolCallContext | undefined,
  ): Promise<ToolOutcome | undefined> {
    const approved = pendingIn(context?.agent?.suspendPayload);
    const outcome =
      approved === undefined
        ? await this.#calls.outcome(name, input, context)
        : await this.#resume(approved, name, context);
    const suspend = context?.agent?.suspend;
    if (suspend === undefined) return outcome;
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
        return await this.#calls.resume(approvalId, asCalledFirst(context));
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
    const question = await this.#question(approvalId);
    const { turnId, callId } = this.#described(context);
    return question?.toolName === name && question.callId === callId && question.turnId === turnId;
  }

  /** The question of an approval that was given or refused. An approver's error may hold anything: it is reported to operators only. */
  async #question(approvalId: string): Promise<ApprovalQuestion | undefined> {
    try {
      const given = await this.#approver?.recall(approvalId);
      return given ?? (await this.#approver?.read?.(approvalId))?.record?.question;
    } catch (error) {
      reportFault(this.#onFault, { source: this.#approver?.name ?? "", phase: "approval", error });
      return undefined;
    }
  }
}

/**
 * The schema of what a guarded tool suspends a run with: a question of ours, or what its own allows.
 *
 * By a tool without one, Mastra does not know that it may suspend, and runs the
 * calls of one step at once: a second that waits then ends the run by an error.
 */
export function suspendSchemaFor(own: unknown): StandardSchema {
  const validate = (value: unknown) => {
    const isOurs = pendingIn(value) !== undefined;
    const schema = own as StandardSchema | undefined;
    return isOurs || schema?.["~standard"] === undefined
      ? { value }
      : schema["~standard"].validate(value);
  };
  const jsonSchema = { input: () => ({}), output: () => ({}) };
  return { "~standard": { version: 1, vendor: "toolstile", validate, jsonSchema } };
}

function pendingIn(payload: unknown): string | undefined {
  const { pendingApproval } = ownMembers(payload);
  const { approvalId } = ownMembers(pendingApproval);
  return typeof approvalId === "string" ? approvalId : undefined;
}

function ownMembers(value: unknown): Record<string, unknown> {
  return Object.assign(Object.create(null), Object(value));
}

/** The tool itself was not suspended: the data that resumes the run is not for it. */
function asCalledFirst(context: ToolCallContext | undefined): ToolCallContext {
  const unsaid = { resumeData: undefined, suspendPayload: undefined };
  return { ...context, ...unsaid, agent: { ...context?.agent, ...unsaid } };
}
