export type {
  AnswerableApprover,
  ApprovalAnswer,
  ApprovalInterrupt,
} from "./approval-interrupts.js";
export type { GuardableTool } from "./declaration.js";
export type { DescribedCall, HostFacts } from "./describe-call.js";
export type { GuardOptions } from "./guarded-calls.js";
export { GuardedToolNode, type GuardedToolNodeOptions } from "./guarded-tool-node.js";
export { type ToolGuardrailsOptions, toolGuardrails } from "./tool-guardrails.js";
