export { type Conversation, conversationOf, withConversation } from "../call/conversation.js";
export { mintId } from "../call/head.js";
export type { Permit } from "../call/permit.js";
export type { HostContext } from "../call/request.js";
export type { ClaimedResult } from "../call/result.js";
export { textOfResult } from "../call/text.js";
export { type ErrorCode, errorCodes } from "../errors/error.js";
export { didYouMean, nearest, quoted } from "../errors/names.js";
export { invalidOption, optionError } from "../errors/option-error.js";
export { type OptionFault, OptionFaults } from "../errors/option-faults.js";
export { OptionReader, required, such, unchecked, uncheckedFor } from "../errors/option-reader.js";
export {
  boolean,
  func,
  list,
  nonEmptyText,
  object,
  oneOf,
  positive,
  text,
  timeout,
  whole,
} from "../errors/option-readers.js";
export {
  checkOptions,
  group,
  type OptionsOf,
  type OptionTable,
  readOptions,
} from "../errors/options.js";
export type { Predicate } from "../guard/guard.js";
export { forManyRunners, type LiveChainOptions } from "../guard/live-chain.js";
export {
  longestToolPattern,
  type PatternMatch,
  patternAllows,
  patternDenies,
  ToolNames,
  type ToolPattern,
  toolNameSchema,
} from "../guard/tool-names.js";
export { canonicalJson } from "../json/canonical.js";
export {
  deepFreeze,
  isDeepFrozen,
  isJsonObject,
  isObject,
  isPlain,
  member,
  own,
  ownText,
  ownValue,
} from "../json/own.js";
export { hasDuplicateKeys, type ParsedArguments, parseArguments } from "../json/parse.js";
export { type Pointer, readPointer } from "../json/pointer.js";
export type { JsonFaultCode, JsonLimits } from "../json/snapshot.js";
export { parseUrl } from "../json/url.js";
export type { ToolDeclaration } from "../protocol/declaration.js";
export type { CallHead } from "../protocol/guardrail.js";
export {
  type Basis,
  type CallTimes,
  type OutcomeFacts,
  outcomeStatuses,
  type Stopped,
  type Unfit,
} from "../protocol/outcome.js";
export type { ToolAnswer } from "../run/run.js";
export type { DenialOfOptions } from "../runner/denial-of.js";
export type { EventName, RunnerEvents, SettledRecord } from "../runner/events.js";
export { reportFault } from "../runner/faults.js";
export { guardingOptions, guardingTable } from "../runner/options.js";
export type { OpenedCall, StoppedCall } from "../runner/runner.js";
export { CallerAbort, type CallerSignal, sharedSignal } from "../time/abort.js";
export { systemClock } from "../time/clock.js";
export {
  BoundedWait,
  type Bounds,
  ignoreRejection,
  isThenable,
  valueWithin,
  type WaitEnd,
} from "../time/wait.js";
export type { RefusedTool } from "../tool/refused-tool.js";
export type {
  Normalised,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "../tool/standard-schema.js";
export {
  ApprovalRequests,
  type FoundApproval,
  type ReadableApprover,
} from "./approval-requests.js";
export { callKey } from "./call-key.js";
export { describeCall } from "./facts.js";
export {
  base64,
  denial,
  errorText,
  isRewritten,
  outputOf,
  sameJson,
  thrownFor,
} from "./framework.js";
export { type DescribedCall, type GuardedCalls, guardCalls } from "./guarded-calls.js";
export { conversationIn } from "./messages.js";
export { WaitingCalls } from "./waiting-calls.js";
