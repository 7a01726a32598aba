export { ToolstileError } from "../errors/error.js";
export { didYouMean, nearest, quoted } from "../errors/names.js";
export { OptionReader } from "../errors/option-reader.js";
export { boolean, nonEmptyText, oneOf, whole } from "../errors/option-readers.js";
export { type OptionsOf, type OptionTable, readOptions } from "../errors/options.js";
export { allow, deny, modify } from "../guard/verdicts.js";
export { ownValue } from "../json/own.js";
