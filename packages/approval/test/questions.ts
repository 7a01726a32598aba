import type { ApprovalQuestion } from "@toolstile/core";
import { newApprovalId } from "../src/record/approval-id.js";
import { bindingOf, likenessOf, snapshotQuestion } from "../src/record/binding.js";
import type { AskedApproval } from "../src/record/record.js";

let runs = 0;

/** A question about a transfer; each has a run of its own. */
export function question(changes: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  const number = ++runs;
  return Object.freeze({
    runId: `run-${number}`,
    turnId: "turn-1",
    callId: `call-${number}`,
    toolName: "transfer",
    requestedName: "transfer",
    agentName: "payments",
    runnerAgents: ["payments"],
    context: {
      sessionId: "s1",
      principal: "ann",
      tenant: "acme",
      traceparent: "00-1",
      attributes: { desk: 7 },
    },
    args: { to: "Bob", amount: 9999 },
    askedArgs: { to: "Bob", amount: 9999 },
    provider: "limits",
    code: "over_limit",
    reason: "amounts above 100 need a yes",
    approval: { summary: "Pay Bob" },
    policyVersion: "2026-01",
    receipt: undefined,
    ...changes,
  });
}

/** The question with one leaf changed, for each leaf there is, by its name. */
export function flips(from: ApprovalQuestion): ReadonlyMap<string, ApprovalQuestion> {
  const { context } = from;
  return new Map<string, ApprovalQuestion>([
    ["runId", { ...from, runId: `${from.runId}x` }],
    ["turnId", { ...from, turnId: "turn-2" }],
    ["callId", { ...from, callId: "call-x" }],
    ["toolName", { ...from, toolName: "Transfer" }],
    ["requestedName", { ...from, requestedName: "Transfer" }],
    ["agentName", { ...from, agentName: undefined }],
    ["runnerAgents", { ...from, runnerAgents: [] }],
    ["sessionId", { ...from, context: { ...context, sessionId: "s2" } }],
    ["no sessionId", { ...from, context: { ...context, sessionId: undefined } }],
    ["principal", { ...from, context: { ...context, principal: "eve" } }],
    ["tenant", { ...from, context: { ...context, tenant: "other" } }],
    ["attributes", { ...from, context: { ...context, attributes: { desk: 8 } } }],
    ["args", { ...from, args: { to: "Bob", amount: 99990 } }],
    ["an argument more", { ...from, args: { ...from.args, cc: "Eve" } }],
    ["an argument's type", { ...from, args: { to: "Bob", amount: "9999" } }],
    ["askedArgs", { ...from, askedArgs: {} }],
    ["provider", { ...from, provider: "Limits" }],
    ["code", { ...from, code: "over_limits" }],
    ["no code", { ...from, code: undefined }],
    ["policyVersion", { ...from, policyVersion: "2026-02" }],
    ["reason", { ...from, reason: "another" }],
    ["summary", { ...from, approval: { summary: "Pay Eve" } }],
    ["receipt", { ...from, receipt: "r" }],
  ]);
}

/** The question as a store is given it. */
export function asked(from = question(), askedAt = 0, expiresAt = 1_000): AskedApproval {
  const { question: copy } = snapshotQuestion(from);
  return Object.freeze({
    id: newApprovalId(expiresAt),
    question: copy,
    binding: bindingOf(copy),
    likeness: likenessOf(copy),
    askedAt,
    expiresAt,
  });
}
