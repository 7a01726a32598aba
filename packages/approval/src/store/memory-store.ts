import { expiryOf } from "../record/approval-id.js";
import type { ApprovalRecord } from "../record/record.js";
import { ApprovalIndex } from "./approval-index.js";
import { ExpiryQueue } from "./expiry-queue.js";
import { Multimap } from "./multimap.js";
import { isSought, keysOf, mostOf, type Sought, soughtKey } from "./sought.js";
import type { ApprovalStore } from "./store.js";
import { Watchers } from "./watchers.js";

/** So many that are over are remembered; to forget one is to ask somebody anew, not to allow. */
const mostClosed = 10_000;

/**
 * Keeps approvals in this process: what is pending when it ends is denied.
 *
 * The last 10,000 that were denied or used are remembered. Expired ones are forgotten.
 */
export function memoryStore(): ApprovalStore {
  const open = new Map<string, ApprovalRecord>();
  const index = new ApprovalIndex();
  const expiring = new ExpiryQueue();
  const closed = new Map<string, ApprovalRecord>();
  const refusedOfCall = new Multimap<string>();
  const used = new Set<string>();
  const watchers = new Watchers();

  function forget(id: string): void {
    open.delete(id);
    index.delete(id);
  }

  function close(record: ApprovalRecord): void {
    forget(record.id);
    closed.set(record.id, Object.freeze(record));
    if (!record.used) refusedOfCall.add(keysOf(record).call, record.id);
    if (closed.size <= mostClosed) return;
    const [oldest] = closed.values() as Iterable<ApprovalRecord> as [ApprovalRecord];
    closed.delete(oldest.id);
    refusedOfCall.delete(keysOf(oldest).call, oldest.id);
  }

  function sweep(now: number): void {
    for (const id of expiring.take((each) => expiryOf(each) <= now)) forget(id);
  }

  /** The ids of all that may be sought, and of few others. */
  function idsOf(sought: Sought): Iterable<string> {
    return "id" in sought ? [sought.id] : index.find(...soughtKey(sought));
  }

  return Object.freeze<ApprovalStore>({
    add(asked, { maxOpen, now }) {
      sweep(now);
      if (open.size >= maxOpen || open.has(asked.id)) return false;
      open.set(asked.id, Object.freeze({ ...asked, answer: undefined, used: false }));
      index.add(asked.id, keysOf(asked));
      expiring.add(asked.id);
      expiring.trim(open);
      return true;
    },
    read: (id) => open.get(id) ?? closed.get(id),
    list(now, sought) {
      sweep(now);
      if (sought === undefined) return { records: [...open.values()], damaged: [] };
      const records: ApprovalRecord[] = [];
      for (const id of idsOf(sought)) {
        if (records.length >= mostOf(sought)) break;
        const record = open.get(id);
        if (record !== undefined && isSought(record, sought)) records.push(record);
      }
      return { records, damaged: [] };
    },
    refused(now, sought) {
      const ids = sought === undefined ? closed.keys() : refusedOfCall.of(soughtKey(sought)[1]);
      const records = Array.from(ids, (id) => closed.get(id) as ApprovalRecord);
      return records.filter((record) => !record.used && now < record.expiresAt);
    },
    answer(id, answer) {
      const record = open.get(id);
      if (record === undefined || record.answer !== undefined) return false;
      if (!(answer.at < record.expiresAt)) return false;
      const answered = { ...record, answer: Object.freeze({ ...answer }) };
      if (answer.decision === "approved") {
        open.set(id, Object.freeze(answered));
        index.approve(id);
      } else close(answered);
      watchers.wake(id);
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
    watch: (id, wake) => watchers.add(id, wake),
    withdraw(id) {
      forget(id);
      watchers.wake(id);
    },
  });
}
