export type { LogSource } from "./files/blocks.js";
export type { Disk } from "./files/disk.js";
export type { LogFile, SyncedFile } from "./files/log-file.js";
export { isLogFolder } from "./files/log-folder.js";
export { folder } from "./folder/folder.js";
export type { FolderSink } from "./folder/folder-writer.js";
export type { Durability, FolderOptions, RetentionOptions } from "./folder/options.js";
export { type ChainHead, genesis } from "./format/chain-head.js";
export type { KindCounts, RecordKind } from "./format/record-kinds.js";
export { type AuditLog, auditLog } from "./log/audit-log.js";
export type { AuditLogOptions } from "./log/options.js";
export { type AuditLogPluginOptions, type FolderPluginOptions, plugin } from "./plugin.js";
export type { AuditRecord, ParsedRecord } from "./read/chain-reading.js";
export { type ErasureFilter, erasePayloads } from "./read/erase-payloads.js";
export { type LatestCalls, type LatestCallsOptions, latestCalls } from "./read/latest-calls.js";
export type { CallPayloads } from "./read/payload-index.js";
export { type ReadRecordsOptions, readRecords } from "./read/read-records.js";
export type { RecordFilter } from "./read/record-filter.js";
export { type JsonLinesOptions, type JsonLinesSink, jsonLines } from "./sink/json-lines.js";
export { type MemoryOptions, type MemorySink, memory } from "./sink/memory.js";
export type { AuditSink, OpenedChain, TakenCheckpoint } from "./sink/sink.js";
export type { Timers } from "./sink/timers.js";
export type {
  ChainReport,
  CutTail,
  FirstBad,
  FolderFirstBad,
  FolderReport,
  LevelReport,
  PayloadCounts,
  TailReport,
  TornLine,
} from "./verify/findings.js";
export type { CallKindCounts } from "./verify/one-segment.js";
export { type VerifyOptions, type VerifyReport, verify } from "./verify/verify-file.js";
export {
  type FolderProgress,
  type VerifyFolderOptions,
  verifyFolder,
} from "./verify/verify-folder.js";
