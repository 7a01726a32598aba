import type { ApprovalRecord } from "../record/record.js";
import { isSought, type Sought } from "../store/sought.js";
import type { ApprovalStore } from "../store/store.js";

/** The open approvals that are sought: pending, or approved and not used yet. A store may give others with them. */
export async function findOpen(
  store: ApprovalStore,
  sought: Sought | undefined,
  now: number,
): Promise<readonly ApprovalRecord[]> {
  const { records } = await store.list(now, sought);
  return records.filter((record) => isSought(record, sought));
}
