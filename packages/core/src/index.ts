export { type ErrorCode, errorCodes, ToolstileError } from "./errors.js";
export { checkOptions, didYouMean, nearest, quoted } from "./naming.js";
export type * from "./protocol.js";
export { allow, Decision, deny, modify, rewrite } from "./verdict.js";
