export type { ApprovalAnswer } from "./approval-answer.js";
export type { AnswerableApprover, ApprovalInterrupt } from "./approval-interrupts.js";
export type { GuardableTool } from "./declaration.js";
export type { DescribedCall, HostFacts } from "./describe-call.js";
export type { GuardOptions } from "./guarded-calls.js";
export { GuardedToolNode, type GuardedToolNodeOptions } from "./guarded-tool-node.js";
export { GuardrailViolation } from "./guardrail-violation.js";
export {
  type GuardrailsMiddlewareOptions,
  guardrailsMiddleware,
  type HookRuntime,
  inputRailsMiddleware,
  type OneSidedRailsOptions,
  outputRailsMiddleware,
} from "./guardrails-middleware.js";
export type { RailsChecker, RailsSource } from "./rails.js";
export { type ToolGuardrailsOptions, toolGuardrails } from "./tool-guardrails.js";
