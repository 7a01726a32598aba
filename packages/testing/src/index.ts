export { type CallOptions, call } from "./call.js";
export {
  type ConformancePage,
  type ConformanceSubject,
  conformancePage,
} from "./conformance-page.js";
export type { ConformanceReport, ConformanceResult } from "./conformance-report.js";
export { type FakeClock, fakeClock } from "./fake-clock.js";
export { type FakeTool, type FakeToolOptions, fakeTool } from "./fake-tool.js";
export type { KitLimit, KitLimits } from "./limits.js";
export {
  completionBody,
  completionChunk,
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  modelServer,
} from "./model-server.js";
export { outcome } from "./outcome.js";
export { type RecordingObserver, recordingObserver } from "./recording-observer.js";
export type { TestFunction } from "./register.js";
export { type ResultOptions, result } from "./result.js";
export { type ProviderCases, testProvider } from "./test-provider.js";
export { type Exchange, type ResultCases, testResultGuardrail } from "./test-result-guardrail.js";
