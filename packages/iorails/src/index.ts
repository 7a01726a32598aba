export type { ChatMessage, TokenUsage } from "./chat/message.js";
export type {
  Flow,
  InputSection,
  JailbreakConfig,
  ModelConfig,
  MountedProvider,
  OutputSection,
  PromptConfig,
  RailsConfigData,
  RailsSection,
  ToolInputSection,
  ToolOutputSection,
} from "./config/model.js";
export { RailsConfig, unsupportedReason } from "./config/rails-config.js";
export type {
  AssistantMessage,
  CheckRequest,
  CheckResult,
  GenerationOptions,
  GenerationRequest,
  GenerationResult,
  RailFamilyParam,
  RailsEngine,
  RailsStatus,
  RailType,
  StreamChunk,
  ToolCallMessage,
} from "./engine/answer.js";
export { Guardrails, LLMRails } from "./engine/guardrails.js";
export type { Fallback, GuardrailsOptions } from "./engine/options.js";
export { ModelError, type ModelFault } from "./errors.js";
export type { Mountable } from "./tool-rails/mounted.js";
export type { Violation, ViolationType } from "./violation.js";
