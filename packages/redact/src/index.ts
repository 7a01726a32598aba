export { type OnSensitiveData, type RedactOptions, redact } from "./guard.js";
export { kindNames } from "./kinds/kinds.js";
export { plugin } from "./plugin.js";
export type { RedactAction, RedactTokens } from "./redactor/actions.js";
export type { RedactorOptions } from "./redactor/options.js";
export { type Redacted, type Redactor, redactor } from "./redactor/redactor.js";
export type { RedactStream } from "./redactor/stream.js";
export { type MemoryTokens, memoryTokens } from "./redactor/tokens.js";
export type { Finding } from "./scan/findings.js";
export { type PublishedScore, publishedScores } from "./scores.js";
export {
  type SensitiveDataFinder,
  type SensitiveDataFinding,
  type SensitiveDataScan,
  sensitiveData,
} from "./sensitive-data.js";
