import { randomBytes } from "node:crypto";
import pg from "pg";
import { onTestFinished } from "vitest";
import { approvalTable } from "../src/store/postgres-store.js";

export const databaseUrl = process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** Whether a PostgreSQL answers there. */
export async function hasPostgres(): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** A table in a schema of its own, which goes when the test is over. */
export async function temporaryTable(): Promise<{ client: pg.Pool; table: string }> {
  const schema = `approval_${randomBytes(6).toString("hex")}`;
  const client = new pg.Pool({ connectionString: databaseUrl, max: 8 });
  await client.query(`CREATE SCHEMA ${schema}`);
  onTestFinished(async () => {
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
    await client.end();
  });
  const table = `${schema}.toolstile_approvals`;
  await client.query(approvalTable(table));
  return { client, table };
}
