import { type RunOptions, type ToolOutcome, type ToolRunner, toolResult } from "@toolstile/core";
import type { OpenedCall, ToolAnswer } from "@toolstile/core/host";
import { CallerAbort, ownValue } from "@toolstile/core/provider";
import {
  callIdOf,
  cancellation,
  envelopeOf,
  errorMessage,
  type JsonRpcId,
  type JsonRpcMessage,
  rpcCodes,
} from "../message/json-rpc.js";
import type { ServerTools } from "../tools/server-tools.js";
import { readCallParams } from "./call-params.js";
import { answerFrom, claimedBy, Unjudgeable, withReceipt } from "./call-result.js";
import { type Facts, isSignal } from "./host-facts.js";
import type { OpenRequest } from "./open-requests.js";
import type { RequestSettings } from "./passed-request.js";
import { withoutMembers } from "./result-rest.js";
import type { Timers } from "./timers.js";

/** The settings that all calls of a connection share. */
export interface CallSettings extends RequestSettings {
  readonly runner: ToolRunner;
  readonly tools: ServerTools;
  readonly clock: Timers;
  readonly callTimeoutMs: number;
  readonly factsOf: Facts;
  /** The treatment of members of a result that guards are shown nowhere else. */
  readonly rest: "pass" | "show" | "drop";
  /** An answer that cannot change while it is judged, signed or recorded. @throws where JSON cannot hold it. */
  readonly fixed: (answer: JsonRpcMessage) => JsonRpcMessage;
  readonly toServer: (message: JsonRpcMessage, extra: unknown) => void;
}

const asTask = "it is to run as a task, whose result no guard could judge; call it without one";

/** One `tools/call` of the client's, from its request to its answer. */
export class Call implements OpenRequest {
  readonly extra: unknown;
  readonly #settings: CallSettings;
  readonly #id: JsonRpcId;
  readonly #request: JsonRpcMessage;
  readonly #signal = new CallerAbort();
  /** Takes the answer. It is there only while the call waits for one. */
  #settle: ((answer: ToolAnswer) => void) | undefined;
  /** The timer of the server's deadline. */
  #timer: unknown;
  #forwarded = false;
  /** True while the server has the call and has not answered it. */
  #isOwed = false;
  /** True once the client, or the whole connection, has gone: the answer goes nowhere. */
  #isGivenUp = false;
  /** The server's message, and the `extra` that it came with. */
  #answer: JsonRpcMessage | undefined;
  #answerExtra: unknown;
  /** Stops listening to the host's signal. */
  #unfollow: () => void = () => {};
  /** The reason why the call could not be sent. */
  #failure: { readonly error: unknown } | undefined;

  constructor(settings: CallSettings, id: JsonRpcId, request: JsonRpcMessage, extra: unknown) {
    this.#settings = settings;
    this.#id = id;
    // A copy: the client could change its object before the call is passed on.
    this.#request = { ...request, id, method: "tools/call" };
    this.extra = extra;
  }

  get isAwaited(): boolean {
    return this.#settle !== undefined;
  }

  /** Runs the call from its request to its answer. It never rejects. */
  async run(): Promise<void> {
    let opened: OpenedCall | undefined;
    try {
      const read = readCallParams(this.#request);
      if (typeof read === "string") {
        this.#tell(errorMessage(this.#id, rpcCodes.invalidParams, read));
        return;
      }
      const { params, name } = read;
      const request = { params, meta: ownValue(params, "_meta"), extra: this.extra };
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
      // A fault of this library, or an object that cannot be read twice: nothing is passed on, whatever the guards said.
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
    const request = { name, arguments: ownValue(params, "arguments"), callId };
    // Core refuses anything that is not a signal.
    const options = isSignal(facts.signal) ? { ...facts, signal: this.#signal } : facts;
    if (ownValue(params, "task") === undefined) return runner.open(request, options);
    return tools.refusing(callId, asTask, () => runner.open(request, options));
  }

  /** Lets the host's own signal end the call, too. */
  #follow({ signal }: RunOptions): void {
    if (signal === undefined || !isSignal(signal)) return;
    const stop = (): void => this.#stop("The host aborted the call.");
    // A host's signal may outlive many calls.
    this.#unfollow = () => signal.removeEventListener("abort", stop);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  }

  /** Passes the call on as it was decided, and waits for the server, the deadline or an abort. */
  #dispatch(
    { call, modifiedBy }: OpenedCall,
    params: Record<string, unknown>,
    name: string,
  ): ToolAnswer | Promise<ToolAnswer> {
    if (this.#signal.aborted) return { unused: true };
    const { clock, callTimeoutMs, toServer } = this.#settings;
    const answered = new Promise<ToolAnswer>((resolve) => {
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
      toServer({ ...this.#request, params: decided }, this.extra);
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
    // The call was not sent yet, or is answered already: this answer is dropped.
    if (settle === undefined) return;
    this.#settle = undefined;
    this.#answerExtra = extra;
    try {
      const { fixed, rest } = this.#settings;
      this.#answer = rest === "drop" ? withoutMembers(fixed(message)) : fixed(message);
      settle({ value: claimedBy(this.#answer, rest === "show") });
    } catch (error) {
      this.#answer = undefined;
      const text = error instanceof Unjudgeable ? error.message : "The server's answer is no JSON.";
      settle({ value: toolResult({ content: text, isError: true }) });
    }
  }

  failed(error: unknown): void {
    this.#isOwed = false;
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    this.#failure = { error };
    settle({ error });
  }

  cancelled(): boolean {
    this.#isGivenUp = true;
    return this.#stopWaiting();
  }

  /** Ends the wait for the server, because the host wants no answer. The client still gets one. */
  #stop(reason: string): void {
    if (this.#stopWaiting()) this.#tellServer(reason);
  }

  #stopWaiting(): boolean {
    this.#signal.abort();
    return this.#giveUp();
  }

  /** Stops waiting for the server. Returns true if it has the call and must be told. */
  #giveUp(): boolean {
    const settle = this.#settle;
    if (settle === undefined) return false;
    this.#settle = undefined;
    settle({ unknown: true });
    return true;
  }

  #tellServer(reason: string): void {
    try {
      this.#settings.toServer(cancellation(this.#id, reason), this.extra);
    } catch {
      // The server may go on in any case, and the outcome says that it is unknown.
    }
  }

  /** Tells the client: with the server's own message, if that is what was judged. */
  #conclude(outcome: ToolOutcome, params: Record<string, unknown>): void {
    const { result } = outcome;
    const answer = this.#answer;
    if (answer !== undefined && result.raw === answer) {
      this.#tell(withReceipt(answer, result.receipt), this.#answerExtra);
      return;
    }
    const failure = this.#failure;
    if (failure !== undefined && outcome.status === "failed" && outcome.error === failure.error) {
      this.#settings.requests.remove(this.#id, this.#isOwed);
      if (!this.#isGivenUp) this.#settings.failed(this.#id, failure.error, this.extra);
      return;
    }
    const tool = this.#settings.tools.definition(params["name"] as string);
    const hasOutputSchema = (ownValue(tool, "outputSchema") ?? undefined) !== undefined;
    const isModern = envelopeOf(params) !== undefined;
    this.#tell(answerFrom(this.#id, outcome, { hasOutputSchema, isModern }), this.#answerExtra);
  }

  #tell(message: JsonRpcMessage, extra?: unknown): void {
    this.#settings.requests.remove(this.#id, this.#isOwed);
    if (!this.#isGivenUp) this.#settings.toClient(message, extra, this.extra);
  }
}
