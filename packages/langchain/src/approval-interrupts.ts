import { interrupt, isGraphBubbleUp } from "@langchain/langgraph";
import {
  type ApprovalQuestion,
  type Approver,
  type Fault,
  type JsonObject,
  type ToolOutcome,
  ToolstileError,
  tellOfFault,
} from "@toolstile/core";
import { readAnswer } from "./approval-answer.js";
import { keyOf } from "./call-key.js";

/** What the graph is interrupted with: a call that a human may let through. */
export interface ApprovalInterrupt {
  readonly type: "tool_approval";
  readonly approvalId: string;
  readonly callId: string;
  readonly toolName: string;
  /** The arguments as they were when they were denied: those that the tool would get. */
  readonly args: JsonObject;
  readonly agentName?: string | undefined;
  /** What is to be approved, in the guard's words. */
  readonly summary: string;
  /** Why the call was denied, and by which guard. */
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
  /** What is equal each time that the graph comes to this call, and for no other. */
  readonly key: string | undefined;
  /** The graph may be interrupted here, and nothing but this call is run again. */
  readonly interruptible: boolean;
  /** Whether the graph has come back with an answer. */
  readonly answered: boolean;
  readonly run: () => Promise<ToolOutcome>;
  readonly resume: (approvalId: string) => Promise<ToolOutcome>;
}

/** Calls that wait, at most. What is put out is asked anew. */
const mostWaiting = 10_000;

/** Denials that core's approver may lift, as interrupts of the graph. */
export class ApprovalInterrupts {
  readonly #approver: AnswerableApprover | undefined;
  readonly #onFault: ((fault: Fault) => void) | undefined;
  readonly #waiting = new Map<string, ApprovalInterrupt>();

  constructor(
    approver: AnswerableApprover | undefined,
    onFault: ((fault: Fault) => void) | undefined,
  ) {
    this.#approver = approver;
    this.#onFault = onFault;
  }

  /** The approver for core, whose pending questions are remembered for the interrupts. */
  get noting(): Approver | undefined {
    const approver = this.#approver;
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
      consume: (id, question) => approver.consume(id, question),
    };
  }

  /**
   * What becomes of a call, in the end; or the reason why its approval did not help.
   *
   * After an interrupt, the graph comes here again from the start: no guard and
   * no approver is asked a second time about a call that waits.
   *
   * @throws GraphInterrupt where somebody has to answer first.
   */
  async outcomeOf(call: ApprovableCall): Promise<ToolOutcome | string> {
    const { key = "", interruptible, run } = call;
    if (!interruptible || this.#approver === undefined) return run();
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
      outcome = resumed;
    }
    this.#waiting.delete(key);
    return outcome;
  }

  async #resumed(call: ApprovableCall, given: unknown): Promise<ToolOutcome | string> {
    const approver = this.#approver as AnswerableApprover;
    const answer = readAnswer(given);
    if (answer === undefined) return "the answer to its approval cannot be read";
    const { approvalId, decision, by, reason } = answer;
    try {
      if (decision !== undefined) {
        await approver.answer?.(
          approvalId,
          { decision, by: by ?? "", ...(reason === undefined ? {} : { reason }) },
          { only: true },
        );
      }
      const question = decision === "denied" ? undefined : await approver.recall(approvalId);
      if (question !== undefined && call.key !== undefined && keyOf(question) === call.key) {
        return await call.resume(approvalId);
      }
    } catch (error) {
      // An abort is the caller's; anything else is an approval that could not be used.
      if (ToolstileError.isInstance(error) && error.code === "ERR_ABORTED") throw error;
      tellOfFault(this.#onFault, { source: approver.name, phase: "approval", error });
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
    if (this.#waiting.size >= mostWaiting) {
      const [oldest] = this.#waiting.keys();
      this.#waiting.delete(oldest as string);
    }
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

/** Whether a denied call waits for an approval. */
function isPending(outcome: ToolOutcome): boolean {
  return outcome.status === "denied" && outcome.approvalId !== undefined;
}
