import {
  type Approver,
  type CallRequest,
  canonicalJson,
  type RunOptions,
  type ToolOutcome,
  ToolRunner,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import type { ApprovalStanding, Approvals } from "./approvals.js";

/** Calls that wait for an approval, at most. What is put out is asked anew, and so denied. */
const mostWaiting = 10_000;

/** Where one stands that nobody can approve any more. */
const over: readonly unknown[] = [
  "denied",
  "expired",
  "used",
  "unknown",
  "damaged",
] satisfies readonly ApprovalStanding["state"][];

/**
 * For adapters: calls that a framework asks its own user about, and the
 * approvals that the approver gave them.
 *
 * A framework asks twice: whether a call needs an approval, and then to run it.
 * What belongs together is told by the tool's name, the call's id, the arguments
 * and what the host knows of the call.
 */
export class ApprovalRequests {
  readonly #runner: ToolRunner;
  readonly #probe: ToolRunner;
  readonly #approver: Approver & Partial<Pick<Approvals, "read">>;
  readonly #waiting = new Map<string, { readonly approvalId: string; readonly summary: string }>();

  /** @throws ToolstileError `ERR_INVALID_OPTION` without an approver, and as ToolRunner does. */
  constructor(options: ToolRunnerOptions) {
    if (options.approver === undefined) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "Approval requests need an approver beside the guards.",
      );
    }
    this.#approver = options.approver;
    this.#runner = new ToolRunner(options);
    // The calls that it is asked about are no calls on record yet.
    const { observers: _, receiptSigner: __, ...guarding } = options;
    this.#probe = new ToolRunner({ ...guarding, approver: noting });
  }

  /**
   * What somebody is to approve; nothing, where no approval would help or none is needed.
   *
   * One that was refused or has expired is asked for anew, if the approver has
   * the `read` of `approvals()` to tell it by.
   */
  async summaryOf(request: CallRequest, options: RunOptions): Promise<string | undefined> {
    const key = keyOf(request, options);
    if (key === undefined) return undefined;
    // A framework asks again when the answer is there.
    const known = this.#waiting.get(key);
    if (known !== undefined && !(await this.#isOver(known.approvalId))) return known.summary;
    const probed = await stoppedBy(this.#probe, request, options);
    const summary = probed?.approvalId?.slice(asked.length);
    if (summary === undefined) return undefined;
    const approvalId = (await stoppedBy(this.#runner, request, options))?.approvalId;
    if (approvalId === undefined) return undefined;
    this.#wait(key, { approvalId, summary });
    return summary;
  }

  /**
   * Takes up a call that was told to wait for an approval; nothing, for any other.
   *
   * `resume` is `resume` of what runs the call. Where nobody has approved yet it
   * throws, and the call goes on waiting.
   */
  resumption(
    request: CallRequest,
    options: RunOptions,
    resume: (approvalId: string) => Promise<ToolOutcome>,
  ): (() => Promise<ToolOutcome>) | undefined {
    if (this.#waiting.size === 0) return undefined;
    const key = keyOf(request, options);
    const waiting = key === undefined ? undefined : this.#waiting.get(key);
    if (key === undefined || waiting === undefined) return undefined;
    return async () => {
      const outcome = await resume(waiting.approvalId);
      // Meanwhile the framework may have asked about the next call that is just like it.
      if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
      return outcome;
    };
  }

  /** Whether nobody can approve it any more, as far as the approver says so: then a call like it is asked about anew. */
  async #isOver(approvalId: string): Promise<boolean> {
    try {
      return over.includes((await this.#approver.read?.(approvalId))?.state);
    } catch {
      // It goes on waiting: to run, it needs the approver again.
      return false;
    }
  }

  #wait(key: string, waiting: { approvalId: string; summary: string }): void {
    // One that is asked for anew is the newest, and puts no other out.
    this.#waiting.delete(key);
    if (this.#waiting.size >= mostWaiting) {
      for (const oldest of this.#waiting.keys()) {
        this.#waiting.delete(oldest);
        break;
      }
    }
    this.#waiting.set(key, waiting);
  }
}

/** The denial of a call, which is not run. */
async function stoppedBy(runner: ToolRunner, request: CallRequest, options: RunOptions) {
  const opened = await runner.open(request, options);
  if (opened.outcome !== undefined) {
    return opened.outcome.status === "denied" ? opened.outcome : undefined;
  }
  await opened.close({ unused: true });
  return undefined;
}

/** The call as a framework says it, both when it asks and when it runs it; nothing, for one that cannot be told from others. */
function keyOf(request: CallRequest, { agentName, context }: RunOptions): string | undefined {
  const { name, callId, arguments: args } = request;
  try {
    return canonicalJson([name, callId, args, agentName ?? null, { ...context }]);
  } catch {
    return undefined;
  }
}

/** An approver that lifts nothing. In place of an id it answers with what could be lifted. */
const noting: Approver = {
  name: "approval-request",
  ask: ({ approval }) => ({ decision: "pending", approvalId: `${asked}${approval.summary}` }),
  recall: () => undefined,
  consume: () => false,
};
const asked = "to be asked: ";
