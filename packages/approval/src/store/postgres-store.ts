import { type OptionTable, readOptions, required, such, text } from "@toolstile/core/provider";
import { graceMs, lettersOf } from "../record/approval-id.js";
import type { ApprovalRecord } from "../record/record.js";
import { defaultTable, identifier, isOpenSql } from "./approval-table.js";
import { keyOption, resolveKey } from "./key.js";
import { SealedTexts } from "./sealed-text.js";
import { keysOf, mostOf, type Sought, soughtKey } from "./sought.js";
import type { ApprovalStore } from "./store.js";

export { approvalTable } from "./approval-table.js";

/** The part of a client or pool of `pg` that is used. */
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
  /** The key that seals questions and answers: at least 32 random bytes, or the path of a file with them. Default: none, and whoever can write to the table can approve. */
  readonly key?: Uint8Array | string | undefined;
  /** The table that `approvalTable()` makes. Default "toolstile_approvals". */
  readonly table?: string | undefined;
}

/** Known to all: without a key of one's own, a seal shows damage and proves nothing. */
const publicKey = new Uint8Array(32);

const postgresTable = {
  client: required(such<PostgresClient>(isClient, "a Pool or a Client of pg")),
  key: keyOption,
  table: text().default(defaultTable),
} satisfies OptionTable<PostgresStoreOptions>;

/**
 * Keeps approvals in PostgreSQL, for any number of hosts, whose clocks decide
 * what has expired.
 *
 * Each statement stands alone: a pool will do, and no transaction is held.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a table's name or a key that is none.
 */
export function postgresStore(options: PostgresStoreOptions): ApprovalStore {
  const { client, key, table: name } = readOptions("postgresStore()", options, postgresTable);
  const table = identifier(name);
  const texts = new SealedTexts(resolveKey("postgresStore()", key ?? publicKey));
  const run = (text: string, ...values: unknown[]) => client.query(text, values);

  /** The row as it was written, or nothing where it is not. */
  function readRow(row: Record<string, unknown>): ApprovalRecord | undefined {
    const { state } = row;
    const record = isOpen(state) ? readOpen(row) : texts.readClosed(...idAndText(row));
    if (record === undefined || row["binding"] !== record.binding) return undefined;
    if (Number(row["expires_at"]) !== record.expiresAt) return undefined;
    if (row["run_id"] !== record.question.runId) return undefined;
    // Rows from before these columns have none.
    const { likeness, call } = row;
    if (likeness !== null && likeness !== record.likeness) return undefined;
    if (call !== null && call !== lettersOf(keysOf(record).call)) return undefined;
    const stands = record.used ? "used" : (record.answer?.decision ?? "pending");
    return stands === state ? record : undefined;
  }

  function readOpen(row: Record<string, unknown>): ApprovalRecord | undefined {
    const asked = texts.readAsked(...idAndText(row));
    if (asked === undefined) return undefined;
    const { answered: text } = row;
    const answer = text === null ? undefined : texts.readAnswered(asked, String(text));
    // There is an answer that cannot be read: it must not be taken for a yes.
    if (text !== null && answer === undefined) return undefined;
    return Object.freeze({ ...asked, answer, used: false });
  }

  async function rowOf(id: string): Promise<Record<string, unknown> | undefined> {
    return (await run(`SELECT * FROM ${table} WHERE id = $1`, id)).rows[0];
  }

  async function isAbove(maxOpen: number, now: number): Promise<boolean> {
    const { rows } = await run(
      `SELECT count(*) > $1::bigint AS above FROM ${table}
       WHERE ${isOpenSql} AND expires_at > $2::bigint`,
      maxOpen,
      Math.floor(now),
    );
    return rows[0]?.["above"] !== false;
  }

  /** The rows of some states whose time is not over; of what is sought, and maybe of more. */
  async function rowsIn(states: string, now: number, sought: Sought | undefined) {
    const [condition, ...value] = conditionOf(sought);
    const { rows } = await run(
      `SELECT * FROM ${table} WHERE ${states} AND expires_at > $1::bigint ${condition}`,
      Math.floor(now),
      ...value,
    );
    return rows;
  }

  return Object.freeze<ApprovalStore>({
    async add(asked, { maxOpen, now }) {
      await run(`DELETE FROM ${table} WHERE expires_at <= $1::bigint`, Math.floor(now) - graceMs);
      if (await isAbove(maxOpen - 1, now)) return false;
      await run(
        `INSERT INTO ${table} (id, run_id, state, binding, expires_at, asked, likeness, call)
         VALUES ($1, $2, 'pending', $3, $4::bigint, $5, $6, $7)`,
        asked.id,
        asked.question.runId,
        asked.binding,
        asked.expiresAt,
        texts.asked(asked),
        asked.likeness,
        lettersOf(keysOf(asked).call),
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
    async list(now, sought) {
      const rows = await rowsIn(isOpenSql, now, sought);
      const read = rows.map((row) => ({ id: String(row["id"]), record: readRow(row) }));
      return {
        records: read.flatMap(({ record }) => (record === undefined ? [] : [record])),
        damaged: read.filter(({ record }) => record === undefined).map(({ id }) => id),
      };
    },
    async refused(now, sought) {
      const rows = await rowsIn("state = 'denied'", now, sought);
      return rows.flatMap((row) => readRow(row) ?? []);
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
        (row) => row["state"] === "used" || texts.readClosed(...idAndText(row))?.used === true,
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

/** The condition that the sought rows fulfil, and its values from $2 on. */
function conditionOf(sought: Sought | undefined): readonly [string, ...(string | number | null)[]] {
  if (sought === undefined) return ["ORDER BY id"];
  if ("id" in sought) return ["AND id = $2", sought.id];
  const [kind, key] = soughtKey(sought);
  if (kind === "run") return ["AND run_id = $2", key];
  // Rows from before these columns have none: they may be what is sought.
  if (kind === "call") return ["AND (call = $2 OR call IS NULL)", lettersOf(key)];
  const most = mostOf(sought);
  return [
    "AND state = 'pending' AND (likeness = $2 OR likeness IS NULL) LIMIT $3::bigint",
    key,
    Number.isFinite(most) ? most : null,
  ];
}

/** A row's id, and the text that says all but its answer. */
function idAndText(row: Record<string, unknown>): [string, string] {
  return [String(row["id"]), String(row["asked"])];
}

function isClient(value: unknown): boolean {
  return typeof (Object(value) as Partial<PostgresClient>).query === "function";
}
