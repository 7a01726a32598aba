import { optionalPackage } from "@toolstile/core/files";
import {
  type GuardrailPlugin,
  nonEmptyText,
  readOptions,
  required,
  unchecked,
  uncheckedFor,
} from "@toolstile/core/provider";
import {
  type PostgresClient,
  type PostgresStoreOptions,
  postgresStore,
} from "../store/postgres-store.js";
import { approvals } from "./approvals.js";
import { type ApprovalsDataOptions, approvalsSchemas, keyFile, text } from "./data-options.js";

/** The options of `postgresStore()` that data can say; `url` stands for the client. */
export interface PostgresPluginOptions extends Pick<PostgresStoreOptions, "table"> {
  /** The database's address, `postgres://…`. It holds a password, so take it from an environment variable. */
  readonly url: string;
}

/** The options of `approvals()` with a `postgresStore()` that can be written as data. */
export interface PostgresApprovalsPluginOptions extends ApprovalsDataOptions {
  readonly postgres: PostgresPluginOptions;
  /** The path of the key that seals the approvals. Default: none, and whoever can write to the table can approve. */
  readonly keyFile?: string | undefined;
}

const postgres = {
  url: {
    type: "string",
    pattern: "^postgres(ql)?://",
    description: "postgres://USER:PASSWORD@HOST/DATABASE, from an environment variable.",
  },
  table: text,
};
const properties = {
  postgres: {
    type: "object",
    properties: postgres,
    required: ["url"],
    additionalProperties: false,
  },
  keyFile,
  ...approvalsSchemas,
};

/** Names an approver with a PostgreSQL table in data. It connects by itself, and closes its connections. */
export const plugin: GuardrailPlugin<PostgresApprovalsPluginOptions> = {
  name: "approvals-postgres",
  optionsSchema: {
    type: "object",
    properties,
    required: ["postgres"],
    additionalProperties: false,
  },
  checkInstalled: () => void loadPg(),
  create(options) {
    const {
      postgres: given,
      keyFile: key,
      ...rest
    } = readOptions("approvals", options, {
      ...uncheckedFor(properties),
      postgres: required(unchecked<PostgresPluginOptions>()),
    }) as PostgresApprovalsPluginOptions;
    const { url, table } = readOptions("approvals: 'postgres'", given, {
      ...uncheckedFor(postgres),
      url: required(nonEmptyText("the address of a database")),
    }) as PostgresPluginOptions;
    const pool = poolOf(url);
    try {
      const store = { ...postgresStore({ client: pool, key, table }), close: () => pool.end() };
      return approvals({ ...rest, store });
    } catch (error) {
      pool.end().catch(() => {});
      throw error;
    }
  },
};

interface Pool extends PostgresClient {
  readonly on: (event: "error", heard: () => void) => unknown;
  readonly end: () => Promise<void>;
}

interface Pg {
  readonly Pool: new (options: object) => Pool;
}

/** A statement that hangs must not hold a call for ever. */
const longestMs = 10_000;

/** @throws ToolstileError `ERR_CONFIG` if `pg` is not installed. */
function loadPg(): Pg {
  return optionalPackage<Pg>("pg", import.meta.url, "An approver with PostgreSQL");
}

function poolOf(connectionString: string): Pool {
  const { Pool } = loadPg();
  const pool = new Pool({
    connectionString,
    connectionTimeoutMillis: longestMs,
    query_timeout: longestMs,
  });
  // Node ends the process for an "error" event without a listener. The next query fails by itself.
  pool.on("error", () => {});
  return pool;
}
