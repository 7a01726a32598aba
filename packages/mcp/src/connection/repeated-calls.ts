import type { ApprovalAnswer, ApprovalQuestion, Approver } from "@toolstile/core";
import { digest } from "@toolstile/core/digest";
import { ownValue, type ReadableApprover, WaitingCalls } from "@toolstile/core/host";

/**
 * An approver that knows a call again which the client repeats, under another id, because it waits for an approval.
 *
 * A client of MCP cannot resume a call: it calls again. While the first question
 * is open no other is asked; a refusal stays one; and a grant is used once, by a
 * call that is the same but for its id.
 */
export function forRepeatedCalls(approver: ReadableApprover): Approver {
  /** The open approvals, by what was asked about. */
  const asked = new WaitingCalls<string>();
  return {
    name: approver.name,
    async ask(question, options) {
      const key = keyOf(question);
      const approvalId = key === undefined ? undefined : asked.get(key);
      const known = approvalId === undefined ? undefined : await standing(approver, approvalId);
      if (known !== undefined) return known;
      const answer = await approver.ask(question, options);
      const id = ownValue(answer, "approvalId");
      if (key !== undefined && typeof id === "string") asked.set(key, id);
      return answer;
    },
    recall: (approvalId) => approver.recall(approvalId),
    async consume(approvalId, question) {
      const key = keyOf(question);
      const first = await approver.recall(approvalId);
      // The grant is for the question that was shown, which is the same but for its call.
      const isRepeated = first !== undefined && key !== undefined && keyOf(first) === key;
      const used = await approver.consume(approvalId, isRepeated ? first : question);
      if (used !== false && key !== undefined) asked.delete(key);
      return used;
    },
  };
}

/** The answer that an approval which was asked for has by now; `undefined` where it can no longer help. */
async function standing(
  approver: ReadableApprover,
  approvalId: string,
): Promise<ApprovalAnswer | undefined> {
  if ((await approver.recall(approvalId)) !== undefined)
    return { decision: "approved", approvalId };
  const standing = await approver.read?.(approvalId);
  switch (standing?.state) {
    case "pending":
      return { decision: "pending", approvalId };
    case "denied": {
      const reason = ownValue(ownValue(ownValue(standing, "record"), "answer"), "reason");
      return { decision: "denied", reason: typeof reason === "string" ? reason : undefined };
    }
    default:
      return undefined;
  }
}

/** One text for what a human was asked about: everything but the ids of run and call, and the trace. `undefined` for what JSON cannot hold. */
function keyOf(question: ApprovalQuestion): string | undefined {
  const { runId: _, callId: __, turnId: ___, context, ...shown } = question;
  const { traceparent: ____, ...facts } = context;
  try {
    return digest(JSON.parse(JSON.stringify({ ...shown, context: facts })));
  } catch {
    return undefined;
  }
}
