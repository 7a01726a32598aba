import type { ApprovalRecord, AskedApproval } from "../record/record.js";

/** The approvals that somebody looks for: one of them, or those that have something in common. */
export type Sought =
  | { readonly id: string }
  | { readonly runId: string }
  /** The pending ones that one answer may settle; no more than `enough`, if it is given. */
  | { readonly likeness: string; readonly enough?: number | undefined }
  | SoughtCall;

/** The call of an approval. In another session, its id may be another call's. */
export interface SoughtCall {
  readonly callId: string;
  readonly sessionId: string | undefined;
}

/** True for every one, if none in particular is sought. */
export function isSought(record: ApprovalRecord, sought: Sought | undefined): boolean {
  const { id, question, likeness, answer } = record;
  if (sought === undefined) return true;
  if ("id" in sought) return id === sought.id;
  if ("runId" in sought) return question.runId === sought.runId;
  if ("likeness" in sought) return answer === undefined && likeness === sought.likeness;
  return question.callId === sought.callId && question.context.sessionId === sought.sessionId;
}

/** The most that are sought. */
export function mostOf(sought: Sought | undefined): number {
  return (
    (sought !== undefined && "likeness" in sought && sought.enough) || Number.POSITIVE_INFINITY
  );
}

/** The keys by which an approval is found, but for its id. */
export interface ApprovalKeys {
  readonly run: string;
  readonly likeness: string;
  readonly call: string;
}

export function keysOf({ question, likeness }: AskedApproval): ApprovalKeys {
  const { runId, callId, context } = question;
  return { run: runId, likeness, call: callKeyOf({ callId, sessionId: context.sessionId }) };
}

/** The key of what is sought, and which of the keys it is. */
export function soughtKey(
  sought: Exclude<Sought, { id: string }>,
): readonly [keyof ApprovalKeys, string] {
  if ("runId" in sought) return ["run", sought.runId];
  if ("likeness" in sought) return ["likeness", sought.likeness];
  return ["call", callKeyOf(sought)];
}

function callKeyOf({ callId, sessionId }: SoughtCall): string {
  return JSON.stringify([sessionId ?? null, callId]);
}
