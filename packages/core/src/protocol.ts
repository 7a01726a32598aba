/**
 * The protocol: what a guardrail is asked, and what it may answer.
 *
 * Types only. The names of the decisions are those of AutoGen's
 * GuardrailProvider proposal (microsoft/autogen#7405). Copying this file in
 * place of depending on it is welcome.
 */

export type Awaitable<T> = T | PromiseLike<T>;

export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];
/** A plain JSON object; the index admits `undefined` so that optional keys of people's own types fit. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** One part of a tool's answer, as in OpenAI and MCP: text, image, resource and so on. */
export interface ContentPart {
  readonly type: string;
  readonly [key: string]: unknown;
}
export type ToolContent = string | readonly ContentPart[];

/** What a tool answered, without whose answer it is. */
export interface ResultBody {
  readonly content: ToolContent;
  readonly structured?: JsonValue | undefined;
}

/** What the model and the guards are told of a tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. Absent: any object. */
  readonly parameters?: JsonObject | boolean | undefined;
  /** JSON Schema of the structured result. */
  readonly outputSchema?: JsonObject | boolean | undefined;
  readonly annotations?: JsonObject | undefined;
}

/** Facts that the host knows. Never the model's: nothing here is read from arguments. */
export interface CallContext {
  readonly sessionId?: string | undefined;
  readonly principal?: string | undefined;
  readonly tenant?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** Who asks for what; one object for a whole run. */
export interface CallHead {
  /** The identity of the run: a key for WeakMaps. */
  readonly run: object;
  /** Unique for ever. */
  readonly runId: string;
  /** One `runAll`, one assistant message. */
  readonly turnId?: string | undefined;
  /** The model's id, which may repeat in later turns; minted if it gave none. */
  readonly callId: string;
  /** The tool's own name, any alias resolved. Rules are written against this one. */
  readonly toolName: string;
  /** The name as the model said it. The result carries this one. */
  readonly requestedName: string;
  readonly agentName?: string | undefined;
  readonly context: CallContext;
  /** Absent when nobody declared the tool. */
  readonly tool?: ToolDefinition | undefined;
  /** What proves who issued the call, as it came with the request. Not checked. */
  readonly receipt?: string | undefined;
}

/** One tool call, before the tool runs. */
export interface ToolCall extends CallHead {
  /** Plain JSON, frozen to the leaves. */
  readonly args: JsonObject;
  /** Aborted when the caller gives up or a guard's time is over. Made when first read. */
  readonly signal: AbortSignal;
}

/** A call that is over. One whose arguments could not be read has none. */
export interface SettledCall extends CallHead {
  readonly args?: JsonObject | undefined;
}

/** What came of a tool, as the model will read it. */
export interface ToolResult {
  readonly callId: string;
  /** The requested name. */
  readonly name: string;
  readonly isError: boolean;
  readonly content: ToolContent;
  readonly structured?: JsonValue | undefined;
  /** The signer's; without one, what the tool claims. */
  readonly receipt?: string | undefined;
  /** What the tool passed along for its own adapter. Not judged, and absent from a rewritten or withheld result. */
  readonly raw?: unknown;
}

/** Facts for the audit record. Never shown to the model. */
export type Metadata = Readonly<Record<string, unknown>>;

/** A way to lift a denial: what an approver is asked. */
export interface ApprovalRequest {
  readonly summary: string;
  readonly expiresInMs?: number | undefined;
}

export interface Allow {
  readonly decision: "allow";
  readonly reason?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly code?: never;
  readonly replacement?: never;
  readonly approval?: never;
  readonly modifiedArgs?: never;
  readonly modifiedResult?: never;
}
export interface Deny {
  readonly decision: "deny";
  /** Read by the model, so it must quote no argument value. */
  readonly reason: string;
  /** The provider's own word for the rule that denied, to branch on. */
  readonly code?: string | undefined;
  /** Read by the model in place of "Tool call denied: {reason}". */
  readonly replacement?: ToolContent | undefined;
  readonly approval?: ApprovalRequest | undefined;
  readonly metadata?: Metadata | undefined;
  readonly modifiedArgs?: never;
  readonly modifiedResult?: never;
}
export interface Modify {
  readonly decision: "modify";
  /** The whole new arguments: nothing is merged. */
  readonly modifiedArgs: JsonObject;
  readonly reason?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly code?: never;
  readonly replacement?: never;
  readonly approval?: never;
  readonly modifiedResult?: never;
}
/** What a guardrail answers to a call. There is no "no opinion": a guardrail with none allows. */
export type GuardrailResult = Allow | Deny | Modify;

/** The tool ran, but its result is kept from the model. */
export interface Withhold {
  readonly decision: "deny";
  readonly reason: string;
  readonly code?: string | undefined;
  readonly replacement?: ToolContent | undefined;
  readonly metadata?: Metadata | undefined;
  readonly approval?: never;
  readonly modifiedArgs?: never;
  readonly modifiedResult?: never;
}
export interface Rewrite {
  readonly decision: "modify";
  /** The whole new result: nothing is merged. */
  readonly modifiedResult: ResultBody;
  readonly reason?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly code?: never;
  readonly replacement?: never;
  readonly approval?: never;
  readonly modifiedArgs?: never;
}
/** What a guardrail answers to a result. */
export type ResultDecision = Allow | Withhold | Rewrite;

/**
 * One guardrail. Implement it as an object literal; nothing need be extended.
 *
 * Members are properties, not methods, so that TypeScript compares their
 * parameters strictly.
 */
export interface GuardrailProvider {
  /** Stable, and unique in a chain: it is the key in records and errors. */
  readonly name: string;
  /** Decides on a call. Has no effects, and may be asked again after a later MODIFY. A throw is a DENY. */
  readonly evaluate: (call: ToolCall) => Awaitable<GuardrailResult>;
  /** Asked once, in order, last thing before the tool runs: takes quota, grants, leases. */
  readonly admit?: ((call: ToolCall) => Awaitable<Allow | Deny>) | undefined;
  /** Decides on a result, also when the tool failed. */
  readonly evaluateResult?:
    | ((call: ToolCall, result: ToolResult) => Awaitable<ResultDecision>)
    | undefined;
  /** Told once how every call ended: commits, or gives back what `admit` took. */
  readonly settle?: ((call: SettledCall, outcome: ToolOutcome) => Awaitable<void>) | undefined;
  /** Told of each tool at load and on every change of the list. A throw refuses the tool. */
  readonly register?: ((tool: ToolDefinition) => void) | undefined;
  /** The tool names that it was configured with. An unknown one is a load error. */
  readonly tools?: readonly string[] | undefined;
  /** "I hold this tool's arguments to its schema." */
  readonly checksArguments?: ((tool: ToolDefinition) => boolean) | undefined;
  /** Milliseconds that one answer may take. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  readonly close?: (() => Awaitable<void>) | undefined;
}

/** Judges results only. Chains take it beside providers; it never counts as having judged a call. */
export interface ResultGuardrail {
  readonly name: string;
  readonly evaluateResult: (call: ToolCall, result: ToolResult) => Awaitable<ResultDecision>;
  readonly settle?: ((call: SettledCall, outcome: ToolOutcome) => Awaitable<void>) | undefined;
  readonly timeoutMs?: number | undefined;
  readonly close?: (() => Awaitable<void>) | undefined;
}

/** Sees every call, also one stopped before anything was asked. Never decides. */
export interface ToolObserver {
  readonly name: string;
  /** With `true`, a call whose intent cannot be written does not run, and one whose outcome cannot be written is withheld. */
  readonly required?: boolean | undefined;
  /** Told after `admit`, before the tool. */
  readonly intent?: ((record: CallRecord) => Awaitable<void>) | undefined;
  readonly settle: (record: CallRecord) => Awaitable<void>;
  readonly timeoutMs?: number | undefined;
  readonly close?: (() => Awaitable<void>) | undefined;
}

/** What an approver is asked: a denial that can be lifted, and everything that lifting it is bound to. Frozen. */
export interface ApprovalQuestion {
  readonly runId: string;
  readonly turnId?: string | undefined;
  readonly callId: string;
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName?: string | undefined;
  /** The agents whose runner asked, as `forAgent()` was given them, outermost first: only theirs takes the call up again. Empty where it is no agent's. */
  readonly runnerAgents: readonly string[];
  readonly context: CallContext;
  /** The arguments as they were when they were denied. */
  readonly args: JsonObject;
  /** The arguments as asked for. */
  readonly askedArgs: JsonObject;
  /** The provider that denied, its code and its reason. */
  readonly provider: string;
  readonly code?: string | undefined;
  readonly reason: string;
  readonly approval: ApprovalRequest;
  readonly policyVersion?: string | undefined;
  /** What came with the call. */
  readonly receipt?: string | undefined;
}

/** What an approver answers. Anything else denies. */
export type ApprovalAnswer =
  | { readonly decision: "approved"; readonly approvalId: string }
  | { readonly decision: "denied"; readonly reason?: string | undefined }
  /** Somebody will answer later: the call is denied, and `resume(approvalId)` runs it then. */
  | { readonly decision: "pending"; readonly approvalId: string };

/** Lifts denials, each for one run, once. */
export interface Approver {
  readonly name: string;
  /**
   * Asks for a denial to be lifted. It may take as long as a human does; `signal` aborts when the caller gives up.
   *
   * A run that is resumed is asked all over again. For the very question that
   * was approved and not used, the answer is that approval: else a call with two
   * denials to lift would never come to its end.
   */
  readonly ask: (
    question: ApprovalQuestion,
    options: { readonly signal: AbortSignal },
  ) => Awaitable<ApprovalAnswer>;
  /** The question of an approval that was given and not used; nothing, where there is none. */
  readonly recall: (approvalId: string) => Awaitable<ApprovalQuestion | undefined>;
  /**
   * Uses an approval up, last thing before the tool: true, or who gave it, exactly
   * once, and only if it was given for this very question and has not expired.
   */
  readonly consume: (
    approvalId: string,
    question: ApprovalQuestion,
  ) => Awaitable<boolean | { readonly by: string }>;
  readonly close?: (() => Awaitable<void>) | undefined;
}

/** Proves of each result, to whoever holds the key, that this host gave it as the answer to its call. */
export interface ReceiptSigner {
  readonly name: string;
  /** Asked once the result is final. A throw leaves the result without a receipt, for its verifier to refuse. */
  readonly sign: (call: SettledCall, result: ToolResult) => Awaitable<string>;
  /** Milliseconds that one answer may take. Default 5,000. */
  readonly timeoutMs?: number | undefined;
}

/** Why a call was stopped, in core's own words; `code` is the provider's. */
export type Basis =
  | "policy"
  | "error"
  | "timeout"
  | "malformed"
  | "no_provider"
  | "unstable"
  | "duplicate"
  | "approval"
  | "audit";

/** What one provider answered, once. */
export interface DecisionRecord {
  readonly provider: string;
  readonly phase: "call" | "admit" | "result";
  readonly decision: "allow" | "deny" | "modify";
  readonly basis: Basis;
  readonly mode?: "shadow" | "fail-open" | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly metadata?: Metadata | undefined;
}

/** What every outcome says. */
export interface OutcomeFacts {
  readonly runId: string;
  readonly callId: string;
  /** The arguments as asked for, normalised. Absent when they could not be read. */
  readonly askedArgs?: JsonObject | undefined;
  /** The arguments that the tool was given, or would have been. */
  readonly usedArgs?: JsonObject | undefined;
  /** The providers that changed the arguments, in order. */
  readonly modifiedBy: readonly string[];
  readonly decisions: readonly DecisionRecord[];
  readonly result: ToolResult;
}
/** Why a call was stopped, and by whom. */
export interface Stopped {
  readonly basis: Basis;
  /** The provider whose answer it was; "core" where no provider was asked. */
  readonly decidedBy: string;
  readonly code?: string | undefined;
  readonly reason: string;
}

/** Why there was nothing to decide on. */
export interface Unfit {
  readonly code: string;
  readonly reason: string;
}

/** What became of one call. */
export type ToolOutcome = OutcomeFacts &
  (
    | { readonly status: "executed"; readonly executed: true; readonly value: unknown }
    | { readonly status: "failed"; readonly executed: true; readonly error: unknown }
    | (Stopped & { readonly status: "withheld"; readonly executed: true })
    | (Stopped & {
        readonly status: "denied";
        readonly executed: false;
        readonly approvalId?: string | undefined;
      })
    | (Unfit & { readonly status: "invalid"; readonly executed: false })
    | (Unfit & { readonly status: "not_found"; readonly executed: false })
    | { readonly status: "aborted"; readonly executed: false | "unknown" }
    | { readonly status: "unknown"; readonly executed: "unknown" }
    | { readonly status: "released"; readonly executed: "unknown" }
  );
export type OutcomeStatus = ToolOutcome["status"];

/** Milliseconds since the epoch. */
export interface CallTimes {
  readonly askedAt: number;
  readonly dispatchedAt?: number | undefined;
  readonly settledAt?: number | undefined;
}

/** What an observer is told. */
export interface CallRecord {
  readonly runId: string;
  readonly turnId?: string | undefined;
  readonly callId: string;
  readonly requestedName: string;
  /** Absent when no declared tool has the requested name. */
  readonly toolName?: string | undefined;
  readonly askedArgs?: JsonObject | undefined;
  readonly args?: JsonObject | undefined;
  readonly agentName?: string | undefined;
  readonly context: CallContext;
  readonly policyVersion?: string | undefined;
  readonly decisions: readonly DecisionRecord[];
  /** Absent in an intent. */
  readonly outcome?: ToolOutcome | undefined;
  readonly times: CallTimes;
}

/** How a provider is named in data: a provider package exports one as `plugin`. */
export interface GuardrailPlugin<Options = unknown> {
  readonly name: string;
  /** JSON Schema of the options. */
  readonly optionsSchema: JsonObject;
  readonly create: (options: Options) => GuardrailProvider | ResultGuardrail | ToolObserver;
}
