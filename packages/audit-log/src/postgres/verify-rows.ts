import { invalidOption, type OptionTable, readOptions, unchecked } from "@toolstile/core/provider";
import { resolveKey } from "../files/key.js";
import { headOption, keyOption } from "../files/options.js";
import { type ChainHead, genesis } from "../format/chain-head.js";
import { statedHash, statedNumber } from "../format/line.js";
import type { FirstBad } from "../verify/findings.js";
import { OneSegment } from "../verify/one-segment.js";
import { clientOption, columns, type PostgresClient } from "./client.js";
import { writerOption } from "./sink.js";
import { tableName } from "./table.js";

export interface VerifyRowsOptions {
  /** Default `"audit_log"`. */
  readonly table?: string | undefined;
  /** The one chain to check. Default: each that the table holds. */
  readonly writer?: string | undefined;
  /** The writer's key, or the path of its file: commitments are checked where rows hold payloads. */
  readonly key?: Uint8Array | string | undefined;
  /** A head of the writer's chain that was kept elsewhere: the table must still hold that record. */
  readonly expect?: ChainHead | undefined;
}

const where = "verifyRows()";

const rowsOptions = {
  table: unchecked<string>(),
  writer: writerOption,
  key: keyOption,
  expect: headOption,
} satisfies OptionTable<VerifyRowsOptions>;

/** The findings in one writer's chain. */
export interface ChainReport {
  readonly writer: string;
  readonly ok: boolean;
  /** Records before the first bad one: each has its hash and follows from the one before it. A recomputed one may be among them. */
  readonly records: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** Records that the writer says it dropped. */
  readonly dropped: number;
  /** Commitments that were compared with their payloads. */
  readonly digestsChecked: number;
  /** The last of these records. */
  readonly head: ChainHead;
  /** Its `line` counts the writer's rows, from 1. */
  readonly firstBad?: FirstBad | undefined;
}

export interface RowsReport {
  /** True if there is a chain, and every record of every chain is whole and in its place. */
  readonly ok: boolean;
  readonly chains: readonly ChainReport[];
}

/**
 * Checks the chains of a table row by row: each record's hash, number and link
 * to the one before it, and that the columns say what the record says.
 *
 * It shows no cut tail, no chain that was removed or recomputed whole: keep the
 * writers' heads elsewhere, and pass one as `expect`. Rows are read a thousand
 * at a time, also while writers add more.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, and the
 * client's errors.
 */
export async function verifyRows(
  client: PostgresClient,
  options: VerifyRowsOptions = {},
): Promise<RowsReport> {
  clientOption.read(client, where, "client");
  const given = readOptions(where, options, rowsOptions);
  const { expect } = given;
  if (expect !== undefined && given.writer === undefined) {
    throw invalidOption(where, "'expect' needs 'writer', the chain that the record belongs to.");
  }
  const table = tableName(where, given.table).sql;
  const key = given.key === undefined ? undefined : resolveKey(where, given.key, undefined);
  const writers = given.writer === undefined ? await writersIn(client, table) : [given.writer];
  const chains: ChainReport[] = [];
  for (const writer of writers) {
    chains.push(
      await chainOf(client, table, writer, new OneSegment({ after: genesis, expect, key })),
    );
  }
  return { ok: chains.length > 0 && chains.every(({ ok }) => ok), chains };
}

async function writersIn(client: PostgresClient, table: string): Promise<readonly string[]> {
  const { rows } = await client.query(`select distinct writer from ${table} order by writer`, []);
  return rows.map((row) => String(columns(row).get("writer")));
}

const rowsAtOnce = 1_000;

async function chainOf(
  client: PostgresClient,
  table: string,
  writer: string,
  check: OneSegment,
): Promise<ChainReport> {
  let firstBad: FirstBad | undefined;
  let count = 0;
  for (let after = "0"; firstBad === undefined; ) {
    const { rows } = await client.query(
      `select seq::text as seq, prev, hash, line from ${table} as stored
        where writer = $1 and stored.seq > $2::bigint order by stored.seq limit ${rowsAtOnce}`,
      [writer, after],
    );
    for (const row of rows) {
      count++;
      firstBad = badRow(columns(row), check, count);
      if (firstBad !== undefined) break;
      after = String(columns(row).get("seq"));
    }
    if (rows.length < rowsAtOnce) break;
  }
  if (firstBad === undefined) {
    check.finish();
    firstBad = check.firstBad;
  }
  const { kinds, dropped, digestsChecked } = check;
  const { head } = check.chain;
  const ok = firstBad === undefined;
  return { writer, ok, records: head.seq, kinds, dropped, digestsChecked, head, firstBad };
}

const noLine = "the row holds no line of an audit log";

function badRow(
  row: ReadonlyMap<string, unknown>,
  check: OneSegment,
  count: number,
): FirstBad | undefined {
  const line = row.get("line");
  if (typeof line !== "string" || line.includes("\n")) {
    return { line: count, reason: noLine };
  }
  const block = Buffer.from(`${line}\n`);
  const agrees =
    row.get("seq") === String(statedNumber(line)) &&
    row.get("prev") === check.chain.head.hash &&
    row.get("hash") === statedHash(line);
  if (agrees) {
    return check.chain.block(block)
      ? undefined
      : (check.firstBad ?? { line: count, reason: noLine });
  }
  // What is wrong with the record itself says more; where nothing is, it still does not count.
  const alone = new OneSegment({ after: check.chain.head, expect: undefined, key: undefined });
  alone.chain.block(block);
  const reason = alone.firstBad?.reason ?? "the row's columns do not say what its record says";
  return { line: count, seq: statedNumber(line), reason };
}
