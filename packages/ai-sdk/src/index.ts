export { type GuardedModel, type GuardModelOptions, guardModel } from "./guard-model.js";
export { type GuardToolsOptions, guardTools } from "./guard-tools.js";
export type {
  ModelParams,
  ModelTool,
  SdkModel,
  SdkTool,
  SdkTools,
  ToolCallOptions,
} from "./sdk.js";
export {
  type ToolApprovalAnswer,
  type ToolApprovalQuestion,
  toolApproval,
} from "./tool-approval.js";
