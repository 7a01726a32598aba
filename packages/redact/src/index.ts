export { type OnSensitiveData, type RedactOptions, redact } from "./guard.js";
export { kindNames } from "./kinds/kinds.js";
export { type ModelJudgeData, type ModelJudgeOptions, modelJudge } from "./outside/model-judge.js";
export { type PresidioData, type PresidioOptions, presidio } from "./outside/presidio.js";
export type { RecognizedFinding, Recognizer } from "./outside/recognizer.js";
export { plugin, type RedactData } from "./plugin.js";
export type { RedactAction, RedactTokens } from "./redactor/actions.js";
export type { AllowRule } from "./redactor/allowed.js";
export type { JsonFinding, Redacted } from "./redactor/json-pass.js";
export type { RedactorOptions } from "./redactor/options.js";
export { type Redactor, redactor } from "./redactor/redactor.js";
export type { RedactStream } from "./redactor/stream.js";
export { type MemoryTokens, memoryTokens } from "./redactor/tokens.js";
export type { Finding } from "./scan/findings.js";
export { type PublishedScore, publishedScores } from "./scores.js";
export {
  type SensitiveDataFinder,
  type SensitiveDataFinderOptions,
  type SensitiveDataFinding,
  type SensitiveDataScan,
  sensitiveData,
} from "./sensitive-data.js";
