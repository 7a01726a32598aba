/** The options of a runner that a host may give, and `describe`. */
export const hostOptions: readonly string[] = [
  "guardrails",
  "observers",
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
