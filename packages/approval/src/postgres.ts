export {
  type PostgresApprovalsPluginOptions,
  type PostgresPluginOptions,
  plugin,
} from "./approvals/postgres-plugin.js";
export {
  approvalTable,
  type PostgresClient,
  type PostgresStoreOptions,
  postgresStore,
} from "./store/postgres-store.js";
