import { randomBytes } from "node:crypto";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { auditTable } from "../../src/postgres.js";

const named = process.env["DATABASE_URL"];
export const server = named ?? "postgres://postgres@127.0.0.1:5432/test";

async function isReachable(): Promise<boolean> {
  const client = new Client({ connectionString: server, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** A server that was named and does not answer is a failure, and no reason to skip. */
export const isThere = named !== undefined || (await isReachable());

export interface Database {
  /** The superuser, who owns everything. */
  readonly admin: Client;
  readonly role: string;
  /** A new table, with its schema. */
  readonly newTable: () => Promise<string>;
  /** A pool whose sessions may do what the append-only role may. */
  readonly pool: () => Pool;
  /** One such session. */
  readonly session: () => Promise<Client>;
}

/** A schema and a role of the test file's own, dropped afterwards. */
export function database(): Database {
  const suffix = randomBytes(6).toString("hex");
  const schema = `audit_test_${suffix}`;
  const role = `audit_test_writer_${suffix}`;
  const admin = new Client({ connectionString: server });
  admin.on("error", () => {});
  const asWriter = { connectionString: server, options: `-c role=${role}` };
  let tables = 0;
  beforeAll(async () => {
    await admin.connect();
    await admin.query(`create schema ${schema}`);
  });
  afterAll(async () => {
    await admin.query(`drop schema ${schema} cascade`);
    await admin.query(`drop role if exists ${role}`);
    await admin.end();
  });
  return {
    admin,
    role,
    async newTable() {
      const table = `${schema}.audit_${++tables}`;
      await admin.query(auditTable(table).replaceAll("audit_log_writer", role));
      return table;
    },
    pool() {
      const pool = new Pool(asWriter);
      pool.on("error", () => {});
      onTestFinished(() => pool.end());
      return pool;
    },
    async session() {
      const client = new Client(asWriter);
      client.on("error", () => {});
      await client.connect();
      onTestFinished(() => client.end().catch(() => {}));
      return client;
    },
  };
}
