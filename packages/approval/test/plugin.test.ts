import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Approvals, approvals, fileStore, plugin } from "../src/index.js";
import { plugin as inPostgres, postgresStore } from "../src/postgres.js";
import { databaseUrl, hasPostgres, temporaryTable } from "./database.js";
import { question } from "./questions.js";

const isThere = await hasPostgres();
const options = { signal: new AbortController().signal };
const yes = { decision: "approved", by: "ann" } as const;

/** Asks the approver that a plugin made, answers by another one, and uses the grant. */
async function asksAndUses(made: Approvals, other: Approvals): Promise<void> {
  const asked = question({ runId: "r1" });
  const answer = await made.ask(asked, options);
  if (answer.decision !== "pending") throw new Error(answer.decision);
  await other.answer(answer.approvalId, yes);
  expect(await made.consume(answer.approvalId, asked)).toEqual({ by: "ann" });
  expect(await made.consume(answer.approvalId, asked)).toBe(false);
}

describe("the plugin of an approver with a folder", () => {
  it("keeps approvals in the folder, where others answer", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolstile-approval-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "approvals");
    const made = plugin.create({
      folder: { path },
      approvers: ["ann"],
      maxPending: 1,
    }) as Approvals;
    expect(existsSync(join(path, "key"))).toBe(true);
    await asksAndUses(made, approvals({ store: fileStore(path, { create: false }) }));
    await made.ask(question({ runId: "r2" }), options);
    expect(await made.ask(question({ runId: "r3" }), options)).toMatchObject({
      reason: "too many approvals are open",
    });
    await made.close();
  });

  it.each([
    [{}, "'folder'"],
    [{ folder: { pth: "x" } }, "Did you mean 'path'?"],
    [{ folder: { path: "" } }, "folder"],
    [{ folder: { path: "x" }, keyFile: "/nowhere/key" }, "cannot be read"],
    [{ folder: { path: "x" }, expiresInMS: 1 }, "Did you mean 'expiresInMs'?"],
  ])("P5 refuses %j", (given, message) => {
    expect(() => plugin.create(given as never)).toThrow(message);
  });
});

describe.skipIf(!isThere)("the plugin of an approver with PostgreSQL", () => {
  it("keeps approvals in the table, where others answer, and ends its connections", async () => {
    const { client, table } = await temporaryTable();
    const url = `${databaseUrl}?application_name=${table.slice(0, 30)}`;
    const made = inPostgres.create({ postgres: { url, table } }) as Approvals;
    await asksAndUses(made, approvals({ store: postgresStore({ client, table }) }));
    const connected = async () =>
      (
        await client.query("SELECT FROM pg_stat_activity WHERE application_name = $1", [
          table.slice(0, 30),
        ])
      ).rows.length;
    expect(await connected()).toBeGreaterThan(0);
    await made.close();
    await expect.poll(connected).toBe(0);
  });
});

describe("the plugin of an approver with PostgreSQL, without one", () => {
  const url = "postgres://nobody@127.0.0.1:1/none";

  it.each([
    [{}, "'postgres'"],
    [{ postgres: {} }, "url"],
    [{ postgres: { url, tabel: "x" } }, "Did you mean 'table'?"],
    [{ postgres: { url, table: "a b" } }, "must be the name of a table"],
    [{ postgres: { url }, maxPending: 0 }, "maxPending"],
  ])("P5 refuses %j", (given, message) => {
    expect(() => inPostgres.create(given as never)).toThrow(message);
  });
});
