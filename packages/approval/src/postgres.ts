import { checkOptions, quoted, ToolstileError } from "@toolstile/core";
import { resolveKey } from "./key.js";
import { SealedTexts } from "./sealed-text.js";
import type { ApprovalRecord, ApprovalStore } from "./store.js";

/** What is used of a client or pool of `pg`. */
export interface PostgresClient {
  readonly query: (
    text: string,
    values: unknown[],
  ) => PromiseLike<{
    readonly rows: readonly Record<string, unknown>[];
    readonly rowCount: number | null;
  }>;
}

export interface PostgresStoreOptions {
  /** A `Pool` or a connected `Client` of `pg`. Yours: it is not ended with the store. */
  readonly client: PostgresClient;
  /** What seals questions and answers: at least 32 random bytes, or the path of a file that holds them. Default: none, and whoever may write to the table can approve. */
  readonly key?: Uint8Array | string | undefined;
  /** The table that `approvalTable()` makes. Default "toolstile_approvals". */
  readonly table?: string | undefined;
}

const defaultTable = "toolstile_approvals";
/** Known to all: without a key of one's own, a seal shows damage and proves nothing. */
const publicKey = new Uint8Array(32);
/** How long what has expired is kept: no host's clock may be further behind another's. */
const graceMs = 3_600_000;

/**
 * The SQL that makes the table, unless it is there. Run it once, as its owner.
 *
 * The role of the process needs SELECT, INSERT, UPDATE and DELETE on it.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a name that is none.
 */
export function approvalTable(table: string = defaultTable): string {
  return `CREATE TABLE IF NOT EXISTS ${identifier(table)} (
  id text PRIMARY KEY,
  run_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used')),
  binding text NOT NULL,
  expires_at bigint NOT NULL,
  asked text NOT NULL,
  answered text CHECK ((answered IS NULL) = (state = 'pending'))
);
`;
}

/**
 * Keeps approvals in PostgreSQL, for any number of hosts, whose clocks decide
 * what has expired.
 *
 * Each statement stands alone: a pool will do, and no transaction is held.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a table's name or a key that is none.
 */
