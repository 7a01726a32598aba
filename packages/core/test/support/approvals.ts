import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  type Approver,
  deny,
  type GuardrailProvider,
} from "../../src/index.js";
import type { Awaitable } from "../../src/provider/index.js";

export const approval = { summary: "Pay 99 EUR" };

/** Denies what can be lifted. */
export function gate(name = "gate", code = "needs_approval"): GuardrailProvider {
  return { name, evaluate: () => deny("payments need an approval", { code, approval }) };
}

interface ScriptedApprover extends Approver {
  readonly asked: ApprovalQuestion[];
  readonly consumed: [string, ApprovalQuestion][];
}

export function approver(
  answer: (question: ApprovalQuestion, signal: AbortSignal) => Awaitable<ApprovalAnswer>,
  consume: () => Awaitable<boolean | { readonly by: string }> = () => true,
): ScriptedApprover {
  const asked: ApprovalQuestion[] = [];
  const consumed: [string, ApprovalQuestion][] = [];
  return {
    name: "human",
    asked,
    consumed,
    ask: (question, { signal }) => {
      asked.push(question);
      return answer(question, signal);
    },
    recall: () => asked[0],
    consume: (id, question) => {
      consumed.push([id, question]);
      return consume();
    },
  };
}

export const approves = (): ApprovalAnswer => ({ decision: "approved", approvalId: "a1" });
export const request = { name: "pay", arguments: { cents: 9900 }, callId: "c1" };
