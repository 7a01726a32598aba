import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { auditLog } from "../../src/index.js";
import { auditTable, postgresSink, verifyRows } from "../../src/postgres.js";
import { settledCall } from "../calls.js";
import { database, isThere } from "./database.js";

describe.skipIf(!isThere)("an audit table (needs PostgreSQL)", () => {
  const { admin, newTable, pool, session } = database();

  /** A table with the opening and four records of the writer "w", with its last head. */
  async function written() {
    const table = await newTable();
    const log = auditLog({
      sink: postgresSink({ client: pool(), table, writer: "w" }),
      key: Buffer.alloc(32, 1),
      payloads: true,
    });
    for (const run of [1, 2, 3, 4]) await log.settle(settledCall({ runId: `run-${run}` }));
    const head = log.head();
    await log.close();
    return { table, head };
  }

  const swapped = "case seq when 3 then 4 else 3 end";
  it.each([
    [
      "a byte was changed",
      (table: string) => `update ${table} set line = replace(line, 'run-2', 'run-9')`,
      { line: 3, seq: 3, reason: expect.stringMatching(/bytes were changed/) },
    ],
    [
      "a row was removed",
      (table: string) => `delete from ${table} where seq = 3`,
      { line: 3, seq: 4, reason: expect.stringMatching(/record 4 stands where record 3 was due/) },
    ],
    [
      "two rows were swapped",
      (table: string) =>
        `alter table ${table} drop constraint ${table.split(".")[1]}_pkey;
         update ${table} set seq = ${swapped} where seq in (3, 4)`,
      { line: 3, seq: 4, reason: expect.stringMatching(/record 4 stands where record 3 was due/) },
    ],
    [
      "a column says something else",
      (table: string) => `update ${table} set seq = 30 where seq = 5`,
      { line: 5, seq: 5, reason: expect.stringMatching(/columns do not say/) },
    ],
    [
      "two records stand in one row",
      (table: string) =>
        `update ${table} set line = line || chr(10) || (select line from ${table} where seq = 4) where seq = 3;
         delete from ${table} where seq = 4`,
      { line: 3, reason: expect.stringMatching(/no line of an audit log/) },
    ],
    [
      "the opening was removed",
      (table: string) => `delete from ${table} where seq = 1`,
      { line: 1, seq: 2, reason: expect.stringMatching(/record 2 stands where record 1 was due/) },
    ],
  ])(
    "has its first bad record named by verifyRows where %s by a superuser",
    async (_, damage, firstBad) => {
      const { table } = await written();
      expect(await verifyRows(admin, { table })).toMatchObject({ ok: true });
      await admin.query(`alter table ${table} disable trigger all; ${damage(table)}`);
      expect(await verifyRows(admin, { table })).toMatchObject({
        ok: false,
        chains: [{ writer: "w", ok: false, records: firstBad.line - 1, firstBad }],
      });
    },
  );

  it("shows a cut tail to whoever kept the head, and its payloads to whoever has the key", async () => {
    const { table, head } = await written();
    const whole = await verifyRows(admin, {
      table,
      writer: "w",
      expect: head,
      key: Buffer.alloc(32, 1),
    });
    expect(whole).toMatchObject({ ok: true, chains: [{ head }] });
    expect(whole.chains[0]?.digestsChecked).toBeGreaterThan(0);
    await admin.query(
      `alter table ${table} disable trigger all; delete from ${table} where seq = 5`,
    );
    expect(await verifyRows(admin, { table })).toMatchObject({ ok: true });
    expect(await verifyRows(admin, { table, writer: "w", expect: head })).toMatchObject({
      ok: false,
      chains: [{ firstBad: { reason: expect.stringMatching(/record 5 was there and is gone/) } }],
    });
  });

  it("is not good when it is empty, or lacks the writer that is asked for", async () => {
    const { table } = await written();
    expect(await verifyRows(admin, { table, writer: "other" })).toMatchObject({ ok: false });
    await admin.query(`alter table ${table} disable trigger all; delete from ${table}`);
    expect(await verifyRows(admin, { table })).toEqual({ ok: false, chains: [] });
  });

  it.each([
    ["update", (table: string) => `update ${table} set line = ''`],
    ["delete", (table: string) => `delete from ${table}`],
    ["truncate", (table: string) => `truncate ${table}`],
    [
      "overwrite",
      (table: string) =>
        `insert into ${table} select * from ${table} on conflict (writer, seq) do update set line = ''`,
    ],
    ["drop", (table: string) => `drop table ${table}`],
    ["lift the bar of", (table: string) => `alter table ${table} disable trigger all`],
  ])("is nothing that the append-only role can %s", async (_, statement) => {
    const { table } = await written();
    const client = await session();
    await expect(client.query(statement(table))).rejects.toThrow(
      /^permission denied|^must be owner/,
    );
    expect(await verifyRows(client, { table })).toMatchObject({ ok: true });
  });

  it.each([
    ["UPDATE", (table: string) => `update ${table} set line = '' where false`],
    ["DELETE", (table: string) => `delete from ${table}`],
    ["TRUNCATE", (table: string) => `truncate ${table}`],
  ])("refuses %s to its owner too, also as a replica", async (name, statement) => {
    const { table } = await written();
    for (const mode of ["origin", "replica"]) {
      await admin.query(`set session_replication_role = ${mode}`);
      const refused = admin.query(statement(table));
      await expect(refused).rejects.toThrow(`the audit log is append-only: ${name} is refused`);
    }
    await admin.query("reset session_replication_role");
    expect(await verifyRows(admin, { table })).toMatchObject({ ok: true });
  });

  it("keeps its rows when its SQL is run again", async () => {
    const { table } = await written();
    const client = await session();
    const { rows } = await client.query("select current_user as role");
    await admin.query(auditTable(table).replaceAll("audit_log_writer", rows[0].role));
    expect(await verifyRows(client, { table })).toMatchObject({ ok: true });
  });
});

describe("auditTable", () => {
  const shipped = readFileSync(new URL("../../sql/audit-log.sql", import.meta.url), "utf8");

  it("gives the shipped SQL", () => {
    expect(auditTable()).toBe(shipped);
  });

  it("names another table wherever the shipped SQL names its own", () => {
    const sql = auditTable("app.calls");
    expect(sql).not.toMatch(/\baudit_log\b/);
    expect(sql.match(/"app"\."calls"/g)).toHaveLength(shipped.match(/\baudit_log\b/g)?.length ?? 0);
    expect(sql).toContain('function "app".audit_log_refusal()');
  });

  it("refuses what is no name", () => {
    expect(() => auditTable("a;b")).toThrow(/'a;b' is none/);
  });
});
