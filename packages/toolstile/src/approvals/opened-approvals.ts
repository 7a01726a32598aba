import type { ApprovalRecord, ApprovalStore, Approvals } from "@toolstile/approval";
import type { Clock } from "@toolstile/core";
import type { TypedInput } from "../terminal/confirm.js";

/** The parts of its process that the command uses. */
export interface ApprovalsHost {
  /** The stream that an answer is typed at. */
  readonly input: () => TypedInput;
  /** The folder whose `pg` is used. */
  readonly folder: string;
  /** The name of the user who is logged in. */
  readonly user: () => string;
  readonly clock: Clock;
}

/** An open store, and the time at which it is looked at. */
export interface OpenedApprovals {
  readonly store: ApprovalStore;
  readonly approvals: Approvals;
  /** The names of those who may answer. Absent: everybody. */
  readonly approvers: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The ids of this approval and of all others that wait for the same answer. */
export async function pendingAlike(
  { id, likeness }: ApprovalRecord,
  { store, now }: OpenedApprovals,
): Promise<readonly string[]> {
  const { records } = await store.list(now, { likeness });
  const others = records.filter(
    (other) => other.answer === undefined && other.likeness === likeness && other.id !== id,
  );
  return [id, ...others.map((other) => other.id)];
}
