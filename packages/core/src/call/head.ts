import { warnOfFault } from "../errors/fault-warning.js";
import { snapshotObject } from "../json/parse.js";
import { defaultLimits } from "../json/snapshot.js";
import type {
  CallContext,
  CallHead,
  JsonObject,
  SettledCall,
  ToolCall,
  ToolDefinition,
} from "../protocol/guardrail.js";
import { systemClock } from "../time/clock.js";
import { defaultTimeoutMs } from "../time/deadline.js";
import { Scope } from "./caller.js";

/** The identity of a run. Its id is made when first read. */
export class RunIdentity {
  #id: string | undefined;

  /** @param id of a run that is resumed. */
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

/** Makes an id that no other process and no other run has. */
export function mintId(): string {
  return `${processId}-${++minted}`;
}

/** The identity of a call: the one place that spells it out. */
class Head implements CallHead {
  readonly run: object;
  readonly turnId: string | undefined;
  readonly callId: string;
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName: string | undefined;
  readonly context: CallContext;
  readonly tool: ToolDefinition | undefined;
  readonly receipt: string | undefined;

  constructor(given: Omit<CallHead, "runId">) {
    this.run = given.run;
    this.turnId = given.turnId;
    this.callId = given.callId;
    this.toolName = given.toolName;
    this.requestedName = given.requestedName;
    this.agentName = given.agentName;
    this.context = given.context;
    this.tool = given.tool;
    this.receipt = given.receipt;
  }

  get runId(): string {
    return runIdOf(this.run);
  }
}

/** A call whose arguments could not be read. */
export class UnreadCall extends Head implements SettledCall {
  readonly args = undefined;

  constructor(head: Omit<CallHead, "runId">) {
    super(head);
    Object.freeze(this);
  }
}

/** A call as guards see it: frozen, arguments and all. */
export class Call extends Head implements ToolCall {
  readonly args: JsonObject;
  readonly #scope: Scope;

  constructor(head: Omit<CallHead, "runId">, args: JsonObject, scope: Scope) {
    super(head);
    this.args = args;
    this.#scope = scope;
    Object.freeze(this);
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  /** The call as guards see it. */
  get shown(): ToolCall {
    return this;
  }

  /** Returns the scope of a call, or a new scope if core did not make the call. */
  static scopeOf(call: ToolCall): Scope {
    return #scope in call ? call.#scope : new Scope(termsOfForeignCalls, call.signal);
  }

  /** Returns a call that core can work with, also for a call that core did not make. @throws JsonFault if its arguments are not JSON. */
  static of(call: ToolCall): Call {
    if (#scope in call) return call;
    return new Call(call, snapshotObject(call.args, defaultLimits), Call.scopeOf(call));
  }

  /** Returns the same call with other arguments. */
  with(args: JsonObject): Call {
    return new Call(this, args, this.#scope);
  }

  /** Returns the same call under another scope. */
  under(scope: Scope): Call {
    return new Call(this, this.args, scope);
  }
}

const termsOfForeignCalls = {
  clock: systemClock,
  limits: defaultLimits,
  timeoutMs: defaultTimeoutMs,
  report: warnOfFault,
};

const foreignIds = new WeakMap<object, string>();

/** Returns the run id of any run identity, also of one that core did not make. */
function runIdOf(run: object): string {
  if (run instanceof RunIdentity) return run.id;
  const known = foreignIds.get(run);
  if (known !== undefined) return known;
  const id = mintId();
  foreignIds.set(run, id);
  return id;
}
