export { type Conversation, conversationOf } from "../call/conversation.js";
export { type StreamedTexts, textsAround } from "../call/streamed-texts.js";
export { textOfResult } from "../call/text.js";
export { ToolstileError } from "../errors/error.js";
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
export {
  longestToolPattern,
  type PatternMatch,
  patternAllows,
  patternDenies,
  ToolNames,
  type ToolPattern,
  toolNameSchema,
} from "../guard/tool-names.js";
export { allow, Decision, deny, modify, rewrite } from "../guard/verdicts.js";
export { canonicalJson, sameJson } from "../json/canonical.js";
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
export type {
  ApprovalRequest,
  Awaitable,
  CallHead,
  Metadata,
  ResultBody,
} from "../protocol/guardrail.js";
export { outcomeStatuses } from "../protocol/outcome.js";
export type { GuardrailPlugin } from "../protocol/plugin.js";
export type { ReceiptSigner } from "../protocol/receipt.js";
export { CallerAbort, type CallerSignal, sharedSignal } from "../time/abort.js";
export { systemClock } from "../time/clock.js";
export { type Bounds, valueWithin } from "../time/wait.js";
