import type { Awaitable, CallContext, JsonObject, Metadata, ToolResult } from "./guardrail.js";

/** The kind of reason for which a call was stopped, in core's own words; `code` is the provider's. */
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

/** One answer of one provider. */
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

/** The facts that every outcome states. */
export interface OutcomeFacts {
  readonly runId: string;
  readonly callId: string;
  /** The arguments as asked for, normalised. Absent if they could not be read. */
  readonly askedArgs?: JsonObject | undefined;
  /** The arguments that the tool was given, or would have been. */
  readonly usedArgs?: JsonObject | undefined;
  /** The providers that changed the arguments, in order. */
  readonly modifiedBy: readonly string[];
  readonly decisions: readonly DecisionRecord[];
  readonly result: ToolResult;
}
/** The reason for which a call was stopped, and the provider that stopped it. */
export interface Stopped {
  readonly basis: Basis;
  /** The provider whose answer it was; "core" if no provider was asked. */
  readonly decidedBy: string;
  readonly code?: string | undefined;
  readonly reason: string;
}

/** The reason why a call could not be decided on. */
export interface Unfit {
  readonly code: string;
  readonly reason: string;
}

/** The end of one call: one of nine statuses, with what each of them knows. */
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

/** The statuses with which a call can end. */
export const outcomeStatuses = [
  "executed",
  "failed",
  "withheld",
  "denied",
  "invalid",
  "not_found",
  "aborted",
  "unknown",
  "released",
] as const satisfies readonly OutcomeStatus[];

/** Milliseconds since the epoch. */
export interface CallTimes {
  readonly askedAt: number;
  readonly dispatchedAt?: number | undefined;
  readonly settledAt?: number | undefined;
}

/** One call on record, as observers are told of it. */
export interface CallRecord {
  readonly runId: string;
  readonly turnId?: string | undefined;
  readonly callId: string;
  readonly requestedName: string;
  /** Absent if no declared tool has the requested name. */
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

/** Sees every call, also one stopped before any guard was asked. Never decides. */
export interface ToolObserver {
  readonly name: string;
  /** With `true`, a call whose intent cannot be written does not run, and one whose outcome cannot be written is withheld. */
  readonly required?: boolean | undefined;
  /** Told after `admit`, before the tool. */
  readonly intent?: ((record: CallRecord) => Awaitable<void>) | undefined;
  readonly settle: (record: CallRecord) => Awaitable<void>;
  /** Milliseconds that one telling may take. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  readonly close?: (() => Awaitable<void>) | undefined;
}
