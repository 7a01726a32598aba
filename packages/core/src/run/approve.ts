import { quoted } from "../errors/names.js";
import {
  type Grant,
  Grants,
  grantOf,
  type LiftableDenial,
  type ShownDenial,
  shownDenial,
} from "../guard/grants.js";
import type { Denial } from "../guard/read-decision.js";
import type { ApprovalAnswer, ApprovalQuestion, Approver } from "../protocol/approval.js";
import type { DecisionRecord } from "../protocol/outcome.js";
import { within } from "../time/wait.js";
import { decide } from "./decide.js";
import type { ReadRun, Refusal, Run } from "./run.js";
import { abort, refuse } from "./stop.js";

/** The most denials of one call that can be lifted one after the other. A human should not be asked more often. */
const mostLifted = 8;
/** Longer reasons are cut: the model reads them. */
const longestReason = 2_000;
const refused = "the approval was refused";

/** Has liftable denials lifted, and decides again: all guards are asked again, from the arguments as asked. */
export function approve(run: ReadRun): Promise<void> | undefined {
  const { liftable, runner } = run;
  if (liftable === undefined || runner.approver === undefined) return undefined;
  return lift(run, liftable, runner.approver);
}

async function lift(run: ReadRun, denial: LiftableDenial, approver: Approver): Promise<void> {
  await ask(run, denial, approver);
  if (stopped(run)) return;
  run.call = run.call.with(run.askedArgs);
  await decide(run);
  if (!stopped(run)) await approve(run);
}

function stopped(run: ReadRun): boolean {
  if (run.aborted) abort(run, false);
  return run.stop !== undefined;
}

/** Asks the approver to lift the denial. No deadline runs and no quota is held while a human decides. */
async function ask(run: ReadRun, denial: LiftableDenial, approver: Approver): Promise<void> {
  run.grants ??= new Grants();
  const question = questionOf(run, shownDenial(denial, "core"));
  if (run.grants.count >= mostLifted) {
    deny(run, denial, "too many denials of it would have to be lifted");
    return;
  }
  if (run.grants.has(question, question.args)) {
    // Guards that are asked as one have more objections to the call than this.
    deny(run, denial, "its approval is not enough to lift it");
    return;
  }
  let answer: ApprovalAnswer | undefined;
  try {
    const { signal } = run.scope;
    const bounds = run.scope.bounds(Number.POSITIVE_INFINITY);
    answer = readAnswer((await within(bounds, approver.ask(question, { signal })))?.value);
  } catch (error) {
    run.scope.report(approver.name, "approval", error);
  }
  if (run.aborted) return;
  if (answer === undefined) {
    deny(run, denial, "an approval could not be asked for");
  } else if (answer.decision === "approved") {
    run.grants.add(grantOf(answer.approvalId, question));
  } else if (answer.decision === "denied") {
    const { approvalId, by } = answer;
    if (approvalId !== undefined) recordAnswer(run, approver.name, approvalId, "was refused", by);
    deny(run, denial, answer.reason || refused);
  } else {
    recordAnswer(run, approver.name, answer.approvalId, "is pending");
    deny(run, denial, answer.reason || "an approval has been asked for", answer.approvalId);
  }
}

/** Denies a call that is resumed after its approval was refused, as it was denied before: no guard is asked again. */
export function denyRefused(run: Run, { approvalId, question, reason, by }: Refusal): void {
  recordAnswer(run, run.runner.approver?.name ?? "core", approvalId, "was refused", by);
  const code = typeof question.code === "string" ? question.code : undefined;
  const denial = { code, reason: question.reason, decidedBy: question.provider };
  deny(run, denial, reason || refused);
}

/** Records which approval a call waits for, or who refused it. */
function recordAnswer(
  run: Run,
  provider: string,
  approvalId: string,
  state: "is pending" | "was refused",
  by?: string,
): void {
  const told = `approval ${quoted(approvalId)} ${state}`;
  const reason = by === undefined ? told : `${told} by ${quoted(by)}`;
  run.records.push(
    Object.freeze({ provider, phase: "call", decision: "deny", basis: "approval", reason }),
  );
}

