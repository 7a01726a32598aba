export { type AuditLog, type AuditLogOptions, auditLog } from "./audit-log.js";
export type { LogSource } from "./blocks.js";
export type { FirstBad } from "./chained-lines.js";
export type { Disk, SyncedFile } from "./disk.js";
export { type FolderSink, folder } from "./folder/folder.js";
export type { Durability, FolderOptions, RetentionOptions } from "./folder/options.js";
export { type JsonLinesOptions, type JsonLinesSink, jsonLines } from "./json-lines.js";
export type { LogFile } from "./log-file.js";
export { type MemoryOptions, type MemorySink, memory } from "./memory.js";
export { type AuditLogPluginOptions, type FolderPluginOptions, plugin } from "./plugin.js";
export {
  type AuditRecord,
  type CallPayloads,
  type ChainReport,
  type CutTail,
  type ErasureFilter,
  erasePayloads,
  type FolderFirstBad,
  type FolderProgress,
  type FolderReport,
  isLogFolder,
  type KindCounts,
  type LevelReport,
  type ParsedRecord,
  type PayloadCounts,
  type ReadRecordsOptions,
  type RecordFilter,
  type RecordKind,
  readRecords,
  type TailReport,
  type TornLine,
  type VerifyFolderOptions,
  verifyFolder,
} from "./reading/folder-reading.js";
export {
  type AuditSink,
  type ChainHead,
  genesis,
  type OpenedChain,
  type TakenCheckpoint,
} from "./sink.js";
export type { Timers } from "./timers.js";
export { type VerifyOptions, type VerifyReport, verify } from "./verify.js";
