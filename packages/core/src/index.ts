export type { CallRequest, RunOptions } from "./call/request.js";
export { toolResult } from "./call/result.js";
export { textOf } from "./call/text.js";
export { ToolstileError } from "./errors/error.js";
export { allowAll, forTools, shared, when, withTimeout } from "./guard/combinators.js";
export { chain } from "./guard/compose.js";
export type { Guardrail } from "./guard/define.js";
export { failOpen } from "./guard/fail-open.js";
export { type LiveChain, liveChain } from "./guard/live-chain.js";
export { parallel } from "./guard/parallel.js";
export { shadow } from "./guard/shadow.js";
export { allow, deny, modify, rewrite } from "./guard/verdicts.js";
export type { ApprovalAnswer, ApprovalQuestion, Approver } from "./protocol/approval.js";
export type {
  Allow,
  CallContext,
  CallEnd,
  ContentPart,
  Deny,
  GuardrailProvider,
  GuardrailResult,
  JsonObject,
  JsonValue,
  Modify,
  ResultDecision,
  ResultGuardrail,
  Rewrite,
  SettledCall,
  ToolCall,
  ToolContent,
  ToolDefinition,
  ToolResult,
  Withhold,
} from "./protocol/guardrail.js";
export type {
  CallRecord,
  DecisionRecord,
  OutcomeStatus,
  ToolObserver,
  ToolOutcome,
} from "./protocol/outcome.js";
export { throwOnDeny } from "./run/outcome.js";
export type { Fault } from "./runner/faults.js";
export type { ToolRunnerOptions } from "./runner/options.js";
export { ToolRunner } from "./runner/runner.js";
export type { Clock } from "./time/clock.js";
export { type CallOf, forTool, type ToolGuard, type ToolResultGuard } from "./tool/for-tool.js";
export { type Tool, type ToolContext, tool } from "./tool/tool.js";
export type { ToolArguments } from "./tool/tool-arguments.js";
export type { ToolName } from "./tool/tool-name.js";
