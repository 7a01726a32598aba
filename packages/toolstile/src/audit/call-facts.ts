import type { AuditRecord } from "@toolstile/audit-log/read";
import { ownText, ownValue } from "@toolstile/core/provider";

/** The status of a call that has an intent and no outcome: it is under way, or its process died. */
export const noOutcome = "no_outcome";

/** The last record of a call, as it stands in the log. */
export type CallRecord = AuditRecord["record"];

/** The facts of a call that a list shows. All of them come from the log: they are data, in any form that the log has. */
export interface CallFacts {
  /** When its record was written; null where the log has no time of which a date can be made. */
  readonly time: number | null;
  readonly runId: string;
  readonly session: string;
  readonly principal: string;
  /** The declared name; the requested one where no tool was found. */
  readonly tool: string;
  readonly status: string;
  /** The guard that stopped it; otherwise those that approved or modified it, or would have stopped it. */
  readonly decidedBy: string;
  readonly code: string;
  readonly reason: string;
  /** The approval that it waits for or that was refused, and who refused it; else empty. */
  readonly approval: string;
}

/** A decision, as a record has it. */
export interface DecisionFacts {
  readonly provider: string;
  readonly phase: string;
  readonly decision: string;
  readonly basis: string;
  /** `shadow` or `fail-open`; `lifted` for a denial that an approval lifted; else empty. */
  readonly mode: string;
  readonly code: string;
  readonly reason: string;
}

export function callFacts(record: CallRecord): CallFacts {
  const text = (key: string): string => ownText(record, key) ?? "";
  const status = record.kind === "intent" ? noOutcome : text("status") || "unreadable";
  const decisions = decisionsOf(record);
  const modifiedBy = texts(ownValue(record, "modifiedBy"));
  const liftedBy = decisions.filter(isUsedApproval);
  const isStopped = text("decidedBy") !== "";
  const rewritten = isStopped ? [] : decisions.filter(isRewrite);
  const advice = isStopped ? [] : decisions.filter(isAdvice);
  const deciders = new Set([
    ...liftedBy.map(({ provider }) => provider),
    ...modifiedBy,
    ...rewritten.map(({ provider }) => provider),
    ...advice.map(({ provider, mode }) => `${provider} (${mode})`),
  ]);
  const deciding =
    (isStopped ? undefined : liftedBy.at(-1)) ??
    rewritten.at(-1) ??
    decidingOne(record, text("decidedBy"), modifiedBy) ??
    advice.at(-1);
  return {
    time: isMoment(record.time) ? record.time : null,
    runId: text("runId"),
    session: ownText(ownValue(record, "session"), "id") ?? "",
    principal: text("principal"),
    tool: text("toolName") || text("requestedName"),
    status,
    decidedBy: text("decidedBy") || [...deciders].join(", "),
    code: text("code") || failureOf(text("errorType")) || (deciding?.code ?? ""),
    reason: text("reason") || deciding?.reason || (rewritten.length > 0 ? "result rewritten" : ""),
    approval: decisions.findLast(isAnswer)?.reason ?? "",
  };
}

/** The code of a failed call: the class of what its tool threw, if it threw anything. */
function failureOf(errorType: string): string {
  return errorType === "undefined" ? "tool_error" : errorType;
}

/** True for a time that a date can have. */
export function isMoment(time: unknown): time is number {
  return typeof time === "number" && Math.abs(time) <= 8.64e15;
}

/** The decisions of a record, in order. Values that are not objects are left out. */
export function decisionsOf(record: CallRecord): readonly DecisionFacts[] {
  const decisions = ownValue(record, "decisions");
  if (!Array.isArray(decisions)) return [];
  const all = decisions
    .filter((each) => typeof each === "object" && each !== null)
    .map((each: unknown): DecisionFacts => {
      const text = (key: string): string => ownText(each, key) ?? "";
      return {
        provider: text("provider"),
        phase: text("phase"),
        decision: text("decision"),
        basis: text("basis"),
        mode: text("mode"),
        code: text("code"),
        reason: text("reason"),
      };
    });
  const approved = all.findLastIndex(isUsedApproval);
  return all.map((each, index) =>
    each.decision === "deny" && each.mode === "" && index < approved
      ? { ...each, mode: "lifted" }
      : each,
  );
}

/** True for a decision that did not hold, and would have stopped or changed the call. */
function isAdvice({ mode, decision }: DecisionFacts): boolean {
  return mode === "fail-open" || (mode === "shadow" && decision !== "allow");
}

/** True for the use of an approval, the last decision before the tool. Its reason names who gave it. */
function isUsedApproval({ phase, decision, basis }: DecisionFacts): boolean {
  return phase === "admit" && decision === "allow" && basis === "approval";
}

/** True for a result that a guard cut or rewrote. */
function isRewrite({ phase, decision, mode }: DecisionFacts): boolean {
  return phase === "result" && decision === "modify" && mode === "";
}

/** True for the word of an approver that a call waits for an approval, or that one was refused. */
function isAnswer({ phase, decision, basis }: DecisionFacts): boolean {
  return phase === "call" && decision === "deny" && basis === "approval";
}

/** The last decision that bound: a shadow's never does, nor one that was lifted. */
function decidingOne(
  record: CallRecord,
  decidedBy: string,
  modifiedBy: readonly string[],
): DecisionFacts | undefined {
  const binding = decisionsOf(record).filter(({ mode }) => mode !== "shadow" && mode !== "lifted");
  return decidedBy === ""
    ? binding.findLast((each) => each.decision === "modify" && modifiedBy.includes(each.provider))
    : binding.findLast((each) => each.decision === "deny" && each.provider === decidedBy);
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
