export { withConversation } from "../call/conversation.js";
export type { Permit } from "../call/permit.js";
export type { HostContext } from "../call/request.js";
export type { ClaimedResult } from "../call/result.js";
export { type ErrorCode, errorCodes } from "../errors/error.js";
export type { Predicate } from "../guard/guard.js";
export { forManyRunners, type LiveChainOptions } from "../guard/live-chain.js";
export type { FoundApproval } from "../protocol/approval.js";
export type { ToolDeclaration } from "../protocol/declaration.js";
export type {
  Basis,
  CallTimes,
  OutcomeFacts,
  Stopped,
  Unfit,
} from "../protocol/outcome.js";
export type { ToolAnswer } from "../run/run.js";
export type { DenialOfOptions } from "../runner/denial-of.js";
export type { EventName, RunnerEvents, SettledRecord } from "../runner/events.js";
export { reportFault } from "../runner/faults.js";
export { guardingTable } from "../runner/options.js";
export type { OpenedCall, StoppedCall } from "../runner/runner.js";
export type { RefusedTool } from "../tool/refused-tool.js";
export type {
  Normalised,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "../tool/standard-schema.js";
export { ApprovalRequests, type ReadableApprover } from "./approval-requests.js";
export { callKey } from "./call-key.js";
export { describeCall } from "./facts.js";
export {
  base64,
  denial,
  errorText,
  isRewritten,
  outputOf,
  thrownFor,
} from "./framework.js";
export { type DescribedCall, type GuardedCalls, guardCalls } from "./guarded-calls.js";
export { conversationIn } from "./messages.js";
export { WaitingCalls } from "./waiting-calls.js";
