import { optionError } from "@toolstile/core/provider";
import type { ApprovalRecord } from "./record.js";

export type ApprovalState = "pending" | "approved" | "denied" | "used" | "expired";

/**
 * The state of an approval at a time, in milliseconds since the epoch.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what is no approval.
 */
export function stateOf(record: ApprovalRecord, now: number): ApprovalState {
  if (typeof (record as ApprovalRecord | undefined)?.used !== "boolean") {
    throw optionError("stateOf()", "record", "an approval, as a store has it", record);
  }
  if (record.used) return "used";
  if (record.answer?.decision === "denied") return "denied";
  if (!(now < record.expiresAt)) return "expired";
  return record.answer === undefined ? "pending" : "approved";
}

/** True if it takes no answer and grants nothing any more, whatever the time is. */
export function isOver({ used, answer }: ApprovalRecord): boolean {
  return used || answer?.decision === "denied";
}
