import type { ApprovalRequest, Awaitable, CallContext, JsonObject } from "./guardrail.js";

/** The question to an approver: a denial that can be lifted, and everything that lifting it is bound to. Frozen. */
export interface ApprovalQuestion {
  readonly runId: string;
  readonly turnId?: string | undefined;
  readonly callId: string;
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName?: string | undefined;
  /** The agents whose runner asked, as `forAgent()` was given them, outermost first: only their runner resumes the call. Empty if the runner belongs to no agent. */
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
  /** The receipt that came with the call. It has not been checked. */
  readonly receipt?: string | undefined;
}

/** The answer of an approver. Anything else denies. */
export type ApprovalAnswer =
  | { readonly decision: "approved"; readonly approvalId: string }
  | {
      readonly decision: "denied";
      readonly reason?: string | undefined;
      /** The approval that somebody refused. Absent where nobody was asked, or nobody answered. */
      readonly approvalId?: string | undefined;
      /** The name of whoever refused it. It is recorded, and the model does not read it. */
      readonly by?: string | undefined;
    }
  /** Somebody will answer later: the call is denied, and `resume(approvalId)` runs it then. The model reads the reason. */
  | {
      readonly decision: "pending";
      readonly approvalId: string;
      readonly reason?: string | undefined;
    };

/** An approval as its approver kept it, whichever process asked for it. */
export interface FoundApproval {
  readonly id: string;
  readonly question: ApprovalQuestion;
  readonly answer?:
    | {
        readonly decision: string;
        readonly reason?: string | undefined;
        readonly by?: string | undefined;
      }
    | undefined;
}

/** Lifts denials, each for one run, once. */
export interface Approver {
  readonly name: string;
  /**
   * Asks for a denial to be lifted. It may take as long as a human does; `signal` aborts when the caller gives up.
   *
   * A run that is resumed is asked all over again. For the very question that
   * was approved and not used, the answer is that approval: otherwise a call with
   * two denials to lift would never end.
   */
  readonly ask: (
    question: ApprovalQuestion,
    options: { readonly signal: AbortSignal },
  ) => Awaitable<ApprovalAnswer>;
  /** Loads the question of an approval that was given and not used; undefined if there is none. */
  readonly recall: (approvalId: string) => Awaitable<ApprovalQuestion | undefined>;
  /** Tells what became of an approval. With it, a call whose approval was refused is denied when it is resumed, for the reason that was given; without it, that is an error. */
  readonly read?:
    | ((approvalId: string) => Awaitable<{
        readonly state: string;
        readonly record?: Partial<FoundApproval> | undefined;
      }>)
    | undefined;
  /**
   * Uses an approval up, just before the tool runs. It answers true, or who gave
   * the approval, exactly once, and only if the approval was given for this very
   * question and has not expired.
   */
  readonly consume: (
    approvalId: string,
    question: ApprovalQuestion,
  ) => Awaitable<boolean | { readonly by: string }>;
  readonly close?: (() => Awaitable<void>) | undefined;
}
