import type { CallRequest, RunOptions } from "../call/request.js";
import { readCallOptions } from "../call/run-options.js";
import { ToolstileError } from "../errors/error.js";
import { required } from "../errors/option-reader.js";
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
  FoundApproval,
} from "../protocol/approval.js";
import type { Awaitable } from "../protocol/guardrail.js";
import type { ToolOutcome } from "../protocol/outcome.js";
import { guardingTable, type ToolRunnerOptions } from "../runner/options.js";
import { ToolRunner } from "../runner/runner.js";
import { callKey } from "./call-key.js";
import { WaitingCalls } from "./waiting-calls.js";

/** The states in which an approval can be given or used, or was refused for good. In any other it is asked for again. */
const lasting: readonly string[] = ["pending", "approved", "denied"];

/** An approver that can list its approvals, and find that of a call, as that of `@toolstile/approval` does. */
export interface ReadableApprover extends Approver {
  /** Lists the approvals that are pending, or given and not used; `damaged` are the ids of those that cannot be read. */
  readonly list?:
    | (() => Awaitable<{
        readonly records: readonly FoundApproval[];
        readonly damaged: readonly string[];
      }>)
    | undefined;
  readonly find?:
    | ((
        isIt: (question: ApprovalQuestion) => boolean,
        /** The call that the question is about: an approver need not look at the questions about others. */
        call: { readonly callId: string; readonly sessionId: string },
      ) => Awaitable<FoundApproval | undefined>)
    | undefined;
  /** Takes back a question that no call waits for any more. */
  readonly withdraw?: ((approvalId: string) => Awaitable<unknown>) | undefined;
}

interface WaitingApproval {
  readonly approvalId: string;
  readonly summary: string;
}

/** An approval of a call, as it stands. */
interface Standing extends WaitingApproval {
  readonly isRefused: boolean;
  readonly reason?: string | undefined;
  readonly by?: string | undefined;
}

type Resume = (approvalId: string) => Promise<ToolOutcome>;

/**
 * The calls that a framework asks its own user about, and the approvals that the approver gave them.
 *
 * A framework asks twice: first if a call needs an approval, then to run it.
 * `callKey` shows that both are about the same call. What another process asked
 * for is found by the same key, if the approver has a `find` and the host names
 * the session: ids of calls may repeat in another.
 */
export class ApprovalRequests {
  readonly #runner: ToolRunner;
  readonly #probe: ToolRunner;
  readonly #approver: ReadableApprover;
  readonly #waiting = new WaitingCalls<WaitingApproval>();

  /** @throws ToolstileError `ERR_INVALID_OPTION` without an approver, and as ToolRunner does. */
  constructor(options: ToolRunnerOptions) {
    const approver = required(guardingTable.approver);
    this.#approver = approver.read(options?.approver, "ApprovalRequests", "approver");
    this.#runner = new ToolRunner({ ...options, approver: this.approver });
    // The calls that it is asked about are not on record yet.
    const { observers: _, receiptSigner: __, ...guarding } = options;
    this.#probe = new ToolRunner({ ...guarding, approver: noting });
  }

  /** The approver for the guarded calls: it asks nobody about a call that waits already, or was refused. */
  get approver(): Approver {
    const approver = this.#approver;
    return {
      name: approver.name,
      ask: (question, options) => this.#ask(question, options),
      recall: (id) => approver.recall(id),
      consume: (id, question) => approver.consume(id, question),
    };
  }

