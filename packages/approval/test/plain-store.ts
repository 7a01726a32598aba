import type { ApprovalRecord, AskedApproval } from "../src/record/record.js";
import { isOver } from "../src/record/state.js";
import type { ApprovalStore } from "../src/store/store.js";

interface Row {
  record: ApprovalRecord;
  isWithdrawn: boolean;
}

/** A store as simple as one can be: a list, of which each method looks at all. It ignores what is sought. */
export function plainStore({ graceMs }: { readonly graceMs: number }): ApprovalStore {
  let rows: Row[] = [];
  let ran: AskedApproval[] = [];

  const isThere = ({ record, isWithdrawn }: Row) => !isWithdrawn && !isOver(record);
  const openAt = (now: number) => rows.filter((row) => isThere(row) && now < row.record.expiresAt);
  const find = (id: string) => rows.find((row) => row.record.id === id && !row.isWithdrawn);

  return {
    add(asked, { maxOpen, now }) {
      const isKept = ({ expiresAt }: AskedApproval) => expiresAt + graceMs > now;
      rows = rows.filter(({ record }) => isKept(record));
      ran = ran.filter(isKept);
      if (openAt(now).length >= maxOpen) return false;
      rows.push({ record: { ...asked, answer: undefined, used: false }, isWithdrawn: false });
      return true;
    },
    read: (id) => find(id)?.record,
    list: (now) => ({ records: openAt(now).map(({ record }) => record), damaged: [] }),
    refused: (now) =>
      rows
        .map(({ record }) => record)
        .filter((record) => record.answer?.decision === "denied" && now < record.expiresAt),
    answer(id, answer) {
      const row = find(id);
      if (row === undefined || row.record.answer !== undefined) return false;
      if (!(answer.at < row.record.expiresAt)) return false;
      row.record = { ...row.record, answer };
      return true;
    },
    consume(id, binding, now) {
      const row = find(id);
      if (row === undefined || row.record.used || row.record.binding !== binding) return false;
      if (row.record.answer?.decision !== "approved" || !(now < row.record.expiresAt)) return false;
      row.record = { ...row.record, used: true };
      ran.push(row.record);
      return true;
    },
    hasUsed: (runId) => ran.some(({ question }) => question.runId === runId),
    withdraw(id) {
      const row = find(id);
      if (row !== undefined && isThere(row)) row.isWithdrawn = true;
    },
  };
}
