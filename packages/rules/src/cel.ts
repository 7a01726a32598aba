export {
  compileExpression,
  type Expression,
  type ExpressionFailure,
  type ExpressionOptions,
} from "./cel/compile.js";
export type { ExpressionFailureKind } from "./cel/fault.js";
export type { ExpressionPlace } from "./cel/place.js";
