import type { ApprovalRecord, ApprovalStore } from "./store.js";

/** Of so many runs it is remembered that a grant was used; to forget one is to ask somebody anew, not to allow. */
const mostUsed = 10_000;

/**
 * Keeps approvals in this process: what is pending when it ends is denied.
 *
 * What is denied, used or expired is forgotten, but for which runs were the last to use theirs.
 */
export function memoryStore(): ApprovalStore {
  const open = new Map<string, ApprovalRecord>();
  const used = new Set<string>();

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
    read: (id) => open.get(id),
    list(now) {
      sweep(now);
      return { records: [...open.values()], damaged: [] };
    },
    answer(id, answer) {
      const record = open.get(id);
      if (record === undefined || record.answer !== undefined) return false;
      if (!(answer.at < record.expiresAt)) return false;
      if (answer.decision === "approved") {
        open.set(id, Object.freeze({ ...record, answer: Object.freeze({ ...answer }) }));
      } else {
        open.delete(id);
      }
      return true;
    },
    consume(id, binding, now) {
      const record = open.get(id);
      if (record?.answer?.decision !== "approved" || record.binding !== binding) return false;
      if (!(now < record.expiresAt)) return false;
      open.delete(id);
      used.add(record.question.runId);
      if (used.size > mostUsed) used.delete(used.values().next().value as string);
      return true;
    },
    hasUsed: (runId) => used.has(runId),
    withdraw(id) {
      open.delete(id);
    },
  });
}
