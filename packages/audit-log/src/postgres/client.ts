import { such } from "@toolstile/core/provider";

/** A client of PostgreSQL, such as node-postgres' `Client` and `Pool`. */
export interface PostgresClient {
  readonly query: (text: string, values: unknown[]) => Promise<{ readonly rows: unknown[] }>;
}

/** One connection to the server: a session's lock is of no use where each query has another. */
export interface Connection {
  readonly query: PostgresClient["query"];
  /** With `true`, whatever state it is in is not for others. */
  readonly release: (isBroken: boolean) => void;
}

interface PooledClient extends PostgresClient {
  readonly release: (destroy?: boolean) => void;
  readonly on?: (event: "error", heard: () => void) => unknown;
  readonly removeListener?: (event: "error", heard: () => void) => unknown;
}

interface Pool {
  readonly connect: () => Promise<PooledClient>;
}

/** A pool's connection for one writer alone; a client is one already. */
export async function connectionOf(client: PostgresClient): Promise<Connection> {
  if (!isPool(client)) {
    return { query: (text, values) => client.query(text, values), release: () => {} };
  }
  const pooled = await client.connect();
  // Node ends the process for an "error" event without a listener; the next query fails anyhow.
  const heard = (): void => {};
  pooled.on?.("error", heard);
  return {
    query: (text, values) => pooled.query(text, values),
    release(isBroken) {
      pooled.removeListener?.("error", heard);
      pooled.release(isBroken);
    },
  };
}

/** node-postgres' `Client` has a `connect` as well, but does not count connections. */
function isPool(client: PostgresClient): client is PostgresClient & Pool {
  return (
    "connect" in client &&
    typeof client.connect === "function" &&
    "totalCount" in client &&
    typeof client.totalCount === "number"
  );
}

export const clientOption = such<PostgresClient>(
  (client) => typeof (client as PostgresClient).query === "function",
  "an object with query(text, values), such as node-postgres' Pool or Client",
).required();

/** A row's columns, whatever it is that came from the client. */
export function columns(row: unknown): ReadonlyMap<string, unknown> {
  return new Map(row !== null && typeof row === "object" ? Object.entries(row) : []);
}
