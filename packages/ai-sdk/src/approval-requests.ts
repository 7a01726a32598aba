import {
  type Approver,
  canonicalJson,
  type RunOptions,
  type ToolDeclaration,
  type ToolOutcome,
  ToolRunner,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import type { SdkTool, ToolCallOptions } from "./sdk.js";

type Described = RunOptions & { readonly callId: string };

/** Calls that wait for an approval, at most. What is put out is asked anew, and so denied. */
const mostWaiting = 10_000;

/** Calls that the SDK was told to ask its user about, and the approvals that core's approver gave them. */
export class ApprovalRequests {
  readonly #runner: ToolRunner;
  readonly #probe: ToolRunner;
  readonly #approver: Approver | undefined;
  readonly #described: (call: ToolCallOptions) => Described;
  readonly #own: ReadonlyMap<string, SdkTool>;
  readonly #waiting = new Map<string, { readonly approvalId: string; readonly summary: string }>();

  constructor(
    runner: ToolRunner,
    options: ToolRunnerOptions,
    tools: readonly ToolDeclaration[],
    described: (call: ToolCallOptions) => Described,
    own: ReadonlyMap<string, SdkTool>,
  ) {
    this.#own = own;
    this.#runner = runner;
    this.#approver = options.approver;
    this.#described = described;
    // The calls that it is asked about are no calls on record yet.
    const { observers: _, receiptSigner: __, ...guarding } = options;
    this.#probe = new ToolRunner({ ...guarding, tools, approver: noting });
  }

  /** @throws ToolstileError `ERR_INVALID_OPTION` where nobody could answer. */
  checkApprover(): void {
    if (this.#approver !== undefined) return;
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "Approval requests need an approver in the options of guardTools().",
    );
  }

  needsApproval(name: string, tool: SdkTool) {
    const { needsApproval } = tool;
    return async (input: unknown, call: ToolCallOptions): Promise<boolean> => {
      if ((await this.summaryOf(name, input, call)) !== undefined) return true;
      return typeof needsApproval === "function"
        ? Boolean(await needsApproval.call(tool, input, call))
        : Boolean(needsApproval);
    };
  }

  /** What somebody is to approve; nothing, where no approval would help or none is needed. */
  async summaryOf(name: string, input: unknown, call: ToolCallOptions) {
    // A call that the application runs cannot be taken up again here.
    if (this.#approver === undefined || this.#own.get(name)?.execute === undefined) {
      return undefined;
    }
    const key = this.#keyOf(name, input, call);
    if (key === undefined) return undefined;
    // The SDK asks again when the answer is there.
    const known = this.#waiting.get(key);
    if (known !== undefined) return known.summary;
    const { callId, ...options } = this.#described(call);
    const request = { name, arguments: input, callId };
    const probed = await this.#probe.open(request, options);
    if (probed.outcome === undefined) {
      await probed.close({ unused: true });
      return undefined;
    }
    const summary = summaryIn(probed.outcome);
    if (summary === undefined) return undefined;
    const opened = await this.#runner.open(request, options);
    if (opened.outcome === undefined) {
      await opened.close({ unused: true });
      return undefined;
    }
    const { outcome } = opened;
    if (outcome.status !== "denied" || outcome.approvalId === undefined) return undefined;
    this.#wait(key, { approvalId: outcome.approvalId, summary });
    return summary;
  }

  /** Takes up a call that was told to wait for an approval; nothing, for any other. */
  resumption(
    name: string,
    input: unknown,
    call: ToolCallOptions,
    resume: (approvalId: string) => Promise<ToolOutcome>,
  ): (() => Promise<ToolOutcome>) | undefined {
    if (this.#waiting.size === 0) return undefined;
    const key = this.#keyOf(name, input, call);
    const waiting = key === undefined ? undefined : this.#waiting.get(key);
    if (key === undefined || waiting === undefined) return undefined;
    return async () => {
      // Where nobody has approved yet, this throws, and the call goes on waiting.
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

  /** The call as the SDK says it, both when it asks and when it runs it; nothing, for one that cannot be told from others. */
  #keyOf(name: string, input: unknown, call: ToolCallOptions): string | undefined {
    const { callId, agentName, context } = this.#described(call);
    try {
      return canonicalJson([name, callId, input, agentName ?? null, { ...context }]);
    } catch {
      return undefined;
    }
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

function summaryIn(outcome: ToolOutcome): string | undefined {
  if (outcome.status !== "denied") return undefined;
  return outcome.approvalId?.slice(asked.length);
}

const requestsOf = new WeakMap<object, ApprovalRequests>();

export function remember<Tools extends object>(tools: Tools, requests: ApprovalRequests): Tools {
  requestsOf.set(tools, requests);
  return tools;
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for tools that guardTools() did not make. */
export function requestsFor(tools: object): ApprovalRequests {
  const requests = requestsOf.get(tools);
  if (requests !== undefined) return requests;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    "toolApproval() takes the very tools that guardTools() returned.",
  );
}
