import type { ApprovalAnswer, ApprovalQuestion, Approver } from "@toolstile/core";
import { digest } from "@toolstile/core/digest";
import { type ReadableApprover, WaitingCalls } from "@toolstile/core/host";
import { ownText, ownValue, quoted } from "@toolstile/core/provider";

/** The approval of a call that was asked about, and the answer once it is a no. */
interface Asked {
  readonly approvalId: string;
  readonly refusal?: ApprovalAnswer;
}

/** An approver for one connection, and what is done at its end. */
export interface RepeatedCalls {
  readonly approver: Approver;
  /** Takes back what was asked and is still open: no other connection makes these calls. */
  readonly end: () => Promise<void>;
}

/**
 * An approver that knows a call again which the client repeats, under another id, because it waits for an approval.
 *
 * A client of MCP cannot resume a call: it calls again. While the first question
 * is open no other is asked; a refusal stays one; and a grant is used once, by a
 * call that is the same but for its id. The model reads which of these it is.
 */
export function forRepeatedCalls(approver: ReadableApprover): RepeatedCalls {
  /** The questions that were asked, by their keys. */
  const asked = new WaitingCalls<Asked>();
  const repeated: Approver = {
    name: approver.name,
    async ask(question, options) {
      const key = keyOf(question);
      const before = key === undefined ? undefined : asked.get(key);
      const known = before && (before.refusal ?? (await standing(approver, before.approvalId)));
      const answer = known ?? worded(await approver.ask(question, options));
      const approvalId = ownValue(answer, "approvalId");
      if (key !== undefined && typeof approvalId === "string") {
        const isRefused = answer.decision === "denied";
        asked.set(key, isRefused ? { approvalId, refusal: answer } : { approvalId });
      }
      return answer;
    },
    recall: (approvalId) => approver.recall(approvalId),
    read: approver.read?.bind(approver),
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
  return {
    approver: repeated,
    async end() {
      const open = [...asked.values()].filter(({ refusal }) => refusal === undefined);
      asked.clear();
      for (const { approvalId } of open) await approver.withdraw?.(approvalId);
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
      return worded({ decision: "pending", approvalId });
    case "denied": {
      const answer = ownValue(ownValue(standing, "record"), "answer");
      const [reason, by] = [ownText(answer, "reason"), ownText(answer, "by")];
      return worded({ decision: "denied", reason, approvalId, by });
    }
    default:
      return undefined;
  }
}

/** The answer in words that tell the model if it is of use to make the call again. */
function worded(answer: ApprovalAnswer): ApprovalAnswer {
  const approvalId = ownValue(answer, "approvalId");
  if (typeof approvalId !== "string") return answer;
  switch (answer.decision) {
    case "pending": {
      const reason = `a person has been asked for approval ${quoted(approvalId)}. Once it is given, make this very call again: it then runs, once`;
      return { decision: "pending", approvalId, reason };
    }
    case "denied": {
      const said = answer.reason === undefined ? "" : ` and said why: ${answer.reason}`;
      const reason = `a person refused it${said}. This is final: do not make this call again`;
      return { decision: "denied", approvalId, reason, by: answer.by };
    }
    default:
      return answer;
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
