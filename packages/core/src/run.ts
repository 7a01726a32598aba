import { type Call, mintId, RunIdentity, type Scope } from "./call.js";
import type { Catalogue, Entry } from "./catalogue.js";
import type { Judgement } from "./judgement.js";
import type { Grant, Lifted } from "./lifted.js";
import type { Rules } from "./live-chain.js";
import type { OpenCalls } from "./open-calls.js";
import { Permit } from "./permit.js";
import type { Policy } from "./policy.js";
import type {
  Approver,
  Basis,
  CallContext,
  CallRecord,
  DecisionRecord,
  JsonObject,
  ReceiptSigner,
  SettledCall,
  ToolContent,
  ToolDefinition,
  ToolObserver,
  ToolOutcome,
  ToolResult,
} from "./protocol.js";
import { type CallRequest, hostFacts, noFacts, own, type RunOptions } from "./request.js";
import { strayMember } from "./stray-member.js";
import type { ToolContext, ToolDeclaration } from "./tool.js";

/** In what company a call is run. All is said, lest something planted on the root prototype be taken for it. */
export interface Way {
  /** Whether an abort rejects, or is an outcome like others. */
  readonly rejects: boolean;
  readonly turnId: string | undefined;
  /** The ids that the turn has had so far. */
  readonly seen: Set<string> | undefined;
  /** What runs in place of the tool's own function, where somebody wraps an executor. */
  readonly execute: Entry["execute"];
  /** The run that is taken up again, and what it has been granted. */
  readonly resumed: { readonly runId: string; readonly grant: Grant } | undefined;
}

/** What all runs of one runner share. */
export interface Settings {
  readonly catalogue: Catalogue;
  /** The name that a requested name stands for. */
  readonly resolve: (requestedName: string) => string;
  readonly observers: readonly ToolObserver[];
  readonly receiptSigner: ReceiptSigner | undefined;
  readonly approver: Approver | undefined;
  /** The agents whose runner it is, outermost first. */
  readonly agents: readonly string[];
  readonly openCalls: OpenCalls;
  /** Of the rules that are in force now. */
  readonly policyVersion: () => string | undefined;
  readonly observed: () => boolean;
  /** Tell the listeners. */
  readonly emit: (run: Run) => void;
  readonly closed: () => boolean;
}

/** How a run came to its end before its tool was run, or instead of its tool's answer. */
export type Ending =
  | { readonly status: "invalid" | "not_found"; readonly code: string; readonly reason: string }
  | {
      readonly status: "denied" | "withheld";
      readonly basis: Basis;
      readonly decidedBy: string;
      readonly code: string | undefined;
      readonly reason: string;
      readonly replacement: ToolContent | undefined;
      readonly approvalId?: string | undefined;
    }
  | { readonly status: "aborted"; readonly executed: false | "unknown" }
  | { readonly status: "unknown" | "released" };

/** What became of a tool. */
export type Answer =
  | { readonly value: unknown }
  | { readonly error: unknown }
  | { readonly released: true }
  | { readonly unused: true }
  | { readonly unknown: true };

