import type { ApprovalRecord, ApprovalStore } from "./store.js";

/** So many that are over are remembered; to forget one is to ask somebody anew, not to allow. */
const mostClosed = 10_000;

/**
 * Keeps approvals in this process: what is pending when it ends is denied.
 *
 * Of what was denied or used, the last 10,000 are remembered. What expired is forgotten.
 */
export function memoryStore(): ApprovalStore {
  const open = new Map<string, ApprovalRecord>();
  const closed = new Map<string, ApprovalRecord>();
  const used = new Set<string>();

  function close(record: ApprovalRecord): void {
    open.delete(record.id);
    closed.set(record.id, Object.freeze(record));
    if (closed.size > mostClosed) closed.delete(closed.keys().next().value as string);
  }

  function sweep(now: number): void {
    for (const [id, { expiresAt }] of open) if (expiresAt <= now) open.delete(id);
  }

  return Object.freeze<ApprovalStore>({
    add(asked, { maxOpen, now }) {
      // Only what is in the way is looked at.
      if (open.size >= maxOpen) sweep(now);
      if (open.size >= maxOpen || open.has(asked.id)) return false;
      open.set(asked.id, Object.freeze({ ...asked, answer: undefined, used: false }));
      return true;
    },
    read: (id) => open.get(id) ?? closed.get(id),
    list(now) {
      sweep(now);
      return { records: [...open.values()], damaged: [] };
    },
    answer(id, answer) {
      const record = open.get(id);
      if (record === undefined || record.answer !== undefined) return false;
      if (!(answer.at < record.expiresAt)) return false;
      const answered = { ...record, answer: Object.freeze({ ...answer }) };
      if (answer.decision === "approved") open.set(id, Object.freeze(answered));
      else close(answered);
      return true;
    },
    consume(id, binding, now) {
      const record = open.get(id);
      if (record?.answer?.decision !== "approved" || record.binding !== binding) return false;
      if (!(now < record.expiresAt)) return false;
      close({ ...record, used: true });
      used.add(record.question.runId);
      if (used.size > mostClosed) used.delete(used.values().next().value as string);
      return true;
    },
    hasUsed: (runId) => used.has(runId),
    withdraw(id) {
      open.delete(id);
    },
  });
}
