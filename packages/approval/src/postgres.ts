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
    const { id, state, asked: askedText, answered: answeredText } = row;
    const asked = texts.readAsked(String(id), String(askedText));
    if (asked === undefined || row["binding"] !== asked.binding) return undefined;
    if (Number(row["expires_at"]) !== asked.expiresAt) return undefined;
    if (row["run_id"] !== asked.question.runId) return undefined;
    if (answeredText === null) {
      const isPending = state === "pending";
      return isPending ? Object.freeze({ ...asked, answer: undefined, used: false }) : undefined;
    }
    const answer = texts.readAnswered(asked, String(answeredText));
    const used = state === "used";
    if (answer?.decision !== (used ? "approved" : state)) return undefined;
    return Object.freeze({ ...asked, answer, used });
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
      const { rowCount } = await run(
        `UPDATE ${table} SET state = $2, answered = $3
         WHERE id = $1 AND state = 'pending' AND asked = $4`,
        id,
        answer.decision,
        texts.answered(record, answer),
        row?.["asked"],
      );
      return rowCount === 1;
    },
    async consume(id, binding, now) {
      const row = await rowOf(id);
      const record = row === undefined ? undefined : readRow(row);
      if (record?.answer?.decision !== "approved" || record.binding !== binding) return false;
      if (!(now < record.expiresAt)) return false;
      // What was read is what is used up: the row must still hold the very texts.
      const { rows } = await run(
        `UPDATE ${table} SET state = 'used'
         WHERE id = $1 AND state = 'approved' AND binding = $2 AND expires_at > $3::bigint
           AND asked = $4 AND answered = $5
         RETURNING id`,
        id,
        binding,
        Math.floor(now),
        row?.["asked"],
        row?.["answered"],
      );
      return rows.length === 1;
    },
    async hasUsed(runId) {
      const { rows } = await run(
        `SELECT 1 FROM ${table} WHERE run_id = $1 AND state = 'used' LIMIT 1`,
        runId,
      );
      return rows.length > 0;
    },
    async withdraw(id) {
      await run(`DELETE FROM ${table} WHERE id = $1 AND state IN ('pending', 'approved')`, id);
    },
  });
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
