export { isLogFolder } from "./files/log-folder.js";
export type { AuditRecord, ParsedRecord } from "./read/chain-reading.js";
export { type LatestCalls, type LatestCallsOptions, latestCalls } from "./read/latest-calls.js";
export type { CallPayloads } from "./read/payload-index.js";
export { type ReadRecordsOptions, readRecords } from "./read/read-records.js";
export type { RecordFilter } from "./read/record-filter.js";
