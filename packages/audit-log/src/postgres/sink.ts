import { randomUUID } from "node:crypto";
import {
  type OptionTable,
  quoted,
  readOptions,
  such,
  ToolstileError,
  unchecked,
} from "@toolstile/core/provider";
import { type ChainHead, genesis } from "../format/chain-head.js";
import { hashOfLine, statedHash, statedNumber } from "../format/line.js";
import type { AuditSink, OpenedChain } from "../sink/sink.js";
import {
  type Connection,
  clientOption,
  columns,
  connectionOf,
  type PostgresClient,
} from "./client.js";
import { tableName } from "./table.js";

export interface PostgresSinkOptions {
  /**
   * node-postgres' `Pool`, which gives one of its connections until the log is
   * closed, or a `Client`, which must be this sink's alone: what is written in
   * an open transaction of somebody else can still be rolled back. Listen to a
   * `Client`'s "error" events: node-postgres ends the process otherwise.
   */
  readonly client: PostgresClient;
  /** A table that `auditTable()` made, with its schema before a dot if need be. Default `"audit_log"`. */
  readonly table?: string | undefined;
  /** Whose chain it is: one that is there is gone on with. Default: a random id, so a new chain. */
  readonly writer?: string | undefined;
}

/** PostgreSQL's text holds no NUL, and no half of a surrogate pair. */
export const writerOption = such<string>(
  (writer) =>
    typeof writer === "string" &&
    writer.length >= 1 &&
    writer.length <= 256 &&
    !writer.includes("\0") &&
    writer.isWellFormed(),
  "a string of 1 to 256 characters, without NUL",
);

const sinkOptions = {
  client: clientOption,
  // Which names a table can have is said where one is read.
  table: unchecked<string>(),
  writer: writerOption,
} satisfies OptionTable<PostgresSinkOptions>;

export interface PostgresSink extends AuditSink {
  /** The value of the chain's rows in the column `writer`. */
  readonly writer: string;
}

/**
 * A sink that adds rows to a PostgreSQL table, one a record.
 *
 * All records of a batch are added by one statement. What is acknowledged is
 * committed, and as durable as the server's `synchronous_commit` makes it. Any
 * error ends the writer for good, that of a lost connection too.
 *
 * While it is open, it holds an advisory lock on its writer's chain. The server
 * frees that of a dead process with its connection, at once or when TCP gives
 * the connection up; until then, opening is refused. Where a pooler between
 * shares out sessions, the lock means nothing, but the key (writer, seq) still
 * keeps two writers from sharing a chain: the one that comes second stops.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`. When it
 * is opened: `ERR_INVALID_OPTION` when another has the writer's chain, its last
 * record was changed, or there is no table, and the client's errors.
 */
export function postgresSink(options: PostgresSinkOptions): PostgresSink {
  const { client, table, writer } = readOptions("postgresSink()", options, sinkOptions);
  return new Postgres(client, tableName("postgresSink()", table).sql, writer ?? randomUUID());
}

class Postgres implements PostgresSink {
  readonly name = "postgres";
  readonly writer: string;
  readonly #client: PostgresClient;
  readonly #table: string;
  #connection: Connection | undefined;
  #lock: string | undefined;
  #isOpen = false;
  #isBroken = false;

  constructor(client: PostgresClient, table: string, writer: string) {
    this.#client = client;
    this.#table = table;
    this.writer = writer;
  }

  readonly open = async (): Promise<OpenedChain> => {
    if (this.#isOpen) throw this.#taken();
    this.#isOpen = true;
    this.#isBroken = false;
    try {
      this.#connection = await connectionOf(this.#client);
      this.#lock = await this.#requireLock(this.#connection);
      return { head: await this.#head(this.#connection), cutBytes: 0 };
    } catch (error) {
      await this.close();
      throw explained(error, this.#table);
    }
  };

  readonly append = async (lines: Uint8Array, head: ChainHead): Promise<void> => {
    const connection = this.#connection;
    if (connection === undefined || this.#isBroken) {
      throw new ToolstileError("ERR_CLOSED", "This audit table is not open.");
    }
    const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString("latin1");
    const count = text.split("\n").length - 1;
    try {
      const { rows } = await connection.query(insertInto(this.#table), [
        this.writer,
        text.slice(0, -1),
        head.seq - count,
      ]);
      // A trigger or a row policy may have made rows disappear without an error.
      if (columns(rows[0]).get("written") !== String(count)) {
        throw new ToolstileError("ERR_CLOSED", "The audit table did not take all records.");
      }
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  };

  readonly close = async (): Promise<void> => {
    const connection = this.#connection;
    const lock = this.#lock;
    this.#connection = undefined;
    this.#lock = undefined;
    if (connection !== undefined && lock !== undefined) {
      // On a connection that broke there is nothing left to unlock, and no answer to wait for.
      await connection.query("select pg_advisory_unlock($1::bigint)", [lock]).catch(() => {
        this.#isBroken = true;
      });
    }
    connection?.release(this.#isBroken);
    this.#isOpen = false;
  };

  async #requireLock(connection: Connection): Promise<string> {
    const { rows } = await connection.query(takeLock, [this.#table, this.writer]);
    const row = columns(rows[0]);
    const key = row.get("key");
    if (row.get("taken") !== true || typeof key !== "string") throw this.#taken();
    return key;
  }

  async #head(connection: Connection): Promise<ChainHead> {
    const { rows } = await connection.query(
      `select line from ${this.#table} where writer = $1 order by seq desc limit 1`,
      [this.writer],
    );
    if (rows.length === 0) return genesis;
    const line = String(columns(rows[0]).get("line"));
    const seq = statedNumber(line);
    const hash = statedHash(line);
    if (seq === undefined || hash === undefined || hashOfLine(Buffer.from(line)) !== hash) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        `The last record of the writer ${quoted(this.writer)} was changed: nothing is added to its chain. ` +
          "Run verifyRows() on it, and begin a new one with another 'writer'.",
      );
    }
    return { seq, hash };
  }

  #taken(): ToolstileError {
    return new ToolstileError(
      "ERR_INVALID_OPTION",
      `Another audit log has the chain of the writer ${quoted(this.writer)}. Give each its own 'writer', or none. ` +
        "If its process died, the server frees the chain when it gives up the connection.",
    );
  }
}

/** The same session would get the lock a second time, so its own locks are looked through first. */
const takeLock = `
with lock as (select hashtextextended(($1::regclass)::oid::text || ':' || $2, 0) as key)
select key::text as key, case
  when exists (
    select from pg_locks
    where locktype = 'advisory' and objsubid = 1 and pid = pg_backend_pid()
      and (classid::bigint << 32) | objid::bigint = key
  ) then false
  else pg_try_advisory_lock(key)
end as taken
from lock`;

/** The columns are read from the line: they cannot say anything else. */
function insertInto(table: string): string {
  return `
with written as (
  insert into ${table} (writer, seq, prev, hash, line)
  select $1, $3::bigint + number, substring(line from '"prev":"([0-9a-f]{64})"'),
    left(right(line, 66), 64), line
  from unnest(string_to_array($2::text, chr(10))) with ordinality as lines (line, number)
  returning 1
)
select count(*)::text as written from written`;
}

const undefinedTable = "42P01";

function explained(error: unknown, table: string): unknown {
  if (!(error instanceof Error && "code" in error && error.code === undefinedTable)) return error;
  return new ToolstileError(
    "ERR_INVALID_OPTION",
    `PostgreSQL knows no table ${table}. Run the SQL that auditTable() gives, as the role that shall own it.`,
    { cause: error },
  );
}
