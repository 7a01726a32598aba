import type { ApprovalAnswer } from "@toolstile/core";
import type { ApprovalRecord, AskedApproval } from "../record/record.js";
import type { ApprovalStore } from "../store/store.js";
import { findOpen } from "./find-open.js";

/**
 * Those that are open of just this question, and so of its run.
 *
 * A run that is resumed is asked all over again, and meets denials that it met
 * before: what was approved of them must count, and no person be asked twice.
 */
export async function openOfQuestion(
  store: ApprovalStore,
  { question, binding }: Pick<AskedApproval, "question" | "binding">,
  now: number,
): Promise<readonly ApprovalRecord[]> {
  const open = await findOpen(store, { runId: question.runId }, now);
  return open.filter((record) => record.binding === binding);
}

/** The answer to one of them, or that one is pending. */
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
  for (const { id } of await findOpen(store, { runId }, now)) await store.withdraw(id);
}