function deny(
  run: Run,
  denial: Pick<Denial, "code" | "reason" | "decidedBy"> & Partial<Pick<Denial, "replacement">>,
  why: string,
  approvalId?: string,
): void {
  const { code, decidedBy, replacement } = denial;
  const reason = `${denial.reason}; ${why}`.slice(0, longestReason);
  refuse(run, "denied", "approval", code, reason, decidedBy, replacement, approvalId);
}

/**
 * Uses up the approvals that have lifted a denial of exactly what is now decided,
 * and the one that the run was resumed with: needed or not, it resumes one run, once.
 */
export function consume(run: ReadRun): Promise<void> | undefined {
  const { approver } = run.runner;
  if (run.grants === undefined || approver === undefined) return undefined;
  // In the order of the guards, for every way of resuming: of two runs that are resumed at once, neither must use up the approval that the other needs.
  const used = new Set(run.grants.used);
  if (run.mode.resumed?.grant !== undefined) used.add(run.mode.resumed.grant);
  return consumeAll(run, used, approver);
}

/** Uses up these approvals. One that is not there any more, or was given for another call, denies. */
async function consumeAll(
  run: ReadRun,
  grants: ReadonlySet<Grant>,
  approver: Approver,
): Promise<void> {
  for (const grant of grants) {
    let used: UsedGrant | undefined;
    try {
      const consumed = approver.consume(grant.approvalId, questionOf(run, grant));
      used = usedGrant((await within(run.scope.bounds(), consumed))?.value);
    } catch (error) {
      run.scope.report(approver.name, "approval", error);
    }
    if (run.aborted) return;
    if (used === undefined) {
      const reason = `the approval for tool ${quoted(run.call.toolName)} has been used, has expired, or was given for another call`;
      refuse(run, "denied", "approval", "approval_not_valid", reason, approver.name);
      return;
    }
    run.records.push(usedRecord(approver.name, grant.approvalId, used));
  }
}

/** An approval that was used, and the name of who gave it, if the approver says so. */
interface UsedGrant {
  readonly by: string | undefined;
}

/** Reads the answer of `consume`; undefined if the approval was not used. */
function usedGrant(answer: unknown): UsedGrant | undefined {
  if (answer === true) return { by: undefined };
  if (typeof answer !== "object" || answer === null || !Object.hasOwn(answer, "by")) {
    return undefined;
  }
  const { by } = answer as { readonly by: unknown };
  return typeof by === "string" && by !== "" ? { by } : undefined;
}

/** Records who approved the call. */
function usedRecord(provider: string, approvalId: string, { by }: UsedGrant): DecisionRecord {
  const given = `approval ${quoted(approvalId)}`;
  const reason = by === undefined ? given : `${given} by ${quoted(by)}`;
  return Object.freeze({ provider, phase: "admit", decision: "allow", basis: "approval", reason });
}

function questionOf(run: ReadRun, denial: ShownDenial): ApprovalQuestion {
  const { runId, turnId, callId, toolName, requestedName, agentName, context, args, receipt } =
    run.call;
  const { provider, code, reason, approval } = denial;
  return Object.freeze({
    runId,
    turnId,
    callId,
    toolName,
    requestedName,
    agentName,
    runnerAgents: run.runner.agents,
    context,
    args,
    askedArgs: run.askedArgs,
    provider,
    code,
    reason,
    approval,
    policyVersion: run.policyVersion,
    receipt,
  });
}

/** Reads an answer by its own members; undefined if it is not an answer. */
export function readAnswer(answer: unknown): ApprovalAnswer | undefined {
  const { decision, approvalId, reason, by }: Record<string, unknown> = Object.assign(
    Object.create(null),
    answer,
  );
  const id = typeof approvalId === "string" && approvalId !== "" ? approvalId : undefined;
  const why = typeof reason === "string" ? reason : undefined;
  switch (decision) {
    case "approved":
      return id === undefined ? undefined : { decision, approvalId: id };
    case "pending":
      return id === undefined ? undefined : { decision, approvalId: id, reason: why };
    case "denied":
      return {
        decision,
        reason: why,
        approvalId: id,
        by: typeof by === "string" && by !== "" ? by : undefined,
      };
    default:
      return undefined;
  }
}

/** True for an object with the members of an approver. */
export function isApprover(value: unknown): value is Approver {
  const { name, ask, recall, consume } = Object(value) as Partial<Approver>;
  const questions = [ask, recall, consume];
  return (
    typeof name === "string" && name !== "" && questions.every((each) => typeof each === "function")
  );
}
