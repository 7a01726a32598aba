export type { PostgresClient } from "./postgres/client.js";
export {
  type PostgresAuditLogPluginOptions,
  type PostgresPluginOptions,
  plugin,
} from "./postgres/plugin.js";
export { type PostgresSink, type PostgresSinkOptions, postgresSink } from "./postgres/sink.js";
export { auditTable } from "./postgres/table.js";
export {
  type ChainReport,
  type RowsReport,
  type VerifyRowsOptions,
  verifyRows,
} from "./postgres/verify-rows.js";
