import type { Scope } from "../call/caller.js";
import type { Call, UnreadCall } from "../call/head.js";
import type { Permit } from "../call/permit.js";
import type { GuardsByPhase } from "../guard/by-phase.js";
import type { Grant, Grants, LiftableDenial } from "../guard/grants.js";
import type { Rules } from "../guard/live-chain.js";
import { Records } from "../guard/records.js";
import type { ApprovalQuestion, Approver } from "../protocol/approval.js";
import type { JsonObject, SettledCall, ToolContent, ToolResult } from "../protocol/guardrail.js";
import type { Basis, CallRecord, ToolObserver, ToolOutcome } from "../protocol/outcome.js";
import type { ReceiptSigner } from "../protocol/receipt.js";
import type { RegisteredTool, ToolRegistry } from "../tool/registry.js";
import type { OpenCalls } from "./open-calls.js";

/** The refusal of an approval, by a human. */
export interface Refusal {
  readonly approvalId: string;
  readonly question: ApprovalQuestion;
  readonly reason: string | undefined;
  readonly by: string | undefined;
}

/** The mode in which one call is run. Every field is required: a missing one could be inherited from a polluted prototype. */
export interface RunMode {
  /** True if an abort rejects; false if it is an outcome like others. */
  readonly rejects: boolean;
  readonly turnId: string | undefined;
  /** The ids that the turn has had so far. */
  readonly seen: Set<string> | undefined;
  /** The function that runs in place of the tool's own, for a wrapped executor. */
  readonly execute: RegisteredTool["execute"];
  /** The run that is resumed, and the approval that it is resumed with, or that was refused. */
  readonly resumed:
    | { readonly runId: string; readonly grant: Grant; readonly refusal: undefined }
    | { readonly runId: string; readonly grant: undefined; readonly refusal: Refusal }
    | undefined;
}

/** The parts of a runner that its runs use. */
export interface RunnerContext {
  /** The tools, of which a parent may be given others. A getter of this object itself would cost as much as a guard. */
  readonly tools: { readonly registry: ToolRegistry };
  /** Returns the tool's own name for a requested name. */
  readonly resolve: (requestedName: string) => string;
  readonly agentName: string | undefined;
  readonly observers: readonly ToolObserver[];
  readonly receiptSigner: ReceiptSigner | undefined;
  readonly approver: Approver | undefined;
  /** The names of the agents that the runner belongs to, outermost first. */
  readonly agents: readonly string[];
  readonly openCalls: OpenCalls;
  /** The version of the rules that are in force now. */
  readonly policyVersion: () => string | undefined;
  readonly observed: () => boolean;
  /** Tells the listeners. */
  readonly emit: (run: EndedRun) => void;
  readonly closed: () => boolean;
  /** False if the list of tools could not be read: a tool that is not known may exist. */
  readonly knowsTools: () => boolean;
}

/** The end of a run before its tool was run, or instead of its tool's answer. */
export type Stop =
  | { readonly status: "invalid" | "not_found"; readonly code: string; readonly reason: string }
  | {
      readonly status: "denied" | "withheld";
      readonly basis: Basis;
      readonly decidedBy: string;
      readonly code: string | undefined;
      readonly reason: string;
      readonly replacement: ToolContent | undefined;
      readonly approvalId: string | undefined;
    }
  | { readonly status: "aborted"; readonly executed: false | "unknown" }
  | { readonly status: "unknown" | "released" };

/** The answer of a tool, or what is known instead of one. */
export type ToolAnswer =
  | { readonly value: unknown }
  | { readonly error: unknown }
  | { readonly released: true }
  | { readonly unused: true }
  | { readonly unknown: true };

