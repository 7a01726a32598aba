export type { AnswerOptions, AnswerReceipt } from "./approvals/answering.js";
export { type ApprovalStanding, type Approvals, approvals } from "./approvals/approvals.js";
export type { ApprovalsOptions } from "./approvals/options.js";
export {
  type ApprovalsPluginOptions,
  type FolderPluginOptions,
  plugin,
} from "./approvals/plugin.js";
export type { ApprovalStatistics } from "./approvals/statistics.js";
export { newAnswerCode } from "./prompt/answer-code.js";
export { type OnTerminalOptions, onTerminal } from "./prompt/on-terminal.js";
export {
  type ApprovalPrompt,
  byFunction,
  type PromptAnswer,
  type ShownQuestion,
} from "./prompt/prompt.js";
export type {
  ApprovalListing,
  ApprovalRecord,
  ApproverAnswer,
  AskedApproval,
} from "./record/record.js";
export { type ApprovalState, stateOf } from "./record/state.js";
export type { RenderLimits } from "./render/json-rendering.js";
export { type RenderOptions, render } from "./render/render.js";
export { type FileStoreOptions, fileStore } from "./store/file-store.js";
export { memoryStore } from "./store/memory-store.js";
export type { Sought, SoughtCall } from "./store/sought.js";
export type { ApprovalStore } from "./store/store.js";
