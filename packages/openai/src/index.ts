export {
  type AssistantMessage,
  type ChatTool,
  chatTools,
  type ToolMessage,
  toolMessages,
} from "./chat.js";
export {
  type ModelResponse,
  type ResponseTool,
  responseTools,
  type ToolOutput,
  toolOutputs,
} from "./responses.js";
export type { TurnOptions, TurnRunner } from "./turn.js";
