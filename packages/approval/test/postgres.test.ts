import { randomBytes } from "node:crypto";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { approvals } from "../src/approvals/approvals.js";
import { approvalTable, type PostgresClient, postgresStore } from "../src/store/postgres-store.js";
import { hasPostgres, temporaryTable } from "./database.js";
import { asked, question } from "./questions.js";

const yes = { decision: "approved", by: "ann", at: 10 } as const;

describe.skipIf(!(await hasPostgres()))("postgresStore() (needs PostgreSQL)", () => {
  async function twoApprovals() {
    const { client, table } = await temporaryTable();
    const store = postgresStore({ client, table, key: randomBytes(32) });
    const approved = asked();
    const pending = asked(question({ args: { to: "Eve", amount: 1 } }));
    for (const each of [approved, pending]) await store.add(each, { maxOpen: 9, now: 0 });
    await store.answer(approved.id, yes);
    return { client, table, store, approved, pending };
  }

  it("P9 approves nothing by an update of the table", async () => {
    const { client, table, store, approved, pending } = await twoApprovals();
    const answer = "answered = (SELECT answered FROM old)";
    for (const set of [`state = 'approved', ${answer}`, `state = 'used', ${answer}`]) {
      await client.query(
        `WITH old AS (SELECT * FROM ${table} WHERE id = $1) UPDATE ${table} SET ${set} WHERE id = $2`,
        [approved.id, pending.id],
      );
      expect(await store.consume(pending.id, pending.binding, 20)).toBe(false);
      expect((await store.list(20)).records.map(({ id }) => id)).toEqual([approved.id]);
    }
  });

  it.each([
    ["who answered", `answered = replace(answered, '"by":"ann"', '"by":"eve"')`],
    ["when it expires", "expires_at = 2000"],
    ["the arguments", "asked = replace(asked, '9999', '9998')"],
    ["the binding", "binding = repeat('0', 64)"],
  ])("P9 approves nothing with %s changed in the table", async (_, set) => {
    const { client, table, store, approved } = await twoApprovals();
    await client.query(`UPDATE ${table} SET ${set} WHERE id = $1`, [approved.id]);
    expect(await store.consume(approved.id, approved.binding, 20)).toBe(false);
    expect((await store.list(20)).damaged).toEqual([approved.id]);
  });

  /** Every state that one statement can give a row, and every answer that it can put there or leave. */
  const changes = ["pending", "approved", "denied", "used"].flatMap((state) =>
    state === "pending"
      ? [`state = 'pending', answered = NULL`]
      : ["answered", "''", "asked", "other.answered"].map(
          (answered) => `state = '${state}', answered = ${answered}`,
        ),
  );

  it.each(changes)(
    "P9 brings back no grant that was used and no question that was denied by: SET %s",
    async (set) => {
      const { client, table, store, approved: used, pending: denied } = await twoApprovals();
      const other = asked();
      await store.add(other, { maxOpen: 9, now: 0 });
      await store.answer(other.id, yes);
      await store.answer(denied.id, { ...yes, decision: "denied" });
      expect(await store.consume(used.id, used.binding, 20)).toBe(true);
      for (const each of [used, denied]) {
        await client.query(
          `UPDATE ${table} AS row SET ${set.replace(/(?<!\.)\b(answered|asked)$/, "row.$1")}
         FROM (SELECT answered FROM ${table} WHERE id = $2) AS other WHERE row.id = $1`,
          [each.id, other.id],
        );
        expect(await store.answer(each.id, yes)).toBe(false);
        expect(await store.consume(each.id, each.binding, 20)).toBe(false);
        expect((await store.list(20)).records.map(({ id }) => id)).toEqual([other.id]);
      }
      expect(await store.hasUsed(used.question.runId)).toBe(true);
      expect(await store.hasUsed(denied.question.runId)).toBe(set.startsWith("state = 'used'"));
    },
  );

  it("tells who answered also of what was used or denied", async () => {
    const { store, approved, pending } = await twoApprovals();
    await store.consume(approved.id, approved.binding, 20);
    await store.answer(pending.id, { ...yes, decision: "denied", reason: "not today" });
    expect(await store.read(approved.id)).toMatchObject({ ...approved, answer: yes, used: true });
    const answer = { ...yes, decision: "denied", reason: "not today" };
    expect(await store.read(pending.id)).toMatchObject({ ...pending, answer, used: false });
  });

  it("survives a restart, and forgets what expired more than an hour ago", async () => {
    const { client, table } = await temporaryTable();
    const one = asked();
    await postgresStore({ client, table }).add(one, { maxOpen: 9, now: 0 });
    const later = postgresStore({ client, table });
    expect(await later.answer(one.id, yes)).toBe(true);
    expect(await later.consume(one.id, one.binding, 20)).toBe(true);
    await later.add(asked(question(), 0, 9_000_000), { maxOpen: 9, now: 3_601_000 });
    expect((await client.query(`SELECT * FROM ${table}`)).rowCount).toBe(1);
  });

  it("looks at no other row to ask, to answer and to use an approval, but to count them", async () => {
    const { client, table } = await temporaryTable();
    const statements: [string, unknown[]][] = [];
    const noting: PostgresClient = {
      query(text, values) {
        statements.push([text, values]);
        return client.query(text, values);
      },
    };
    const store = postgresStore({ client: noting, table });
    const desk = approvals({ store, clock: fakeClock(0), maxPending: 5_000 });
    // So many that it does not pay to go through them all.
    await client.query(
      `INSERT INTO ${table} (id, run_id, state, binding, expires_at, asked, likeness, call)
       SELECT i, i, 'pending', '', 1000, repeat('x', 500), i, i FROM generate_series(1, 3000) AS i`,
    );
    await client.query(`ANALYZE ${table}`);
    const one = question();
    const { signal } = new AbortController();
    const answer = await desk.ask(one, { signal });
    const id = answer.decision === "pending" ? answer.approvalId : "";
    await desk.find(() => false, { callId: one.callId, sessionId: one.context.sessionId });
    await desk.answer(id, { decision: "approved", by: "ann" });
    expect(await desk.consume(id, one)).toEqual({ by: "ann" });
    expect(statements.length).toBeGreaterThan(12);
    for (const [text, values] of statements) {
      const { rows } = await client.query(`EXPLAIN ${text}`, values);
      const plan = rows.map((each) => each["QUERY PLAN"]).join("\n");
      const isCount = text.includes("count(*)");
      expect(plan, plan).toMatch(isCount ? /./ : /Insert|Index Scan/);
      if (!isCount) expect(plan, plan).not.toContain("Seq Scan");
    }
  });

  it("finds what was asked before the table had the columns to find it by", async () => {
    const { client, table, store, pending } = await twoApprovals();
    await client.query(`UPDATE ${table} SET likeness = NULL, call = NULL`);
    const { callId, context, runId } = pending.question;
    const call = { callId, sessionId: context.sessionId };
    for (const sought of [{ likeness: pending.likeness }, call, { runId }]) {
      const { records } = await store.list(20, sought);
      expect(records.map(({ id }) => id)).toContain(pending.id);
    }
    await client.query(`UPDATE ${table} SET likeness = 'x' WHERE id = $1`, [pending.id]);
    expect((await store.list(20)).damaged).toEqual([pending.id]);
  });

  it("rejects while the database cannot be asked", async () => {
    const client = { query: () => Promise.reject(new Error("gone")) };
    const store = postgresStore({ client });
    const one = asked();
    await expect(store.consume(one.id, one.binding, 0)).rejects.toThrow("gone");
    await expect(store.add(one, { maxOpen: 9, now: 0 })).rejects.toThrow("gone");
  });
});

it.each(["a b", "a;drop", 'a"', "a.b.c", "", "1a", "ä"])("refuses the table name %j", (table) => {
  expect(() => approvalTable(table)).toThrow(/must be the name of a table/);
});

it("names the option that is wrong", () => {
  const client = { query: () => Promise.reject(new Error()) };
  expect(() => postgresStore({} as never)).toThrow(/'client' must be/);
  expect(() => postgresStore({ client, key: 7 as never })).toThrow(/'key' must be/);
  expect(() => postgresStore({ client, tabel: "x" } as never)).toThrow(/Did you mean 'table'/);
});
