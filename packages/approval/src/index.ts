export { newAnswerCode } from "./answer-code.js";
export type { AnswerOptions, AnswerReceipt } from "./answering.js";
export { type ApprovalStanding, type Approvals, approvals } from "./approvals.js";
export type { ApprovalsOptions } from "./approvals-options.js";
export { type FileStoreOptions, fileStore } from "./file-store.js";
export { memoryStore } from "./memory-store.js";
export { type OnTerminalOptions, onTerminal } from "./on-terminal.js";
export {
  type ApprovalPrompt,
  byFunction,
  type PromptAnswer,
  type ShownQuestion,
} from "./prompt.js";
export { type RenderOptions, render } from "./render.js";
export type { RenderLimits } from "./render-json.js";
export { type ApprovalState, stateOf } from "./state.js";
export type { ApprovalStatistics } from "./statistics.js";
export type {
  ApprovalListing,
  ApprovalRecord,
  ApprovalStore,
  ApproverAnswer,
  AskedApproval,
} from "./store.js";
