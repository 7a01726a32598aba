export { ToolstileError } from "../errors/error.js";
export { didYouMean, nearest, quoted } from "../errors/names.js";
export { invalidOption } from "../errors/option-error.js";
export { OptionReader, required, such, unchecked } from "../errors/option-reader.js";
export { boolean, func, nonEmptyText, oneOf, text, whole } from "../errors/option-readers.js";
export { type OptionsOf, type OptionTable, readOptions } from "../errors/options.js";
export { allow, deny, modify } from "../guard/verdicts.js";
export { isJsonObject, isObject, own, ownText, ownValue } from "../json/own.js";
export { outcomeStatuses } from "../protocol/outcome.js";
