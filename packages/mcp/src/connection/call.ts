import {
  type Answer,
  type Clock,
  type OpenedCall,
  type RunOptions,
  type ToolOutcome,
  type ToolRunner,
  toolResult,
} from "@toolstile/core";
import { answerFrom, claimedBy, fixedCopy, Unjudgeable, withReceipt } from "./call-result.js";
import { type Describe, factsOf } from "./host-facts.js";
import {
  callIdOf,
  cancellation,
  envelopeOf,
  errorMessage,
  isRecord,
  type JsonRpcId,
  type JsonRpcMessage,
  own,
  rpcCodes,
} from "./json-rpc.js";
import type { PendingRequest, Requests } from "./requests.js";
import type { ServerTools } from "./server-tools.js";

/** What all calls of a connection have in common. */
export interface CallSettings {
  readonly runner: ToolRunner;
  readonly tools: ServerTools;
  readonly requests: Requests;
  readonly clock: Pick<Clock, "setTimeout" | "clearTimeout">;
  readonly callTimeoutMs: number;
  readonly describe: Describe | undefined;
  readonly serverName: string | undefined;
  /** Whether any guard judges results. */
  readonly judgesResults: boolean;
  readonly toClient: (message: JsonRpcMessage, extra?: unknown) => void;
  readonly toServer: (message: JsonRpcMessage, extra?: unknown) => void;
  /** Tell the client that a request could not be sent. */
  readonly failed: (id: JsonRpcId, error: unknown) => void;
}

const asTask = "it is to run as a task, whose result no guard could judge; call it without one";

/** One `tools/call` of the client's, from its request to its answer. */
export class Call implements PendingRequest {
  readonly #settings: CallSettings;
  readonly #id: JsonRpcId;
  readonly #request: JsonRpcMessage;
  readonly #extra: unknown;
  readonly #abort = new AbortController();
  /** Takes the answer, while the server has the call. */
  #settle: ((answer: Answer) => void) | undefined;
  #forwarded = false;
  /** The client, or the whole connection, has gone: nobody waits for an answer. */
  #unheard = false;
  /** The server's message, and what the transport said beside it. */
  #answer: JsonRpcMessage | undefined;
  #answerExtra: unknown;
  /** Why the call could not be sent. */
  #failure: { readonly error: unknown } | undefined;

  constructor(settings: CallSettings, id: JsonRpcId, request: JsonRpcMessage, extra: unknown) {
    this.#settings = settings;
    this.#id = id;
    // A copy, lest the client's object be another request by the time it is passed on.
    this.#request = { ...request, id, method: "tools/call" };
    this.#extra = extra;
  }

