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

/** Calls that wait for an approval, at most. What is put out is asked anew, and so denied. */
const mostWaiting = 10_000;

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
  readonly #waiting = new Map<string, { readonly approvalId: string; readonly summary: string }>();

  /** @throws ToolstileError `ERR_INVALID_OPTION` without an approver, and as ToolRunner does. */
  constructor(options: ToolRunnerOptions) {
    if (options.approver === undefined) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "Approval requests need an approver beside the guards.",
      );
    }
    this.#runner = new ToolRunner(options);
    // The calls that it is asked about are no calls on record yet.
    const { observers: _, receiptSigner: __, ...guarding } = options;
    this.#probe = new ToolRunner({ ...guarding, approver: noting });
  }

  /** What somebody is to approve; nothing, where no approval would help or none is needed. */
  async summaryOf(request: CallRequest, options: RunOptions): Promise<string | undefined> {
    const key = keyOf(request, options);
    if (key === undefined) return undefined;
    // A framework asks again when the answer is there.
    const known = this.#waiting.get(key);
    if (known !== undefined) return known.summary;
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
      this.#waiting.delete(key);
      return outcome;
    };
  }

  #wait(key: string, waiting: { approvalId: string; summary: string }): void {
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