/** One call on its way, from asking to settling: what is known of it so far. */
export class Run {
  readonly identity: RunIdentity;
  readonly settings: Settings;
  readonly scope: Scope;
  readonly turnId: string | undefined;
  readonly callId: string;
  readonly requestedName: string;
  readonly toolName: string;
  readonly agentName: string | undefined;
  readonly context: CallContext;
  /** Within what the call's id may be open once: its session, or the turn that the host names. */
  readonly openIn: string | undefined;
  /** What proves who issued the call. */
  readonly receipt: string | undefined;
  readonly entry: Entry | undefined;
  readonly policy: Policy;
  readonly policyVersion: string | undefined;
  /** The exchangeable rules that it began under. */
  rules: readonly Rules[] = noRules;
  /** What runs in place of the tool's own function, where somebody wraps an executor. */
  readonly execute: Entry["execute"];
  readonly records: DecisionRecord[] = [];
  /** The approvals in hand. */
  readonly grants: Grant[] = [];
  /** The one of them that the run was taken up by. */
  readonly takenUpBy: Grant | undefined;
  /** What of them has lifted a denial of what is now decided. */
  lifted: Lifted | undefined;
  /** A denial that an approver may lift. */
  liftable: Judgement | undefined;
  /** The arguments as they came. Gone once they have been read. */
  given: unknown;
  /** Whether an earlier call of the same turn has its id. */
  readonly repeated: boolean;
  /** Whether the model gave no id. */
  readonly minted: boolean;
  /** The call as it now stands. Absent: its arguments could not be read. */
  call: Call | undefined;
  askedArgs: JsonObject | undefined;
  modifiedBy: readonly string[] = nobody;
  ending: Ending | undefined;
  /** What came of the tool. Absent: nothing has, yet. */
  answered: Answer | undefined;
  /** What the tool returned. */
  answer: unknown;
  /** What the tool threw. */
  error: unknown;
  failed = false;
  result: ToolResult | undefined;
  /** Whether a judge changed the result. */
  rewritten = false;
  outcome: ToolOutcome | undefined;
  /** The outcome whose result bears the signer's receipt. */
  signed: ToolOutcome | undefined;
  /** Whether it counts among the open calls. */
  entered = false;
  askedAt = 0;
  dispatchedAt: number | undefined;
  settledAt: number | undefined;
  #permit: Permit | undefined;

  constructor(
    settings: Settings,
    scope: Scope,
    request: CallRequest,
    options: RunOptions,
    agentName: string | undefined,
    way: Way,
  ) {
    this.identity = new RunIdentity(way.resumed?.runId);
    this.settings = settings;
    this.scope = scope;
    this.takenUpBy = way.resumed?.grant;
    if (this.takenUpBy !== undefined) this.grants.push(this.takenUpBy);
    const turnId = own(options, "turnId");
    this.turnId = turnId ?? way.turnId;
    this.execute = way.execute;
    const name = said(request, "name");
    const callId = said(request, "callId");
    this.requestedName = typeof name === "string" ? name : "";
    this.minted = typeof callId !== "string" || callId === "";
    this.callId = this.minted ? mintId() : (callId as string);
    const seen = way.seen?.has(this.callId) === true || own(options, "repeatedId") === true;
    this.repeated = !this.minted && seen;
    way.seen?.add(this.callId);
    this.given = said(request, "arguments");
    const receipt = said(request, "receipt");
    this.receipt = typeof receipt === "string" && receipt !== "" ? receipt : undefined;
    this.toolName = settings.resolve(this.requestedName);
    this.agentName = own(options, "agentName") ?? agentName;
    const stray = strayOf(request, options);
    const facts = stray === undefined ? hostFacts(own(options, "context")) : undefined;
    this.context = facts ?? noFacts;
    const { sessionId } = this.context;
    const place = turnId === undefined ? sessionId : placeOf(sessionId, turnId);
    this.openIn = place;
    this.entry = findEntry(settings.catalogue, this.toolName, own(options, "tools"));
    this.policy = this.entry?.policy ?? settings.catalogue.base;
    this.policyVersion = settings.policyVersion();
    if (settings.observed()) this.askedAt = scope.clock.now();
    if (typeof stray === "string") {
      this.ending = { status: "invalid", code: "unknown_member", reason: stray };
    } else if (facts === undefined || (turnId !== undefined && place === undefined)) {
      const reason = "the call's context cannot be read";
      this.ending = { status: "invalid", code: "unreadable_context", reason };
    } else if (typeof name !== "string") {
      this.ending = { status: "invalid", code: "invalid_name", reason: "the call names no tool" };
    }
  }

  get runId(): string {
    return this.identity.id;
  }

  get toolContext(): ToolContext {
    return new RunContext(this);
  }

  get permit(): Permit {
    return this.#permit as Permit;
  }

  mint(): Permit {
    this.#permit = Permit.mint(this.call as Call, this.scope.caller);
    return this.#permit;
  }

