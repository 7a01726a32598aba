export { failOpen, shadow } from "./advisory.js";
export { CallerAbort } from "./caller-abort.js";
export { canonicalJson } from "./canonical.js";
export type { RefusedTool } from "./catalogue.js";
export { chain } from "./chain.js";
export type { Clock } from "./clock.js";
export { allowAll, forTools, shared, when, withTimeout } from "./combinators.js";
export { describeCall } from "./describe-call.js";
export { type ErrorCode, errorCodes, ToolstileError } from "./errors.js";
export {
  type EventName,
  type Fault,
  outcomeStatuses,
  type RunnerEvents,
  type SettledRecord,
} from "./events.js";
export {
  type Executor,
  type GuardExecutorOptions,
  type GuardedExecutor,
  guardExecutor,
} from "./executor.js";
export type { ForeseeOptions } from "./foresight.js";
export type { GuardedWorkbench, WorkbenchOptions } from "./guarded-workbench.js";
export type { JsonFaultCode, JsonLimits } from "./json.js";
export type { Predicate } from "./link.js";
export { type LiveChain, type LiveChainOptions, liveChain } from "./live-chain.js";
export { checkOptions, didYouMean, nearest, quoted } from "./naming.js";
export { throwOnDeny } from "./outcome.js";
export { guardWorkbench } from "./outer-workbench.js";
export type { ToolOverride } from "./overrides.js";
export { parallel } from "./parallel.js";
export { hasDuplicateKeys, type ParsedArguments, parseArguments } from "./parse.js";
export type { Permit } from "./permit.js";
export type {
  Allow,
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalRequest,
  Approver,
  Awaitable,
  Basis,
  CallContext,
  CallHead,
  CallRecord,
  CallTimes,
  ContentPart,
  DecisionRecord,
  Deny,
  GuardrailPlugin,
  GuardrailProvider,
  GuardrailResult,
  JsonObject,
  JsonValue,
  Metadata,
  Modify,
  OutcomeFacts,
  OutcomeStatus,
  ReceiptSigner,
  ResultBody,
  ResultDecision,
  ResultGuardrail,
  Rewrite,
  SettledCall,
  Stopped,
  ToolCall,
  ToolContent,
  ToolDefinition,
  ToolObserver,
  ToolOutcome,
  ToolResult,
  Unfit,
  Withhold,
} from "./protocol.js";
export type { Guardrail } from "./provider.js";
export type { CallerSignal, CallRequest, HostContext, RunOptions } from "./request.js";
export { type ClaimedResult, toolResult } from "./result.js";
export type { Answer } from "./run.js";
export { type OpenedCall, type StoppedCall, ToolRunner } from "./runner.js";
export { guardingOptions, type ToolRunnerOptions } from "./runner-options.js";
export type {
  Normalised,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./standard-schema.js";
export { type StatefulTool, StaticWorkbench } from "./static-workbench.js";
export { tellOfFault } from "./tell-of-fault.js";
export { type Tool, type ToolContext, type ToolDeclaration, tool } from "./tool.js";
export { allow, Decision, deny, modify, rewrite } from "./verdict.js";
export type { Workbench, WorkbenchCallOptions } from "./workbench.js";