/** The values that a run is built from: the request as intake has read it. */
export interface Intake {
  /** The call as it was asked for. */
  readonly head: Call | UnreadCall;
  readonly tool: RegisteredTool | undefined;
  readonly guards: GuardsByPhase;
  /** The call's id may be open once in this scope: its session, or the turn that the host names. */
  readonly idSpace: string | undefined;
  /** True if an earlier call of the same turn has its id. */
  readonly repeatedId: boolean;
  /** True if the model gave no id. */
  readonly mintedId: boolean;
}

/** One call, from asked to over. Each step takes it as one of the views below. */
export class Run {
  readonly runner: RunnerContext;
  readonly mode: RunMode;
  readonly scope: Scope;
  readonly intake: Intake;
  readonly policyVersion: string | undefined;
  readonly records: Records;
  /** The exchangeable rules that it began under. */
  rules: readonly Rules[] = none;
  /** The call as it now stands. Absent: its arguments could not be read. */
  call: Call | undefined = undefined;
  askedArgs: JsonObject | undefined = undefined;
  modifiedBy: readonly string[] = none;
  grants: Grants | undefined = undefined;
  /** A denial that an approver may lift. */
  liftable: LiftableDenial | undefined = undefined;
  permit: Permit | undefined = undefined;
  /** The reason why the run ends without its tool's answer. */
  stop: Stop | undefined = undefined;
  answered: ToolAnswer | undefined = undefined;
  result: ToolResult | undefined = undefined;
  /** True if a guard changed the result. */
  rewritten = false;
  outcome: ToolOutcome | undefined = undefined;
  /** The outcome whose result bears the signer's receipt. */
  signed: ToolOutcome | undefined = undefined;
  /** True if it has counted among the open calls since it was opened. */
  isOpen = false;
  readonly askedAt: number;
  dispatchedAt: number | undefined = undefined;
  settledAt: number | undefined = undefined;

  constructor(runner: RunnerContext, mode: RunMode, scope: Scope, intake: Intake) {
    this.runner = runner;
    this.mode = mode;
    this.scope = scope;
    this.intake = intake;
    this.records = new Records(intake.guards.allowed);
    this.policyVersion = runner.policyVersion();
    this.askedAt = scope.terms.clock.now();
  }

  get aborted(): boolean {
    return this.scope.aborted;
  }

  /** The call as guards and the signer see it after its end. */
  get settled(): SettledCall {
    return this.call ?? this.intake.head;
  }

  record(): CallRecord {
    const { head, tool } = this.intake;
    return Object.freeze({
      runId: head.runId,
      turnId: head.turnId,
      callId: head.callId,
      requestedName: head.requestedName,
      toolName: tool?.definition.name,
      askedArgs: this.askedArgs,
      args: this.call?.args,
      agentName: head.agentName,
      context: head.context,
      policyVersion: this.policyVersion,
      decisions: this.outcome?.decisions ?? this.records.list,
      outcome: this.outcome,
      times: Object.freeze({
        askedAt: this.askedAt,
        dispatchedAt: this.dispatchedAt,
        settledAt: this.settledAt,
      }),
    });
  }
}

// A setter that is planted on the root prototype must not swallow that a run is stopped.
Object.setPrototypeOf(Run.prototype, null);

const none: readonly never[] = Object.freeze([]);

/** A run whose arguments have been read. */
export type ReadRun = Run & { call: Call; askedArgs: JsonObject };
/** A run that has passed every step before the tool. */
export type PermittedRun = ReadRun & { permit: Permit };
/** A run whose tool has answered. */
export type AnsweredRun = ReadRun & { result: ToolResult };
/** A run that is over. */
export type EndedRun = Run & { outcome: ToolOutcome };

export function isRead(run: Run): run is ReadRun {
  return run.call !== undefined;
}

export function isPermitted(run: Run): run is PermittedRun {
  return run.permit !== undefined && run.stop === undefined;
}

export function isAnswered(run: Run): run is AnsweredRun {
  return run.result !== undefined;
}

export function isEnded(run: Run): run is EndedRun {
  return run.outcome !== undefined;
}
