import { interrupt, isGraphBubbleUp } from "@langchain/langgraph";
import {
  type ApprovalQuestion,
  type Approver,
  type Fault,
  type JsonObject,
  type RunOptions,
  type ToolOutcome,
  ToolstileError,
} from "@toolstile/core";
import { callKey, reportFault, WaitingCalls } from "@toolstile/core/host";
import { readAnswer } from "./approval-answer.js";

/** The value of the interrupt: a call that a human may let through. */
export interface ApprovalInterrupt {
  readonly type: "tool_approval";
  readonly approvalId: string;
  readonly callId: string;
  readonly toolName: string;
  /** The arguments as they were when they were denied: those that the tool would get. */
  readonly args: JsonObject;
  readonly agentName?: string | undefined;
  /** The action to approve, in the guard's words. */
  readonly summary: string;
  /** The reason of the denial; `deniedBy` is the guard that gave it. */
  readonly reason: string;
  readonly deniedBy: string;
  readonly code?: string | undefined;
}

/** An approver that takes answers, as `approvals()` of `@toolstile/approval` does. */
export interface AnswerableApprover extends Approver {
  readonly answer?: (
    approvalId: string,
    answer: { decision: "approved" | "denied"; by: string; reason?: string },
    options: { only: boolean },
  ) => unknown;
}

/** A call that may have to wait for an approval. */
export interface ApprovableCall {
  /** Equal each time that the graph comes to this call, and for no other call. */
  readonly key: string | undefined;
  readonly facts: RunOptions;
  /** True if the graph may be interrupted here: nothing but this call is then run again. */
  readonly interruptible: boolean;
  /** True if the graph has come back with an answer. */
  readonly answered: boolean;
  readonly run: () => Promise<ToolOutcome>;
  readonly resume: (approvalId: string) => Promise<ToolOutcome>;
}

/** Denials that core's approver may lift, as interrupts of the graph. */
export class ApprovalInterrupts {
  readonly #approver: AnswerableApprover;
  readonly #onFault: ((fault: Fault) => void) | undefined;
  readonly #waiting = new WaitingCalls<ApprovalInterrupt>();
  /** By id, what approvals were asked for, also once they are over. */
  readonly #asked = new WaitingCalls<ApprovalQuestion>();

  constructor(approver: AnswerableApprover, onFault: ((fault: Fault) => void) | undefined) {
    this.#approver = approver;
    this.#onFault = onFault;
  }

  /** The approver for core. The questions that it leaves pending are remembered for the interrupts. */
  get approver(): Approver {
    const approver = this.#approver;
    // Core refuses it.
    if (typeof approver?.ask !== "function") return approver;
    const ask: Approver["ask"] = async (question, options) => {
      const answer = await approver.ask(question, options);
      if (answer?.decision === "pending") this.#wait(question, answer.approvalId);
      return answer;
    };
    return {
      name: approver.name,
      ask,
      recall: (id) => approver.recall(id),
      read: approver.read?.bind(approver),
      consume: (id, question) => approver.consume(id, question),
    };
  }

  /**
   * The outcome of a call, or the reason why its approval did not help.
   *
   * After an interrupt, the graph comes here again from the start: no guard and
   * no approver is asked a second time about a call that waits.
   *
   * @throws GraphInterrupt where somebody has to answer first.
   */
  async outcomeOf(call: ApprovableCall): Promise<ToolOutcome | string> {
    const { key = "", interruptible, run } = call;
    if (!interruptible) return run();
    const comesBack = key !== "" && (call.answered || this.#waiting.has(key));
    let outcome = comesBack ? undefined : await run();
    while (outcome === undefined || (isPending(outcome) && this.#waiting.has(key))) {
      let answer: unknown;
      try {
        answer = interrupt(this.#waiting.get(key));
      } catch (error) {
        if (isGraphBubbleUp(error)) throw error;
        // Nothing keeps the graph's state, so that it cannot wait: the denial stands.
        return outcome ?? run();
      }
      const resumed = await this.#resumed(call, answer);
      if (typeof resumed === "string") return resumed;
      // The graph hands one answer to all that wait: it was for another of them.
      outcome = resumed ?? outcome ?? (this.#waiting.has(key) ? undefined : await run());
    }
    this.#waiting.delete(key);
    return outcome;
  }

  /** The outcome by an answer, the reason why it did not help, or nothing where it was for another call of the turn. */
  async #resumed(call: ApprovableCall, given: unknown): Promise<ToolOutcome | string | undefined> {
    const answer = readAnswer(given);
    if (answer === undefined) return "the answer to its approval cannot be read";
    const { approvalId, decision, by, reason } = answer;
    try {
      if (decision !== undefined) {
        await this.#approver.answer?.(
          approvalId,
          { decision, by: by ?? "", ...(reason === undefined ? {} : { reason }) },
          { only: true },
        );
      }
      const given = decision === "denied" ? undefined : await this.#approver.recall(approvalId);
      if (isOfCall(given, call)) return await call.resume(approvalId);
      const record = (await this.#approver.read?.(approvalId))?.record;
      const { question } = record ?? {};
      if (isOfSibling(given ?? this.#asked.get(approvalId) ?? question, call)) return undefined;
      // A call whose approval was refused is resumed too: it is denied for the human's reason, and recorded.
      if (record?.answer?.decision === "denied" && isOfCall(question, call))
        return await call.resume(approvalId);
    } catch (error) {
      // An abort is the caller's; anything else is an approval that could not be used.
      if (ToolstileError.isInstance(error) && error.code === "ERR_ABORTED") throw error;
      reportFault(this.#onFault, { source: this.#approver.name, phase: "approval", error });
    }
    this.#waiting.delete(call.key ?? "");
    return (
      (decision === "denied" && reason) ||
      "its approval was refused, has expired or been used, or was given for another call"
    );
  }

  #wait(question: ApprovalQuestion, approvalId: string): void {
    const key = keyOf(question);
    if (key === undefined) return;
    this.#asked.set(approvalId, question);
    const { callId, toolName, args, agentName, approval, reason, provider, code } = question;
    this.#waiting.set(key, {
      type: "tool_approval",
      approvalId,
      callId,
      toolName,
      args,
      agentName,
      summary: approval.summary,
      reason,
      deniedBy: provider,
      code,
    });
  }
}

/** True of a denied call that waits for an approval. */
function isPending(outcome: ToolOutcome): boolean {
  return outcome.status === "denied" && outcome.approvalId !== undefined;
}

/** True of the question about another call of the same message of the model. */
function isOfSibling(question: ApprovalQuestion | undefined, call: ApprovableCall): boolean {
  if (question?.turnId === undefined) return false;
  return turnKey(question) === turnKey(call.facts) && keyOf(question) !== call.key;
}

function isOfCall(question: ApprovalQuestion | undefined, { key }: ApprovableCall): boolean {
  return question !== undefined && key !== undefined && keyOf(question) === key;
}

/** Equal for the calls of one message. */
function turnKey({ turnId, agentName, context }: RunOptions): string | undefined {
  return callKey({ name: "", callId: "", arguments: {} }, { turnId, agentName, context });
}

function keyOf(question: ApprovalQuestion): string | undefined {
  const { requestedName: name, callId, askedArgs } = question;
  return callKey({ name, callId, arguments: askedArgs }, question);
}
