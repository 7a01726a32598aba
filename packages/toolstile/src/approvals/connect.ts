import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PostgresClient } from "@toolstile/approval/postgres";

/** A store that cannot be opened or asked, in words that hold no address and no password. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

interface Connection {
  readonly connect: () => Promise<unknown>;
  readonly query: PostgresClient["query"];
  readonly end: () => Promise<void>;
  readonly on: (event: "error", listener: (error: unknown) => void) => unknown;
}

/**
 * Connects to PostgreSQL with the `pg` of a folder.
 *
 * @throws StoreError where there is none, or the database cannot be reached.
 */
export async function connect(
  url: string,
  folder: string,
): Promise<{ client: PostgresClient; close: () => Promise<void> }> {
  const { Client } = await importPg(folder);
  const connection = await explained(async () => {
    const made = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    // The query that is under way tells of it, too.
    made.on("error", () => {});
    await made.connect();
    return made;
  });
  return {
    client: { query: (text, values) => explained(() => connection.query(text, values)) },
    close: () => connection.end(),
  };
}

interface PgModule {
  readonly Client: new (options: object) => Connection;
}

/** The user's own `pg`: this command does not bring one. */
async function importPg(folder: string): Promise<PgModule> {
  try {
    const path = createRequire(join(folder, "package.json")).resolve("pg");
    const module = (await import(pathToFileURL(path).href)) as { readonly default: PgModule };
    return module.default;
  } catch {
    throw new StoreError(
      "To read approvals from PostgreSQL, this command needs pg in the folder it is called in: npm install pg",
    );
  }
}

const words: ReadonlyMap<unknown, string> = new Map([
  ["42P01", "there is no such table; approvalTable() of @toolstile/approval/postgres makes one"],
  ["42501", "this role may not read or write the table"],
  ["28P01", "the password is wrong"],
  ["3D000", "there is no such database"],
  ["ECONNREFUSED", "nothing answers there"],
  ["ENOTFOUND", "there is no such host"],
]);

/** Runs `ask`. A database's error may quote what was sent to it, so only its code is passed on. */
async function explained<Value>(ask: () => PromiseLike<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw new StoreError(
      `The database cannot be used: ${words.get(code) ?? `it says ${String(code ?? "nothing more")}`}.`,
    );
  }
}
