export { isLogFolder } from "./chain-files.js";
export type { AuditRecord, ParsedRecord } from "./chain-reading.js";
export { type ErasureFilter, erasePayloads } from "./erase-payloads.js";
export type {
  ChainReport,
  CutTail,
  FolderFirstBad,
  FolderReport,
  LevelReport,
  PayloadCounts,
  TailReport,
  TornLine,
} from "./folder-report.js";
export type { CallPayloads } from "./payload-index.js";
export { type ReadRecordsOptions, readRecords } from "./read-records.js";
export type { RecordFilter } from "./record-filter.js";
export type { KindCounts, RecordKind } from "./record-kinds.js";
export { type FolderProgress, type VerifyFolderOptions, verifyFolder } from "./verify-folder.js";
