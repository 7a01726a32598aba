import { interrupt, isGraphBubbleUp } from "@langchain/langgraph";
import {
  type ApprovalQuestion,
  type Approver,
  canonicalJson,
  type Fault,
  type JsonObject,
  parseArguments,
  type ToolOutcome,
  ToolstileError,
} from "@toolstile/core";

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

/** What the graph is resumed with: `new Command({ resume: answer })`. */
export interface ApprovalAnswer {
  /** The interrupt's: an answer is for this question and no other. */
  readonly approvalId: string;
  /** Absent: the approver has been answered already, by another way. */
  readonly decision?: "approved" | "denied" | undefined;
  /** Who decided, from whatever authenticated them. */
  readonly by?: string | undefined;
  /** Read by the model where the call is denied. */
  readonly reason?: string | undefined;
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
    const { key, interruptible, run } = call;
    const waits = key !== undefined && (call.answered || this.#waiting.has(key));
    if (!interruptible || this.#approver === undefined) return run();
    let outcome = waits ? undefined : await run();
    while (outcome === undefined || waitsFor(outcome) !== undefined) {
      let answer: unknown;
      try {
        answer = interrupt(this.#waiting.get(key ?? ""));
      } catch (error) {
        if (isGraphBubbleUp(error)) throw error;
        // Nothing keeps the graph's state, so that it cannot wait: the denial stands.
        return outcome ?? run();
      }
      const resumed = await this.#resumed(call, answer);
      if (typeof resumed === "string") return resumed;
      outcome = resumed;
    }
    if (key !== undefined) this.#waiting.delete(key);
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
      this.#tell({ source: approver.name, phase: "approval", error });
    }
    this.#waiting.delete(call.key ?? "");
    return (
      (decision === "denied" && reason) ||
      "its approval was refused, has expired or been used, or was given for another call"
    );
  }

  /** A listener that throws changes nothing. */
  #tell(fault: Fault): void {
    try {
      this.#onFault?.(Object.freeze(fault));
    } catch {}
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

/** The id of the approval that a denied call waits for. */
function waitsFor(outcome: ToolOutcome): string | undefined {
  return outcome.status === "denied" ? outcome.approvalId : undefined;
}

/** By its own members: what is planted on the root prototype is nobody's answer. */
function readAnswer(given: unknown): ApprovalAnswer | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { approvalId, decision, by, reason } = Object.assign(
    Object.create(null) as Record<string, unknown>,
    given,
  );
  if (typeof approvalId !== "string" || approvalId === "") return undefined;
  if (decision !== undefined && decision !== "approved" && decision !== "denied") return undefined;
  if ((by ?? "") !== String(by ?? "") || (reason ?? "") !== String(reason ?? "")) return undefined;
  return { approvalId, decision, by: by as string, reason: reason as string };
}

/** What a question and the call that it is about have in common; nothing, where a member is no JSON. */
export function keyOf({
  turnId,
  callId,
  requestedName,
  askedArgs,
  agentName,
  context,
}: Pick<
  ApprovalQuestion,
  "turnId" | "callId" | "requestedName" | "askedArgs" | "agentName" | "context"
>): string | undefined {
  try {
    const args = parseArguments(askedArgs);
    if (!args.ok) return undefined;
    const facts = Object.fromEntries(
      Object.entries({ ...context }).filter(([, value]) => value !== undefined),
    );
    return canonicalJson([
      turnId ?? null,
      callId,
      requestedName,
      args.args,
      agentName ?? null,
      facts,
    ]);
  } catch {
    return undefined;
  }
}

/**
 * Whether the graph was resumed with an answer to an approval, for the task that is under way.
 *
 * A hint: LangGraph says so nowhere else than in its own notes. Where it is
 * missed, the guards are asked once more, and the answer is taken all the same.
 */
export function isAnswered(configurable: Readonly<Record<string, unknown>> | undefined): boolean {
  const notes = Object(configurable?.["__pregel_scratchpad"]) as {
    readonly resume?: unknown;
    readonly nullResume?: unknown;
    readonly interruptCounter?: unknown;
  };
  if (notes.interruptCounter !== -1 || !Array.isArray(notes.resume)) return false;
  const [first = notes.nullResume] = notes.resume as unknown[];
  return readAnswer(first) !== undefined;
}
