import type { ToolObserver } from "@toolstile/core";
import { optionalPackage } from "@toolstile/core/files";
import {
  type GuardrailPlugin,
  nonEmptyText,
  readOptions,
  required,
  unchecked,
  uncheckedFor,
} from "@toolstile/core/provider";
import { type AuditLog, auditLog } from "../log/audit-log.js";
import { type AuditLogDataOptions, logSchemas, text } from "../log/plugin-options.js";
import type { PostgresClient } from "./client.js";
import { type PostgresSinkOptions, postgresSink } from "./sink.js";

/** The options of `postgresSink()` that data can say; `url` stands for the client. */
export interface PostgresPluginOptions extends Omit<PostgresSinkOptions, "client"> {
  /** The database's address, `postgres://…`. It holds a password, so take it from an environment variable. */
  readonly url: string;
}

/** The options of an audit log in PostgreSQL that can be written as data. */
export interface PostgresAuditLogPluginOptions extends Omit<AuditLogDataOptions, "payloads"> {
  readonly postgres: PostgresPluginOptions;
  readonly payloads?: boolean | undefined;
  /** The path of a file of at least 32 random bytes, which payloads are committed to with. Default: a random key. */
  readonly keyFile?: string | undefined;
}

const postgres = {
  url: {
    type: "string",
    pattern: "^postgres(ql)?://",
    description: "postgres://USER:PASSWORD@HOST/DATABASE, from an environment variable.",
  },
  table: text,
  writer: { type: "string", minLength: 1, maxLength: 256 },
} as const;
const { payloads: _, ...log } = logSchemas;
const properties = {
  postgres: {
    type: "object",
    properties: postgres,
    required: ["url"],
    additionalProperties: false,
  },
  ...log,
  payloads: { type: "boolean" },
} as const;

/** The audit log in PostgreSQL for configuration files. It connects by itself, and closes its connection. */
export const plugin: GuardrailPlugin<PostgresAuditLogPluginOptions> = {
  name: "audit-log-postgres",
  optionsSchema: {
    type: "object",
    properties,
    required: ["postgres"],
    additionalProperties: false,
  },
  checkInstalled: () => void loadPg(),
  create(options): ToolObserver {
    const {
      postgres: given,
      keyFile,
      ...rest
    } = readOptions("audit-log", options, {
      ...uncheckedFor(properties),
      postgres: required(unchecked<PostgresPluginOptions>()),
    }) as PostgresAuditLogPluginOptions;
    const { url, ...sink } = readOptions("audit-log: 'postgres'", given, {
      ...uncheckedFor(postgres),
      url: required(nonEmptyText("the address of a database")),
    }) as PostgresPluginOptions;
    const pool = poolOf(url);
    let made: AuditLog;
    try {
      made = auditLog({ ...rest, sink: postgresSink({ ...sink, client: pool }), key: keyFile });
    } catch (error) {
      pool.end().catch(() => {});
      throw error;
    }
    return Object.freeze({
      ...made,
      async close() {
        try {
          await made.close();
        } finally {
          await pool.end();
        }
      },
    });
  },
};

interface Pool extends PostgresClient {
  readonly on: (event: "error", heard: () => void) => unknown;
  readonly end: () => Promise<void>;
}

interface Pg {
  readonly Pool: new (options: object) => Pool;
}

/** @throws ToolstileError `ERR_CONFIG` if `pg` is not installed. */
function loadPg(): Pg {
  return optionalPackage<Pg>("pg", import.meta.url, "An audit log in PostgreSQL");
}

/** One connection, which the sink keeps. */
function poolOf(connectionString: string): Pool {
  const { Pool } = loadPg();
  const pool = new Pool({ connectionString, max: 1, connectionTimeoutMillis: 10_000 });
  // Node ends the process for an "error" event without a listener. The sink notices by itself.
  pool.on("error", () => {});
  return pool;
}
