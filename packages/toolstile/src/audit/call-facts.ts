import type { AuditRecord } from "@toolstile/audit-log";
import { own, ownText } from "../replay/own-property.js";

/** The status of a call that has an intent and no outcome: it is under way, or its process died. */
export const noOutcome = "no_outcome";

/** What a list says of a call. All of it comes from the log: it is data, in whatever form the log has it. */
export interface CallFacts {
  /** When its record was written; null where the log has no time of which a date can be made. */
  readonly time: number | null;
  readonly runId: string;
  readonly session: string;
  readonly principal: string;
  /** The declared name; the requested one where no tool was found. */
  readonly tool: string;
  readonly status: string;
  /** Who stopped it; or who lifted its denials, and who modified it. */
  readonly decidedBy: string;
  readonly code: string;
  readonly reason: string;
}

/** A decision, as a record has it. */
export interface DecisionFacts {
  readonly provider: string;
  readonly phase: string;
  readonly decision: string;
  readonly basis: string;
  /** `shadow` or `fail-open`; else empty. */
  readonly mode: string;
  readonly code: string;
  readonly reason: string;
}

export function callFacts({ record }: AuditRecord): CallFacts {
  const text = (key: string): string => ownText(record, key) ?? "";
  const status = record.kind === "intent" ? noOutcome : text("status") || "unreadable";
  const modifiedBy = texts(own(record, "modifiedBy"));
  const liftedBy = decisionsOf(record).filter(isUsedApproval);
  const lifters = new Set(liftedBy.map(({ provider }) => provider));
  const decidedBy = text("decidedBy") || [...lifters, ...modifiedBy].join(", ");
  const deciding =
    (text("decidedBy") === "" ? liftedBy.at(-1) : undefined) ??
    decidingOne(record, text("decidedBy"), modifiedBy);
  return {
    time: isMoment(record.time) ? record.time : null,
    runId: text("runId"),
    session: ownText(own(record, "session"), "id") ?? "",
    principal: text("principal"),
    tool: text("toolName") || text("requestedName"),
    status,
    decidedBy,
    code: text("code") || text("errorType") || (deciding?.code ?? ""),
    reason: deciding?.reason ?? "",
  };
}

/** Whether a date can be made of it. */
export function isMoment(time: unknown): time is number {
  return typeof time === "number" && Math.abs(time) <= 8.64e15;
}

/** Its decisions in their order; what is no object is left out. */
export function decisionsOf(record: AuditRecord["record"]): readonly DecisionFacts[] {
  const decisions = own(record, "decisions");
  if (!Array.isArray(decisions)) return [];
  return decisions
    .filter((each) => typeof each === "object" && each !== null)
    .map((each: unknown) => {
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
}

/** That an approval was used, last thing before the tool: its reason says whose. */
function isUsedApproval({ phase, decision, basis }: DecisionFacts): boolean {
  return phase === "admit" && decision === "allow" && basis === "approval";
}

/** The last decision that bound: a shadow's never does. */
function decidingOne(
  record: AuditRecord["record"],
  decidedBy: string,
  modifiedBy: readonly string[],
): DecisionFacts | undefined {
  const binding = decisionsOf(record).filter(({ mode }) => mode !== "shadow");
  return decidedBy === ""
    ? binding.findLast((each) => each.decision === "modify" && modifiedBy.includes(each.provider))
    : binding.findLast((each) => each.decision === "deny" && each.provider === decidedBy);
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
