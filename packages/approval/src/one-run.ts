import type { ApprovalAnswer } from "@toolstile/core";
import type { ApprovalRecord, ApprovalStore, AskedApproval } from "./store.js";

/** What is open of a run: pending, or approved and not used yet. */
async function openOfRun(
  store: ApprovalStore,
  runId: string,
  now: number,
): Promise<readonly ApprovalRecord[]> {
  const { records } = await store.list(now);
  return records.filter(({ question }) => question.runId === runId);
}

/**
 * Those that are open of just this question, and so of its run.
 *
 * A run that is resumed is asked all over again, and meets denials that it met
 * before: what was approved of them must count, and nobody be asked twice.
 */
export async function openOfQuestion(
  store: ApprovalStore,
  { question, binding }: Pick<AskedApproval, "question" | "binding">,
  now: number,
): Promise<readonly ApprovalRecord[]> {
  const open = await openOfRun(store, question.runId, now);
  return open.filter((record) => record.binding === binding);
}

/** What was answered to one of them, or that it is pending. */
export function knownAnswer(
  open: readonly ApprovalRecord[],
  mayAnswer: (by: string) => boolean,
): ApprovalAnswer | undefined {
  const approved = open.find(
    ({ answer }) => answer?.decision === "approved" && mayAnswer(answer.by),
  );
  if (approved !== undefined) return { decision: "approved", approvalId: approved.id };
  const pending = open.find(({ answer }) => answer === undefined);
  return pending && { decision: "pending", approvalId: pending.id };
}

/** A run that was told no is over: what else it was granted must not have somebody asked again. */
export async function withdrawRun(store: ApprovalStore, runId: string, now: number): Promise<void> {
  for (const { id } of await openOfRun(store, runId, now)) await store.withdraw(id);
}
