export { ToolstileError } from "../errors/error.js";
export { didYouMean, nearest, quoted } from "../errors/names.js";
export { invalidOption } from "../errors/option-error.js";
export { OptionReader, required, such, unchecked } from "../errors/option-reader.js";
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
export { group, type OptionsOf, type OptionTable, readOptions } from "../errors/options.js";
export { allow, Decision, deny, modify, rewrite } from "../guard/verdicts.js";
export { isJsonObject, isObject, own, ownText, ownValue } from "../json/own.js";
export type { ApprovalRequest, Awaitable, Metadata, ResultBody } from "../protocol/guardrail.js";
export { outcomeStatuses } from "../protocol/outcome.js";
export type { GuardrailPlugin } from "../protocol/plugin.js";
export type { ReceiptSigner } from "../protocol/receipt.js";