export function postgresStore(options: PostgresStoreOptions): ApprovalStore {
  checkOptions("postgresStore()", options, ["client", "key", "table"]);
  const given: Partial<PostgresStoreOptions> = Object.assign(Object.create(null), options);
  const { client, key, table: name = defaultTable } = given;
  if (client === undefined || typeof client?.query !== "function") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "postgresStore(): 'client' is a Pool or a Client of pg.",
    );
  }
  if (key !== undefined && typeof key !== "string" && !(key instanceof Uint8Array)) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "postgresStore(): 'key' is bytes, or the path of a file that holds them.",
    );
  }
  const table = identifier(name);
  const texts = new SealedTexts(resolveKey(key ?? publicKey));
  const run = (text: string, ...values: unknown[]) => client.query(text, values);

  /** The row as it was written, or nothing where it is not. */
  function readRow(row: Record<string, unknown>): ApprovalRecord | undefined {
    const { state } = row;
    const record = isOpen(state) ? readOpen(row) : texts.readClosed(...textOf(row));
    if (record === undefined || row["binding"] !== record.binding) return undefined;
    if (Number(row["expires_at"]) !== record.expiresAt) return undefined;
    if (row["run_id"] !== record.question.runId) return undefined;
    const stands = record.used ? "used" : (record.answer?.decision ?? "pending");
    return stands === state ? record : undefined;
  }

  function readOpen(row: Record<string, unknown>): ApprovalRecord | undefined {
    const asked = texts.readAsked(...textOf(row));
    if (asked === undefined) return undefined;
    const { answered: text } = row;
    const answer = text === null ? undefined : texts.readAnswered(asked, String(text));
    // Somebody's answer is no more to be read: that it was a yes must not be guessed.
    if (text !== null && answer === undefined) return undefined;
    return Object.freeze({ ...asked, answer, used: false });
  }

  async function rowOf(id: string): Promise<Record<string, unknown> | undefined> {
    return (await run(`SELECT * FROM ${table} WHERE id = $1`, id)).rows[0];
  }

  async function isAbove(maxOpen: number, now: number): Promise<boolean> {
    const { rows } = await run(
      `SELECT count(*) > $1::bigint AS above FROM ${table}
       WHERE state IN ('pending', 'approved') AND expires_at > $2::bigint`,
      maxOpen,
      Math.floor(now),
    );
    return rows[0]?.["above"] !== false;
  }

  return Object.freeze<ApprovalStore>({
    async add(asked, { maxOpen, now }) {
      await run(`DELETE FROM ${table} WHERE expires_at <= $1::bigint`, Math.floor(now) - graceMs);
      if (await isAbove(maxOpen - 1, now)) return false;
      await run(
        `INSERT INTO ${table} (id, run_id, state, binding, expires_at, asked)
         VALUES ($1, $2, 'pending', $3, $4::bigint, $5)`,
        asked.id,
        asked.question.runId,
        asked.binding,
        asked.expiresAt,
        texts.asked(asked),
      );
      // Others may have added theirs since: whoever comes out above the limit takes its own back.
      if (!(await isAbove(maxOpen, now))) return true;
      await run(`DELETE FROM ${table} WHERE id = $1`, asked.id);
      return false;
    },
    async read(id) {
      const row = await rowOf(id);
      return row === undefined ? undefined : readRow(row);
    },
    async list(now) {
      const { rows } = await run(
        `SELECT * FROM ${table}
         WHERE state IN ('pending', 'approved') AND expires_at > $1::bigint ORDER BY id`,
        Math.floor(now),
      );
      const read = rows.map((row) => ({ id: String(row["id"]), record: readRow(row) }));
      return {
        records: read.flatMap(({ record }) => (record === undefined ? [] : [record])),
        damaged: read.filter(({ record }) => record === undefined).map(({ id }) => id),
      };
    },
    async answer(id, answer) {
      const row = await rowOf(id);
      const record = row === undefined ? undefined : readRow(row);
      if (record === undefined || !(answer.at < record.expiresAt)) return false;
      const isYes = answer.decision === "approved";
      const { rowCount } = await run(
        `UPDATE ${table} SET state = $2, asked = $3, answered = $4
         WHERE id = $1 AND state = 'pending' AND asked = $5`,
        id,
        answer.decision,
        isYes ? row?.["asked"] : texts.closed(record, answer),
        isYes ? texts.answered(record, answer) : "",
        row?.["asked"],
      );
      return rowCount === 1;
    },
    async consume(id, binding, now) {
      const row = await rowOf(id);
      const record = row === undefined ? undefined : readRow(row);
      if (record?.answer?.decision !== "approved" || record.binding !== binding) return false;
      if (!(now < record.expiresAt)) return false;
      // What was read is what is used up: the row must still hold the very texts. They go, so that
      // no change of the row's state brings the grant back.
      const { rows } = await run(
        `UPDATE ${table} SET state = 'used', asked = $4, answered = ''
         WHERE id = $1 AND state = 'approved' AND binding = $2 AND expires_at > $3::bigint
           AND asked = $5 AND answered = $6
         RETURNING id`,
        id,
        binding,
        Math.floor(now),
        texts.closed(record, record.answer),
        row?.["asked"],
        row?.["answered"],
      );
      return rows.length === 1;
    },
    async hasUsed(runId) {
      const { rows } = await run(`SELECT * FROM ${table} WHERE run_id = $1`, runId);
      // Whatever its state was made since, the row says that its grant was used.
      return rows.some(
        (row) => row["state"] === "used" || texts.readClosed(...textOf(row))?.used === true,
      );
    },
    async withdraw(id) {
      await run(`DELETE FROM ${table} WHERE id = $1 AND state IN ('pending', 'approved')`, id);
    },
  });
}

function isOpen(state: unknown): boolean {
  return state === "pending" || state === "approved";
}

/** A row's id, and the text that says all but its answer. */
function textOf(row: Record<string, unknown>): [string, string] {
  return [String(row["id"]), String(row["asked"])];
}

/** Each part in quotes. Letters, digits and `_` only: nothing of it can be read as SQL. */
function identifier(table: string): string {
  const parts = String(table).split(".");
  if (parts.length <= 2 && parts.every((part) => /^[A-Za-z_]\w{0,62}$/.test(part))) {
    return parts.map((part) => `"${part}"`).join(".");
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `${quoted(String(table))} is no name of a table: letters, digits and _, with a schema before a dot.`,
  );
}
