import {
  type Answer,
  CallerAbort,
  type Clock,
  type OpenedCall,
  type RunOptions,
  type ToolOutcome,
  type ToolRunner,
  toolResult,
} from "@toolstile/core";
import { answerFrom, claimedBy, fixedCopy, Unjudgeable, withReceipt } from "./call-result.js";
import { type Facts, isSignal } from "./host-facts.js";
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
  saysHow,
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
  readonly factsOf: Facts;
  /** Whether anybody judges, signs or records results: what they were given is what the client gets. */
  readonly fixesAnswers: boolean;
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
  readonly #signal = new CallerAbort();
  /** Takes the answer, while the server has the call. */
  #settle: ((answer: Answer) => void) | undefined;
  /** The server's deadline. */
  #timer: unknown;
  #forwarded = false;
  /** Whether the server has the call, and has not answered it. */
  #isOwed = false;
  /** The client, or the whole connection, has gone: nobody waits for an answer. */
  #unheard = false;
  /** The server's message, and what the transport said beside it. */
  #answer: JsonRpcMessage | undefined;
  #answerExtra: unknown;
  /** Ends to listen to the host's signal. */
  #unfollow: () => void = () => {};
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
      const given = own(this.#request, "params");
      // A copy, for the same reason.
      const params: Record<string, unknown> = isRecord(given) ? { ...given } : {};
      const { name } = params;
      if (!Object.hasOwn(params, "name") || typeof name !== "string" || saysHow(params)) {
        const message = "A tools/call names its tool in params.name.";
        this.#tell(errorMessage(this.#id, rpcCodes.invalidParams, message));
        return;
      }
      const request = { params, meta: own(params, "_meta"), extra: this.#extra };
      const facts = this.#settings.factsOf(request);
      this.#follow(facts);
      const knowing = this.#settings.tools.know(name, request);
      if (knowing !== undefined) await knowing;
      const open = await this.#open(params, name, facts);
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
    } finally {
      if (this.#timer !== undefined) this.#settings.clock.clearTimeout(this.#timer as never);
      this.#unfollow();
    }
  }

  #open(params: Record<string, unknown>, name: string, facts: RunOptions) {
    const { runner, tools } = this.#settings;
    const callId = callIdOf(this.#id);
    const request = { name, arguments: own(params, "arguments"), callId };
    // What is no signal is core's to refuse.
    const options = isSignal(facts.signal) ? { ...facts, signal: this.#signal } : facts;
    if (own(params, "task") === undefined) return runner.open(request, options);
    return tools.refusing(callId, asTask, () => runner.open(request, options));
  }

  /** Have the host's own signal end the call, too. */
  #follow({ signal }: RunOptions): void {
    if (signal === undefined || !isSignal(signal)) return;
    const stop = (): void => this.#stop("The host aborted the call.");
    // A host's signal may outlive many calls.
    this.#unfollow = () => signal.removeEventListener("abort", stop);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  }

  /** Pass the call on as it was decided, and wait: for the server, the deadline, or an abort. */
  #dispatch(
    { call, modifiedBy }: OpenedCall,
    params: Record<string, unknown>,
    name: string,
  ): Answer | Promise<Answer> {
    if (this.#signal.aborted) return { unused: true };
    const { clock, callTimeoutMs, toServer } = this.#settings;
    const answered = new Promise<Answer>((resolve) => {
      this.#settle = resolve;
    });
    const expire = (): void => {
      if (this.#giveUp()) this.#tellServer(`No answer within ${callTimeoutMs} ms.`);
    };
    this.#timer = clock.setTimeout(expire, callTimeoutMs);
    this.#forwarded = true;
    this.#isOwed = true;
    const absent = modifiedBy.length === 0 && !Object.hasOwn(params, "arguments");
    const decided = absent ? { ...params, name } : { ...params, name, arguments: call.args };
    try {
      toServer({ ...this.#request, params: decided }, this.#extra);
    } catch (error) {
      this.#settle = undefined;
      this.#isOwed = false;
      throw error;
    }
    return answered;
  }

  answered(message: JsonRpcMessage, extra: unknown): void {
    this.#isOwed = false;
    const settle = this.#settle;
    // An answer to what was not asked yet, or has been answered, is nobody's.
    if (settle === undefined) return;
    this.#settle = undefined;
    this.#answerExtra = extra;
    try {
      this.#answer = this.#settings.fixesAnswers ? fixedCopy(message) : message;
      settle({ value: claimedBy(this.#answer) });
    } catch (error) {
      this.#answer = undefined;
      const text = error instanceof Unjudgeable ? error.message : "The server's answer is no JSON.";
      settle({ value: toolResult({ content: text, isError: true }) });
    }
  }

  failed(error: unknown): void {
    this.#isOwed = false;
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

  #stopWaiting(): boolean {
    this.#signal.abort();
    return this.#giveUp();
  }

  /** Wait no longer for the server. Says whether it has the call, and is to be told. */
  #giveUp(): boolean {
    const settle = this.#settle;
    if (settle === undefined) return false;
    this.#settle = undefined;
    settle({ unknown: true });
    return true;
  }

  #tellServer(reason: string): void {
    try {
      this.#settings.toServer(cancellation(this.#id, reason), this.#extra);
    } catch {
      // The server goes on, which it may do in any case: the outcome says that it is unknown.
    }
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
      this.#settings.requests.leave(this.#id, this.#isOwed);
      if (!this.#unheard) this.#settings.failed(this.#id, failure.error);
      return;
    }
    const tool = this.#settings.tools.definition(params["name"] as string);
    const hasOutputSchema = own(tool, "outputSchema") !== undefined;
    const isModern = envelopeOf(params) !== undefined;
    this.#tell(answerFrom(this.#id, outcome, { hasOutputSchema, isModern }), this.#answerExtra);
  }

  #tell(message: JsonRpcMessage, extra?: unknown): void {
    this.#settings.requests.leave(this.#id, this.#isOwed);
    if (!this.#unheard) this.#settings.toClient(message, extra);
  }
}