  async #ask(...[question, options]: Parameters<Approver["ask"]>): Promise<ApprovalAnswer> {
    const request = requestIn(question);
    const key = callKey(request, factsIn(question));
    const known = key === undefined ? undefined : await this.#standing(key, request, question);
    if (known?.isRefused === true) {
      const { approvalId, reason, by } = known;
      return { decision: "denied", approvalId, reason, by };
    }
    if (known !== undefined) return { decision: "pending", approvalId: known.approvalId };
    const answer = await this.#approver.ask(question, options);
    if (key !== undefined && answer?.decision === "pending") {
      const { summary } = question.approval;
      this.#waiting.set(key, { approvalId: answer.approvalId, summary });
    }
    return answer;
  }

  /**
   * Returns the summary of what a human is to approve; undefined if no approval would help or none is needed.
   *
   * An approval that was refused is final: it is not asked for again, and the
   * call is denied when it is run. One that has expired is asked for again, if
   * the approver has a `read` that says so.
   */
  async neededFor(
    request: CallRequest,
    options: RunOptions,
  ): Promise<Pick<Standing, "summary" | "isRefused"> | undefined> {
    const key = keyOf(request, options);
    if (key === undefined) return undefined;
    // A framework asks again when the answer is there.
    const known = this.#waiting.has(key) ? await this.#standing(key, request, options) : undefined;
    if (known !== undefined) return known;
    const probed = await stoppedBy(this.#probe, request, options);
    if (probed?.approvalId === undefined) return undefined;
    // Its approver keeps what it is asked.
    await stoppedBy(this.#runner, request, options);
    return this.#waiting.has(key) ? this.#standing(key, request, options) : undefined;
  }

  /**
   * Takes up a call whose approval was given; undefined for any other call, which is to be run.
   *
   * @param resume - that of the guarded calls.
   */
  async resumed(
    request: CallRequest,
    options: RunOptions,
    resume: Resume,
  ): Promise<ToolOutcome | undefined> {
    if (this.#waiting.size === 0) return undefined;
    const key = keyOf(request, options) as string;
    const waiting = this.#waiting.get(key);
    return waiting && this.#taken(key, waiting, resume);
  }

  /** The outcome of a call that was run; or of the same call resumed, if what it was denied for was approved for another process. */
  async lifted(
    outcome: ToolOutcome,
    request: CallRequest,
    options: RunOptions,
    resume: Resume,
  ): Promise<ToolOutcome> {
    if (outcome.status !== "denied" || outcome.approvalId === undefined) return outcome;
    return (await this.resumed(request, options, resume)) ?? outcome;
  }

  async #taken(key: string, waiting: WaitingApproval, resume: Resume) {
    try {
      const outcome = await resume(waiting.approvalId);
      // Meanwhile the framework may have asked about another call with the same key.
      if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
      return outcome;
    } catch (error) {
      // It was not given. What became of it, the guards and the approver say when the call is run.
      if (ToolstileError.isInstance(error) && error.code === "ERR_APPROVAL") return undefined;
      throw error;
    }
  }

  /** The approval of a call, if it can still help or was refused. */
  async #standing(
    key: string,
    request: CallRequest,
    { context }: RunOptions,
  ): Promise<Standing | undefined> {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      const found = await this.#find(key, request, context?.sessionId);
      if (found === undefined) return undefined;
      const { id: approvalId, question, answer } = found;
      const entry = { approvalId, summary: question.approval.summary };
      this.#waiting.set(key, entry);
      return { ...entry, ...refusalIn(answer) };
    }
    let read: Awaited<ReturnType<NonNullable<ReadableApprover["read"]>>> | undefined;
    try {
      read = await this.#approver.read?.(waiting.approvalId);
    } catch {
      // It still waits: to run, it needs the approver again.
    }
    if (read !== undefined && !lasting.includes(read.state)) {
      this.#waiting.delete(key);
      return undefined;
    }
    return { ...waiting, ...refusalIn(read?.record?.answer) };
  }

  async #find(
    key: string,
    { callId }: CallRequest,
    sessionId: string | undefined,
  ): Promise<FoundApproval | undefined> {
    if (callId === undefined || sessionId === undefined) return undefined;
    return this.#approver.find?.(
      (question) =>
        // A key costs more than a look at the id.
        question.callId === callId && callKey(requestIn(question), factsIn(question)) === key,
      { callId, sessionId },
    );
  }
}

function refusalIn(answer: FoundApproval["answer"]): Omit<Standing, keyof WaitingApproval> {
  return { isRefused: answer?.decision === "denied", reason: answer?.reason, by: answer?.by };
}

function factsIn({ agentName, context }: ApprovalQuestion) {
  return { agentName, context };
}

function requestIn(question: ApprovalQuestion): CallRequest {
  const { requestedName: name, callId, askedArgs } = question;
  return { name, callId, arguments: askedArgs };
}

/** Makes the key without the turn: a framework gives the turn another id each time that it continues a conversation. */
function keyOf(request: CallRequest, options: RunOptions): string | undefined {
  const { agentName, context } = readCallOptions(options);
  return callKey(request, { agentName, context: context as RunOptions["context"] });
}

/** Returns the denial of a call, without running it. */
async function stoppedBy(runner: ToolRunner, request: CallRequest, options: RunOptions) {
  const opened = await runner.open(request, options);
  if (opened.outcome !== undefined) {
    return opened.outcome.status === "denied" ? opened.outcome : undefined;
  }
  await opened.close({ unused: true });
  return undefined;
}

/** An approver that lifts nothing, and notes that something could be lifted. */
const noting: Approver = {
  name: "approval-request",
  ask: () => ({ decision: "pending", approvalId: "to be asked for" }),
  recall: () => undefined,
  consume: () => false,
};
