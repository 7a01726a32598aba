export type { ChatMessage, TokenUsage } from "./chat/message.js";
export type { HooksServerSection, PolicyEntry, PolicyValue } from "./config/hooks-server.js";
export type { ConfigContent } from "./config/load.js";
export type {
  Flow,
  InputSection,
  ModelConfig,
  MountedProvider,
  OutputSection,
  PromptConfig,
  RailsConfigData,
  RailsSection,
  ToolCallSection,
  ToolResultSection,
} from "./config/model.js";
export type { CelOptions, CelSection } from "./config/sections/cel.js";
export type { ContentSafetySection } from "./config/sections/content-safety.js";
export type { ContextBloatDetectionSection } from "./config/sections/context-bloat-detection.js";
export type { GlinerOptions, GlinerSection } from "./config/sections/gliner.js";
export type { HfClassifier, HfClassifierSection } from "./config/sections/hf-classifier.js";
export type {
  HttpClassifier,
  HttpClassifierSection,
  HttpVerdict,
} from "./config/sections/http-classifier.js";
export type { InjectionDetectionSection } from "./config/sections/injection-detection.js";
export type { JailbreakDetectionSection } from "./config/sections/jailbreak-detection.js";
export type { LanguageDetectorSection } from "./config/sections/language-detector.js";
export type { RegexDetectionSection, RegexOptions } from "./config/sections/regex-detection.js";
export type {
  SensitiveDataDetectionSection,
  SensitiveDataOptions,
} from "./config/sections/sensitive-data-detection.js";
export type { ConfigSections } from "./config/sections/table.js";
export type {
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
} from "./engine/answer.js";
export type { AssistantMessage, ToolCallMessage } from "./engine/assistant-message.js";
export type {
  ActivatedRail,
  ExecutedAction,
  GenerationLog,
  GenerationStats,
  LlmCall,
  LogOptions,
} from "./engine/generation-log.js";
export type {
  GenerationResponse,
  RailException,
  ResponseMessage,
  ToolViolation,
} from "./engine/generation-response.js";
export { Guardrails, LLMRails } from "./engine/guardrails.js";
export type { Fallback, GuardrailsOptions } from "./engine/options.js";
export { RailsConfig, unsupportedReason } from "./engine/rails-config.js";
export { ModelError, type ModelFault } from "./errors.js";
export type {
  SensitiveData,
  SensitiveDataPort,
  SensitiveDataScan,
  SensitiveDataScanner,
} from "./model-rails/sensitive-data.js";
export type { Mountable } from "./tool-rails/mounted.js";
export type { Violation, ViolationType } from "./violation.js";
