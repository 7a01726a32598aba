import { ToolstileError } from "@toolstile/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AuditLog, type AuditLogOptions, auditLog, verify } from "../../src/index.js";
import { type PostgresClient, postgresSink, verifyRows } from "../../src/postgres.js";
import { settledCall } from "../calls.js";
import { callRecords } from "../records.js";
import { database, isThere } from "./database.js";

const call = (index: number) => settledCall({ runId: `run-${index}` });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Closed also when a test fails: its pool waits for the connection. */
function open(options: AuditLogOptions): AuditLog {
  const log = auditLog(options);
  onTestFinished(() => log.close().catch(() => {}));
  return log;
}

function settleAll(log: AuditLog, runs: readonly number[]) {
  return Promise.allSettled(runs.map((run) => log.settle(call(run))));
}

describe.skipIf(!isThere)("postgresSink (needs PostgreSQL)", () => {
  const { admin, newTable, pool, session } = database();

  async function linesOf(table: string, writer: string): Promise<string[]> {
    const { rows } = await admin.query(`select line from ${table} where writer = $1 order by seq`, [
      writer,
    ]);
    return rows.map(({ line }) => line);
  }
  const runsOf = async (table: string, writer: string) =>
    callRecords(await linesOf(table, writer)).map(({ runId }) => runId);

  /** The server's process that waits for the table's lock. */
  async function blockedAt(table: string): Promise<number> {
    for (;;) {
      const { rows } = await admin.query(
        "select pid from pg_locks where relation = $1::regclass and not granted",
        [table],
      );
      if (rows.length > 0) return rows[0].pid;
    }
  }

  it("adds one row a record, whose columns are the record's number and hashes", async () => {
    const table = await newTable();
    const sink = postgresSink({ client: pool(), table });
    const log = open({ sink });
    await settleAll(log, [1, 2]);
    const { rows } = await admin.query(`select * from ${table} order by seq`);
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      const { seq, prev, hash } = JSON.parse(row.line);
      expect(row).toMatchObject({ writer: sink.writer, seq: String(seq), prev, hash });
    }
    expect(log.head()).toEqual({ seq: 3, hash: rows[2].hash });
    expect(await verify(rows.map(({ line }) => line))).toMatchObject({ ok: true, records: 3 });
    await log.close();
  });

  it("goes on with a writer's chain, also through a single client", async () => {
    const table = await newTable();
    const client = await session();
    for (const run of [1, 2]) {
      const log = open({ sink: postgresSink({ client, table, writer: "w" }) });
      await log.settle(call(run));
      await log.close();
    }
    expect(await runsOf(table, "w")).toEqual(["run-1", "run-2"]);
    expect(await verifyRows(admin, { table })).toMatchObject({
      ok: true,
      chains: [{ writer: "w", records: 4, kinds: { head: 2, outcome: 2 } }],
    });
  });

  it("keeps apart the chains of two writers that add to one table at once", async () => {
    const table = await newTable();
    const client = pool();
    const sinks = [postgresSink({ client, table }), postgresSink({ client, table })];
    const logs = sinks.map((sink) => open({ sink }));
    await Promise.all(logs.map((log) => settleAll(log, upTo(1_100))));
    await Promise.all(logs.map((log) => log.close()));
    const report = await verifyRows(admin, { table });
    expect(report.ok).toBe(true);
    expect(report.chains.map(({ records }) => records)).toEqual([1_101, 1_101]);
    expect(new Set(report.chains.map(({ writer }) => writer))).toEqual(
      new Set(sinks.map(({ writer }) => writer)),
    );
  });

  it.each(["another connection", "the same connection"])(
    "refuses a second audit log for a writer that has one, on %s",
    async (where) => {
      const table = await newTable();
      const client = await session();
      const first = open({ sink: postgresSink({ client, table, writer: "w" }) });
      await first.settle(call(1));
      const other = where === "the same connection" ? client : pool();
      const second = open({ sink: postgresSink({ client: other, table, writer: "w" }) });
      await expect(second.settle(call(2))).rejects.toThrow(/has the chain of the writer 'w'/);
      await second.close();
      await first.settle(call(3));
      await first.close();
      expect(await runsOf(table, "w")).toEqual(["run-1", "run-3"]);
      const third = open({ sink: postgresSink({ client: other, table, writer: "w" }) });
      await third.settle(call(4));
      await third.close();
      expect(await verifyRows(admin, { table })).toMatchObject({ ok: true });
    },
  );

  it("stops a writer whose lock was lost as soon as another has added to its chain", async () => {
    const table = await newTable();
    const client = await session();
    const first = open({ sink: postgresSink({ client, table, writer: "w" }) });
    await first.settle(call(1));
    await client.query("select pg_advisory_unlock_all()");
    const second = open({ sink: postgresSink({ client: pool(), table, writer: "w" }) });
    await second.settle(call(2));
    await expect(first.settle(call(3))).rejects.toThrow(/stopped for good.*23505/);
    await expect(first.settle(call(4))).rejects.toThrow(/stopped for good/);
    await second.settle(call(5));
    await Promise.all([first.close(), second.close()]);
    expect(await runsOf(table, "w")).toEqual(["run-1", "run-2", "run-5"]);
    expect(await verifyRows(admin, { table })).toMatchObject({ ok: true });
  });

  it("adds nothing of a batch whose connection is killed, and refuses all that comes after", async () => {
    const table = await newTable();
    const log = open({ sink: postgresSink({ client: pool(), table, writer: "w" }) });
    await settleAll(log, [1, 2]);
    await admin.query(`begin; lock table ${table} in share mode`);
    const caught = settleAll(log, [3, 4]);
    await admin.query("select pg_terminate_backend($1)", [await blockedAt(table)]);
    const reasons = (await caught).map((it) => it.status === "rejected" && it.reason.message);
    await admin.query("commit");
    expect(reasons).toEqual(Array(2).fill(expect.stringMatching(/stopped for good/)));
    await expect(log.settle(call(5))).rejects.toThrow(/stopped for good/);
    await log.close();
    expect(await runsOf(table, "w")).toEqual(["run-1", "run-2"]);
    const next = open({ sink: postgresSink({ client: pool(), table, writer: "w" }) });
    await next.settle(call(6));
    await next.close();
    expect(await runsOf(table, "w")).toEqual(["run-1", "run-2", "run-6"]);
    expect(await verifyRows(admin, { table })).toMatchObject({ ok: true });
  });

  it("has every record that it acknowledged, whenever its connection is killed", async () => {
    const table = await newTable();
    for (const many of [1, 300, 700]) {
      const client = await session();
      const { rows } = await client.query("select pg_backend_pid() as pid");
      const writer = `w${many}`;
      const log = open({ sink: postgresSink({ client, table, writer }) });
      const acknowledged: string[] = [];
      const settled = upTo(2_000).map(async (run) => {
        await log.settle(call(run));
        if (acknowledged.push(`run-${run}`) === many) {
          await admin.query("select pg_terminate_backend($1)", [rows[0].pid]);
        }
      });
      const ends = await Promise.allSettled(settled);
      await log.close();
      expect(ends.some(({ status }) => status === "rejected")).toBe(true);
      const kept = await runsOf(table, writer);
      expect(kept.slice(0, acknowledged.length)).toEqual(acknowledged);
      expect(await verifyRows(admin, { table, writer })).toMatchObject({ ok: true });
    }
  });

  it("acknowledges no record that the table let disappear", async () => {
    const table = await newTable();
    await admin.query(
      `create function ${table}_lose() returns trigger language plpgsql as 'begin return null; end';
       create trigger lose before insert on ${table} for each row when (new.seq > 1)
         execute function ${table}_lose()`,
    );
    const log = open({ sink: postgresSink({ client: pool(), table }) });
    await expect(log.settle(call(1))).rejects.toThrow(/did not take all records/);
    await log.close();
  });

  it("adds nothing to a chain whose last record was changed", async () => {
    const table = await newTable();
    const client = pool();
    const log = open({ sink: postgresSink({ client, table, writer: "w" }) });
    await log.settle(call(1));
    await log.close();
    await admin.query(`alter table ${table} disable trigger all`);
    await admin.query(`update ${table} set line = replace(line, 'run-1', 'run-7')`);
    const next = open({ sink: postgresSink({ client, table, writer: "w" }) });
    await expect(next.settle(call(2))).rejects.toThrow(/last record of the writer 'w' was changed/);
    await next.close();
  });

  it("says what to run where there is no table", async () => {
    const log = open({ sink: postgresSink({ client: pool(), table: "absent.audit_log" }) });
    await expect(log.settle(call(1))).rejects.toThrow(ToolstileError);
    await log.close();
    const other = open({ sink: postgresSink({ client: pool(), table: "no_such_audit_log" }) });
    await expect(other.settle(call(1))).rejects.toThrow(/knows no table.*auditTable\(\)/);
    await other.close();
  });
});

describe("postgresSink's options", () => {
  const client: PostgresClient = { query: async () => ({ rows: [] }) };

  it.each([
    ["no client", {}, /query\(text, values\)/],
    ["a table that is SQL", { client, table: 'a"; drop table x; --' }, /'table' is a name/],
    ["a table of three parts", { client, table: "a.b.c" }, /'table' is a name/],
    ["an empty writer", { client, writer: "" }, /'writer' must be a string/],
    ["a writer with NUL", { client, writer: "a\0" }, /'writer' must be a string/],
    ["a misspelt option", { client, tabel: "x" }, /Did you mean 'table'/],
  ])("are refused with %s", (_, options, message) => {
    expect(() => postgresSink(options as never)).toThrow(message);
  });
});
