import type { Call, Scope } from "./call.js";
import { canonicalJson } from "./canonical.js";
import { deadline } from "./clock.js";
import type { Judgement } from "./judgement.js";
import { type Grant, grantOf, lifts, type Shown, shownOf } from "./lifted.js";
import { quoted } from "./naming.js";
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
  DecisionRecord,
  JsonObject,
} from "./protocol.js";
import type { Run } from "./run.js";
import { canTrustAwait, isThenable } from "./thenable.js";

/** One call's denials that are lifted one after the other; more than these are none of a human's business. */
const mostLifted = 8;
/** Longer reasons are cut: the model reads them. */
const longestReason = 2_000;

/** 5. Ask for the denial to be lifted. No deadline runs and nothing is held while a human thinks. */
export async function askApprover(run: Run, denial: Judgement): Promise<void> {
  const approver = run.settings.approver as Approver;
  const question = questionOf(run, shownOf(denial, "core"));
  if (run.grants.length >= mostLifted) {
    refuse(run, denial, "too many denials of it would have to be lifted");
    return;
  }
  const args = canonicalJson(question.args);
  if (run.grants.some((grant) => lifts(grant, question, args))) {
    // Guards that are asked as one said more than this against the call.
    refuse(run, denial, "its approval is not enough to lift it");
    return;
  }
  let answer: ApprovalAnswer | undefined;
  try {
    answer = readAnswer(
      await untilAborted(run.scope, approver.ask(question, { signal: run.scope.signal })),
    );
  } catch (error) {
    run.scope.report(approver.name, "approval", error);
  }
  if (run.aborted) return;
  if (answer === undefined) {
    refuse(run, denial, "an approval could not be asked for");
  } else if (answer.decision === "approved") {
    run.grants.push(grantOf(answer.approvalId, question));
  } else if (answer.decision === "denied") {
    refuse(run, denial, answer.reason || "the approval was refused");
  } else {
    refuse(run, denial, "an approval has been asked for", answer.approvalId);
  }
}

/** 6. Use up what lifted the denials. One that is not there any more, or was given for something else, denies. */
export async function consumeGrants(run: Run, grants: readonly Grant[]): Promise<void> {
  const approver = run.settings.approver as Approver;
  for (const grant of grants) {
    let used: UsedGrant | undefined;
    try {
      const question = questionOf(run, grant);
      used = usedGrant(
        await inTime(
          run.scope,
          untilAborted(run.scope, approver.consume(grant.approvalId, question)),
        ),
      );
    } catch (error) {
      run.scope.report(approver.name, "approval", error);
    }
    if (run.aborted) return;
    if (used !== undefined && canTrustAwait()) {
      run.records.push(usedRecord(approver.name, grant.approvalId, used));
      continue;
    }
    run.ending = {
      status: "denied",
      basis: "approval",
      decidedBy: approver.name,
      code: "approval_not_valid",
      reason: `the approval for tool ${quoted(run.toolName)} has been used, has expired, or was given for another call`,
      replacement: undefined,
      approvalId: undefined,
    };
    return;
  }
}

/** Who gave what was used, where the approver says so. */
interface UsedGrant {
  readonly by: string | undefined;
}

/** Nothing, where it was not used. */
function usedGrant(said: unknown): UsedGrant | undefined {
  if (said === true) return { by: undefined };
  if (typeof said !== "object" || said === null || !Object.hasOwn(said, "by")) return undefined;
  const { by } = said as { readonly by: unknown };
  return typeof by === "string" && by !== "" ? { by } : undefined;
}

/** For whoever asks later who let this run. */
function usedRecord(provider: string, approvalId: string, { by }: UsedGrant): DecisionRecord {
  const given = `approval ${quoted(approvalId)}`;
  const reason = by === undefined ? given : `${given} by ${quoted(by)}`;
  return Object.freeze({ provider, phase: "admit", decision: "allow", basis: "approval", reason });
}

function questionOf(run: Run, denial: Shown): ApprovalQuestion {
  const call = run.call as Call;
  const { runId, turnId, callId, toolName, requestedName, agentName, context, args, receipt } =
    call;
  const { provider, code, reason, approval } = denial;
  return Object.freeze({
    runId,
    turnId,
    callId,
    toolName,
    requestedName,
    agentName,
    runnerAgents: run.settings.agents,
    context,
    args,
    askedArgs: run.askedArgs as JsonObject,
    provider,
    code,
    reason,
    approval,
    policyVersion: run.policyVersion,
    receipt,
  });
}

function refuse(run: Run, denial: Judgement, why: string, approvalId?: string): void {
  run.ending = {
    status: "denied",
    basis: "approval",
    decidedBy: denial.decidedBy ?? "core",
    code: denial.code,
    reason: `${denial.reason ?? "policy violation"}; ${why}`.slice(0, longestReason),
    replacement: denial.replacement,
    approvalId,
  };
}

/** An answer by its own members, or nothing for what is none. */
function readAnswer(answer: unknown): ApprovalAnswer | undefined {
  if (typeof answer !== "object" || answer === null || !canTrustAwait()) return undefined;
  const { decision, approvalId, reason }: Record<string, unknown> = Object.assign(
    Object.create(null),
    answer,
  );
  switch (decision) {
    case "approved":
    case "pending":
      return typeof approvalId === "string" && approvalId !== ""
        ? { decision, approvalId }
        : undefined;
    case "denied":
      return { decision, reason: typeof reason === "string" ? reason : undefined };
    default:
      return undefined;
  }
}

/** What a promise brings, or nothing where the caller gives up before. */
export function untilAborted({ caller }: Scope, answer: unknown): Promise<unknown> {
  if (caller === undefined || !isThenable(answer)) return Promise.resolve(answer);
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    const over = (): void => caller.removeEventListener("abort", leave);
    if (caller.aborted) leave();
    caller.addEventListener("abort", leave, { once: true });
    Promise.resolve(answer).then(resolve, reject).finally(over);
  });
}

/** What a promise brings, within the time that a guard has. */
export function inTime({ clock, timeoutMs }: Scope, answer: unknown): Promise<unknown> {
  if (!isThenable(answer)) return Promise.resolve(answer);
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`No answer within ${timeoutMs} ms.`));
    const cancel = deadline(clock, timeoutMs, late);
    Promise.resolve(answer).then(resolve, reject).finally(cancel);
  });
}

/** What the engine takes for an approver. */
export function isApprover(value: unknown): value is Approver {
  const { name, ask, recall, consume } = Object(value) as Partial<Approver>;
  const questions = [ask, recall, consume];
  return (
    typeof name === "string" && name !== "" && questions.every((each) => typeof each === "function")
  );
}
