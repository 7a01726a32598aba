/** The options of a runner that a host may give, and `describe`. */
export const runnerOptions: readonly string[] = [
  "guardrails",
  "observers",
  "approver",
  "receiptSigner",
  "policyVersion",
  "unchecked",
  "timeoutMs",
  "limits",
  "maxOpenCalls",
  "onFault",
  "clock",
  "describe",
];
