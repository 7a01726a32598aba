/** A guardrail's protocol: copy it freely. Its words are those of microsoft/autogen#7405. */
export type Awaitable<T> = T | PromiseLike<T>;
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];
/** A plain JSON object. The index admits `undefined`, so optional keys of your own types fit. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined };
/** One part of a tool's answer, as in OpenAI and MCP: text, image, resource and so on. */
export type ContentPart = { readonly type: string; readonly [key: string]: unknown };
export type ToolContent = string | readonly ContentPart[];
/** A tool as its host declared it, if it did. The schemas are JSON Schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: JsonObject | boolean | undefined;
  readonly outputSchema?: JsonObject | boolean | undefined;
  readonly annotations?: JsonObject | undefined;
}
/** Facts that the host knows. They never come from the model's arguments. */
export interface CallContext {
  readonly sessionId?: string | undefined;
  readonly principal?: string | undefined;
  readonly tenant?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}
/** The identity of a call: the same for the whole run. `run` stands for the run in WeakMaps. */
export interface CallHead {
  readonly run: object;
  readonly runId: string;
  /** The assistant message that the call belongs to. */
  readonly turnId?: string | undefined;
  /** The model's id, which may repeat in later turns; made by the runner if the model gave none. */
  readonly callId: string;
  /** The tool's own name; rules are written against this one. An alias stands in `requestedName`. */
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName?: string | undefined;
  readonly context: CallContext;
  readonly tool?: ToolDefinition | undefined;
  /** It came with the request and has not been checked. */
  readonly receipt?: string | undefined;
}
/** One tool call before the tool runs. `args` is frozen; `signal` aborts when no answer is needed. */
export type ToolCall = CallHead & { readonly args: JsonObject; readonly signal: AbortSignal };
/** A call that is over. It has no `args` if they could not be read. */
export type SettledCall = CallHead & { readonly args?: JsonObject | undefined };
/** The answer to a call as the model will read it. `raw` is for adapters and is not judged. */
export interface ToolResult {
  readonly callId: string;
  readonly name: string;
  readonly isError: boolean;
  readonly content: ToolContent;
  readonly structured?: JsonValue | undefined;
  readonly receipt?: string | undefined;
  readonly raw?: unknown;
}
export type ResultBody = Pick<ToolResult, "content" | "structured">;
/** The end of a call, as `settle` is told it. The runner's `ToolOutcome` says more. */
export interface CallEnd extends Pick<ToolResult, "callId"> {
  readonly status: string;
  readonly executed: boolean | "unknown";
  readonly result: ToolResult;
}
type Not<Names extends string> = { readonly [Name in Names]?: never };
/** `metadata` is for the audit record. The model may read `reason`: it must quote no argument value. */
type Said = { readonly reason?: string | undefined; readonly metadata?: Metadata | undefined };
export type Metadata = Readonly<Record<string, unknown>>;
export type ApprovalRequest = Readonly<{ summary: string; expiresInMs?: number | undefined }>;
type Unlike<Names extends string> = Said & Not<"code" | "replacement" | "approval" | Names>;
export type Allow = Unlike<"modifiedArgs" | "modifiedResult"> & { readonly decision: "allow" };
/** `code` names the rule; the model reads `replacement`, else "Tool call denied: {reason}". */
export interface Deny extends Said, Not<"modifiedArgs" | "modifiedResult"> {
  readonly decision: "deny";
  readonly reason: string;
  readonly code?: string | undefined;
  readonly replacement?: ToolContent | undefined;
  readonly approval?: ApprovalRequest | undefined;
}
/** The new arguments replace the old ones whole; nothing is merged. */
export interface Modify extends Unlike<"modifiedResult"> {
  readonly decision: "modify";
  readonly modifiedArgs: JsonObject;
}
export type GuardrailResult = Allow | Deny | Modify;
/** The tool ran, and its result is kept from the model. */
export type Withhold = Deny & Not<"approval">;
/** The new result replaces the old one whole; nothing is merged. */
export interface Rewrite extends Unlike<"modifiedArgs"> {
  readonly decision: "modify";
  readonly modifiedResult: ResultBody;
}
export type ResultDecision = Allow | Withhold | Rewrite;
/** One guardrail: an object literal will do. A throw, and any answer but a decision, is a DENY. */
export interface GuardrailProvider {
  /** Unique in a chain: records and errors name the guard by it. */
  readonly name: string;
  /** Decides on a call. It must have no effects: it is asked again after a later MODIFY. */
  readonly evaluate: (call: ToolCall) => Awaitable<GuardrailResult>;
  /** Takes quota, grants or leases. Asked once, in order, just before the tool runs. */
  readonly admit?: ((call: ToolCall) => Awaitable<Allow | Deny>) | undefined;
  /** Decides on a result, also if the tool failed. */
  readonly evaluateResult?: ResultGuardrail["evaluateResult"] | undefined;
  /** Told once how each call ended: commits what `admit` took, or gives it back. */
  readonly settle?: ((call: SettledCall, outcome: CallEnd) => Awaitable<void>) | undefined;
  /** Told of each tool at load and on every change of the list. A throw refuses the tool. */
  readonly register?: ((tool: ToolDefinition) => void) | undefined;
  /** The tool names in its configuration. An unknown one is an error at load. */
  readonly tools?: readonly string[] | undefined;
  /** True if it holds this tool's arguments to their schema. */
  readonly checksArguments?: ((tool: ToolDefinition) => boolean) | undefined;
  /** False if it leaves the pieces of this tool's streams alone, and judges their whole only. */
  readonly judgesPieces?: ((tool: ToolDefinition) => boolean) | undefined;
  /** Milliseconds that one answer may take. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  readonly close?: (() => Awaitable<void>) | undefined;
}
type Shared = "name" | "settle" | "judgesPieces" | "timeoutMs" | "close";
/** Judges results only. It never counts as having judged a call. */
export interface ResultGuardrail extends Pick<GuardrailProvider, Shared> {
  readonly evaluateResult: (call: ToolCall, result: ToolResult) => Awaitable<ResultDecision>;
}
