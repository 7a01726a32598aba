import { type Clock, systemClock } from "./clock.js";
import { defaultLimits, type JsonLimits } from "./json.js";
import { snapshotObject } from "./parse.js";
import type { CallContext, JsonObject, ToolCall, ToolDefinition } from "./protocol.js";
import type { CallerSignal } from "./request.js";

/** Told of what providers, observers and listeners did wrong. For operators only. */
export type FaultReport = (source: string, phase: string, error: unknown) => void;

/** What holds for every question about one call: its clock, its limits, its end. */
export class Scope {
  readonly clock: Clock;
  readonly limits: JsonLimits;
  /** Milliseconds that a provider has, unless it says otherwise. */
  readonly timeoutMs: number;
  readonly report: FaultReport;
  /** The caller's own signal. */
  readonly caller: CallerSignal | undefined;
  #controller: AbortController | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #follow: (() => void) | undefined;

  constructor(
    clock: Clock,
    limits: JsonLimits,
    timeoutMs: number,
    report: FaultReport,
    caller: CallerSignal | undefined,
  ) {
    this.clock = clock;
    this.limits = limits;
    this.timeoutMs = timeoutMs;
    this.report = report;
    this.caller = caller;
  }

  /** Made when first read: a controller costs as much as the rest of a guarded call. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended !== undefined) this.#controller.abort(this.#ended.reason);
      else if (this.caller?.aborted === true) this.#controller.abort(this.caller.reason);
      else this.#followCaller();
    }
    return this.#controller.signal;
  }

  #followCaller(): void {
    if (this.caller === undefined) return;
    const { caller } = this;
    this.#follow = () => this.end(caller.reason);
    caller.addEventListener("abort", this.#follow, { once: true });
  }

  /** Abort the signal: the answer is no longer wanted. */
  end(reason: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = { reason };
    this.#controller?.abort(reason);
  }

  /** Let go of the caller's signal, which may live as long as the process. */
  release(): void {
    if (this.#follow !== undefined) this.caller?.removeEventListener("abort", this.#follow);
    // A signal that is first read from now on must not listen to the caller's for ever.
    if (this.#controller === undefined) this.#ended ??= over;
  }

  /** A scope that the same caller can end, and whose own end leaves this one alone. */
  child(): Scope {
    return new Scope(this.clock, this.limits, this.timeoutMs, this.report, this.caller);
  }
}

/** Why the signal of a call that is over is aborted. Made once: an error costs as much as a call. */
const over = Object.freeze({ reason: new Error("the call is over") });

const ignore: FaultReport = () => {};

/** The identity of a run. Its name is made when first read. */
export class RunIdentity {
  #id: string | undefined;

  /** @param id of a run that is taken up again. */
  constructor(id?: string) {
    this.#id = id;
    Object.freeze(this);
  }

  get id(): string {
    if (this.#id === undefined) this.#id = mintId();
    return this.#id;
  }
}

const processId = crypto.randomUUID();
let minted = 0;

/** An id that no other process and no other run has had. */
export function mintId(): string {
  minted += 1;
  return `${processId}-${minted}`;
}

/** A call as guards see it: frozen, arguments and all. */
export class Call implements ToolCall {
  readonly run: object;
  readonly turnId: string | undefined;
  readonly callId: string;
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName: string | undefined;
  readonly context: CallContext;
  readonly tool: ToolDefinition | undefined;
  readonly receipt: string | undefined;
  readonly args: JsonObject;
  readonly #scope: Scope;

  constructor(
    run: object,
    turnId: string | undefined,
    callId: string,
    toolName: string,
    requestedName: string,
    agentName: string | undefined,
    context: CallContext,
    tool: ToolDefinition | undefined,
    receipt: string | undefined,
    args: JsonObject,
    scope: Scope,
  ) {
    this.run = run;
    this.turnId = turnId;
    this.callId = callId;
    this.toolName = toolName;
    this.requestedName = requestedName;
    this.agentName = agentName;
    this.context = context;
    this.tool = tool;
    this.receipt = receipt;
    this.args = args;
    this.#scope = scope;
    Object.freeze(this);
  }

  get runId(): string {
    return runIdOf(this.run);
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  /** The scope of a call; of one that core did not make, a scope of its own. */
  static scopeOf(call: ToolCall): Scope {
    return #scope in call
      ? call.#scope
      : new Scope(systemClock, defaultLimits, defaultTimeoutMs, ignore, call.signal);
  }

  /** A call that core can work with, whoever made it. @throws JsonFault when its arguments are not JSON. */
  static of(call: ToolCall): Call {
    if (#scope in call) return call;
    const scope = Call.scopeOf(call);
    return Call.derive(call, snapshotObject(call.args, scope.limits), scope);
  }

  /** The same call with other arguments, or under another scope. */
  static derive(call: ToolCall, args: JsonObject, scope: Scope): Call {
    return new Call(
      call.run,
      call.turnId,
      call.callId,
      call.toolName,
      call.requestedName,
      call.agentName,
      call.context,
      call.tool,
      call.receipt,
      args,
      scope,
    );
  }
}

/** Milliseconds that one answer may take where nothing else is said. */
export const defaultTimeoutMs = 5_000;

const foreignIds = new WeakMap<object, string>();

/** The run id of any run identity, also of one that core did not make. */
function runIdOf(run: object): string {
  if (run instanceof RunIdentity) return run.id;
  const known = foreignIds.get(run);
  if (known !== undefined) return known;
  const id = mintId();
  foreignIds.set(run, id);
  return id;
}