  /** Whether the tool may have been run. */
  get used(): boolean {
    return this.#permit !== undefined && Permit.used(this.#permit);
  }

  revoke(): void {
    if (this.#permit !== undefined) Permit.revoke(this.#permit);
  }

  get aborted(): boolean {
    return this.scope.caller?.aborted === true;
  }

  /** The call as those see it who are told how it ended. */
  get settled(): SettledCall {
    return this.call ?? new UnreadCall(this);
  }

  record(): CallRecord {
    return Object.freeze({
      runId: this.runId,
      turnId: this.turnId,
      callId: this.callId,
      requestedName: this.requestedName,
      toolName: this.entry?.definition.name,
      askedArgs: this.askedArgs,
      args: this.call?.args,
      agentName: this.agentName,
      context: this.context,
      policyVersion: this.policyVersion,
      decisions: this.outcome?.decisions ?? Object.freeze(this.records.slice()),
      outcome: this.outcome,
      times: Object.freeze({
        askedAt: this.askedAt,
        dispatchedAt: this.dispatchedAt,
        settledAt: this.settledAt,
      }),
    });
  }
}

/** What the tool is told of the run: nothing that it could change. */
class RunContext implements ToolContext {
  readonly callId: string;
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName: string | undefined;
  readonly context: CallContext;
  readonly permit: Permit;
  readonly #run: Run;

  constructor(run: Run) {
    this.callId = run.callId;
    this.toolName = run.toolName;
    this.requestedName = run.requestedName;
    this.agentName = run.agentName;
    this.context = run.context;
    this.permit = run.permit;
    this.#run = run;
  }

  get runId(): string {
    return this.#run.runId;
  }

  get signal(): AbortSignal {
    return this.#run.scope.signal;
  }
}

/** A call whose arguments could not be read. */
class UnreadCall implements SettledCall {
  readonly run: object;
  readonly turnId: string | undefined;
  readonly callId: string;
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName: string | undefined;
  readonly context: CallContext;
  readonly tool: ToolDefinition | undefined;
  readonly receipt: string | undefined;
  readonly args = undefined;

  constructor(run: Run) {
    this.run = run.identity;
    this.turnId = run.turnId;
    this.callId = run.callId;
    this.toolName = run.toolName;
    this.requestedName = run.requestedName;
    this.agentName = run.agentName;
    this.context = run.context;
    this.tool = run.entry?.definition;
    this.receipt = run.receipt;
    Object.freeze(this);
  }

  get runId(): string {
    return (this.run as RunIdentity).id;
  }
}

/** What stands for something that threw when it was asked for. It is no text and no JSON. */
const unreadable = Symbol("unreadable");

function said(request: CallRequest, key: keyof CallRequest): unknown {
  try {
    return own(request, key);
  } catch {
    return unreadable;
  }
}

/** A proxy may refuse to say what it has: what cannot be looked at may hold anything. */
function strayOf(
  request: CallRequest,
  options: RunOptions,
): string | typeof unreadable | undefined {
  try {
    return strayMember(request, options);
  } catch {
    return unreadable;
  }
}

/** The turn of a session, or nothing where what the host gives for a session cannot be written. */
function placeOf(sessionId: unknown, turnId: string): string | undefined {
  try {
    return JSON.stringify([sessionId, turnId]);
  } catch {
    return undefined;
  }
}

const nobody: readonly string[] = Object.freeze([]);
const noRules: readonly Rules[] = Object.freeze([]);

function findEntry(
  catalogue: Catalogue,
  toolName: string,
  declared: readonly ToolDeclaration[] | undefined,
): Entry | undefined {
  // A tool that is there keeps its schema and its guards, whatever one call declares.
  const known = catalogue.get(toolName);
  if (known !== undefined || !Array.isArray(declared)) return known;
  const tool = declared.find((each) => each?.name === toolName);
  return tool === undefined ? undefined : catalogue.declared(tool);
}
