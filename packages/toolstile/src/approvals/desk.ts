import type { Readable } from "node:stream";
import type { ApprovalRecord, ApprovalStore, Approvals } from "@toolstile/approval";
import type { Clock } from "@toolstile/core";

/** What the command takes of the process that runs it. */
export interface Surroundings {
  /** Where a yes is typed. */
  readonly input: () => Readable & { readonly isTTY?: boolean | undefined };
  /** Where `pg` is looked for. */
  readonly folder: string;
  /** Who is logged in. */
  readonly user: () => string;
  readonly clock: Clock;
}

/** An open store, and the time at which it is looked at. */
export interface Desk {
  readonly store: ApprovalStore;
  readonly approvals: Approvals;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The one that was named, then the others that wait for just the same. */
export async function pendingAlike(
  { id, likeness }: ApprovalRecord,
  { approvals }: Desk,
): Promise<readonly string[]> {
  const { records } = await approvals.list();
  const others = records.filter(
    (other) => other.answer === undefined && other.likeness === likeness && other.id !== id,
  );
  return [id, ...others.map((other) => other.id)];
}
