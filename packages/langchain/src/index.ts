export type { ApprovalAnswer } from "./approval-answer.js";
export type { AnswerableApprover, ApprovalInterrupt } from "./approval-interrupts.js";
export type { GuardableTool } from "./declaration.js";
export type { DescribedCall, HostFacts } from "./facts.js";
export type { GuardOptions } from "./graph-calls.js";
export { GuardedToolNode, type GuardedToolNodeOptions } from "./guarded-tool-node.js";
export { type ToolGuardrailsOptions, toolGuardrails } from "./tool-guardrails.js";
