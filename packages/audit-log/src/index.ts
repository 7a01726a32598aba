export { type AuditLog, type AuditLogOptions, auditLog } from "./audit-log.js";
export type { LogSource } from "./blocks.js";
export type { FirstBad } from "./chain-check.js";
export { type JsonLinesOptions, type JsonLinesSink, jsonLines } from "./json-lines.js";
export type { LogFile } from "./log-file.js";
export { type MemoryOptions, type MemorySink, memory } from "./memory.js";
export { type AuditLogPluginOptions, plugin } from "./plugin.js";
export { type AuditSink, type ChainHead, genesis, type OpenedChain } from "./sink.js";
export { type VerifyOptions, type VerifyReport, verify } from "./verify.js";