  /** The whole way. It never rejects. */
  async run(): Promise<void> {
    let opened: OpenedCall | undefined;
    try {
      const params = own(this.#request, "params");
      const name = own(params, "name");
      if (!isRecord(params) || typeof name !== "string") {
        const message = "A tools/call names its tool in params.name.";
        this.#tell(errorMessage(this.#id, rpcCodes.invalidParams, message));
        return;
      }
      const open = await this.#open(params, name);
      if (open.outcome !== undefined) {
        this.#conclude(open.outcome, params);
        return;
      }
      opened = open;
      const answer = await this.#dispatch(opened, params, name);
      const closing = opened.close(answer);
      opened = undefined;
      this.#conclude(await closing, params);
    } catch {
      // A fault of ours, or of an object that cannot be read twice: whatever the guards said, nothing is passed on.
      await opened?.close(this.#forwarded ? { unknown: true } : { unused: true });
      this.#tell(errorMessage(this.#id, rpcCodes.internal, "The call could not be judged."));
    }
  }

  async #open(params: Record<string, unknown>, name: string) {
    const { runner, tools, describe, serverName } = this.#settings;
    const meta = own(params, "_meta");
    const facts = factsOf(describe, { params, meta, extra: this.#extra }, serverName);
    await tools.know(name, { params, extra: this.#extra });
    const callId = callIdOf(this.#id);
    const isTask = own(params, "task") !== undefined;
    return tools.refusing(callId, isTask ? asTask : undefined, () =>
      runner.open(
        { name, arguments: own(params, "arguments"), callId },
        { ...facts, signal: this.#signal(facts) },
      ),
    );
  }

  /** Aborts when the client cancels, the connection closes, or the host's own signal says so. */
  #signal({ signal }: RunOptions): AbortSignal {
    if (!(signal instanceof AbortSignal)) return this.#abort.signal;
    const stop = (): void => this.#stop("The host aborted the call.");
    signal.addEventListener("abort", stop, { once: true, signal: this.#abort.signal });
    return AbortSignal.any([signal, this.#abort.signal]);
  }

  /** Pass the call on as it was decided, and wait: for the server, the deadline, or an abort. */
  async #dispatch(
    { call, modifiedBy }: OpenedCall,
    params: Record<string, unknown>,
    name: string,
  ): Promise<Answer> {
    if (this.#abort.signal.aborted) return { unused: true };
    const { clock, callTimeoutMs, toServer } = this.#settings;
    const answered = new Promise<Answer>((resolve) => {
      this.#settle = resolve;
    });
    const timer = clock.setTimeout(() => {
      this.#settle?.({ unknown: true });
      this.#tellServer(`No answer within ${callTimeoutMs} ms.`);
    }, callTimeoutMs);
    this.#forwarded = true;
    const absent = modifiedBy.length === 0 && !Object.hasOwn(params, "arguments");
    const decided = absent ? { ...params, name } : { ...params, name, arguments: call.args };
    toServer({ ...this.#request, params: decided }, this.#extra);
    const answer = await answered;
    this.#settle = undefined;
    clock.clearTimeout(timer as never);
    return answer;
  }

  answered(message: JsonRpcMessage, extra: unknown): void {
    const settle = this.#settle;
    // An answer to what was not asked yet, or has been answered, is nobody's.
    if (settle === undefined) return;
    this.#settle = undefined;
    this.#answerExtra = extra;
    try {
      this.#answer = this.#settings.judgesResults ? fixedCopy(message) : message;
      settle({ value: claimedBy(this.#answer) });
    } catch (error) {
      this.#answer = undefined;
      const text = error instanceof Unjudgeable ? error.message : "The server's answer is no JSON.";
      settle({ value: toolResult({ content: text, isError: true }) });
    }
  }

  failed(error: unknown): void {
    this.#failure = { error };
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.({ error });
  }

  cancelled(): boolean {
    this.#unheard = true;
    return this.#stopWaiting();
  }

  /** The host wants no answer any more, but the client waits for one. */
  #stop(reason: string): void {
    if (this.#stopWaiting()) this.#tellServer(reason);
  }

  /** Says whether the server has the call, and is to be told. */
  #stopWaiting(): boolean {
    this.#abort.abort();
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.({ unknown: true });
    if (settle !== undefined) this.#settings.requests.abandon(this.#id);
    return settle !== undefined;
  }

  #tellServer(reason: string): void {
    this.#settings.requests.abandon(this.#id);
    this.#settings.toServer(cancellation(this.#id, reason), this.#extra);
  }

  /** Tell the client: the server's own message, where that is what was judged. */
  #conclude(outcome: ToolOutcome, params: Record<string, unknown>): void {
    const { result } = outcome;
    const answer = this.#answer;
    if (answer !== undefined && result.raw === answer) {
      this.#tell(withReceipt(answer, result.receipt), this.#answerExtra);
      return;
    }
    const failure = this.#failure;
    if (failure !== undefined && outcome.status === "failed" && outcome.error === failure.error) {
      this.#settings.requests.over(this.#id);
      if (!this.#unheard) this.#settings.failed(this.#id, failure.error);
      return;
    }
    const tool = this.#settings.tools.definition(own(params, "name") as string);
    const hasOutputSchema = own(tool, "outputSchema") !== undefined;
    const isModern = envelopeOf(params) !== undefined;
    this.#tell(answerFrom(this.#id, outcome, { hasOutputSchema, isModern }), this.#answerExtra);
  }

  #tell(message: JsonRpcMessage, extra?: unknown): void {
    this.#settings.requests.over(this.#id);
    if (!this.#unheard) this.#settings.toClient(message, extra);
  }
}
