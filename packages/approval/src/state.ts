import type { ApprovalRecord } from "./store.js";

export type ApprovalState = "pending" | "approved" | "denied" | "used" | "expired";

/** Where an approval stands at a time, in milliseconds since the epoch. */
export function stateOf(record: ApprovalRecord, now: number): ApprovalState {
  if (record.used) return "used";
  if (record.answer?.decision === "denied") return "denied";
  if (!(now < record.expiresAt)) return "expired";
  return record.answer === undefined ? "pending" : "approved";
}
