import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { approvals } from "@toolstile/approval";
import { approvalTable, postgresStore } from "@toolstile/approval/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { approvalsCommand } from "../src/approvals/approvals.js";
import { connect } from "../src/approvals/connect.js";
import { capturedTerminal } from "./captured-terminal.js";
import { temporaryFolder } from "./temporary-folder.js";

const databaseUrl = process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
/** A folder from which pg can be loaded. */
const folder = fileURLToPath(new URL("../../approval", import.meta.url));

async function hasPostgres(): Promise<boolean> {
  try {
    await (await connect(databaseUrl, folder)).close();
    return true;
  } catch (error) {
    if (String(error).includes("npm install pg")) throw error;
    return false;
  }
}

function command() {
  return approvalsCommand({
    input: () => new PassThrough(),
    folder,
    user: () => "operator",
    clock: { now: () => Date.now(), setTimeout, clearTimeout },
  });
}

describe.skipIf(!(await hasPostgres()))("toolstile approvals (needs PostgreSQL)", () => {
  it("P9 lists and approves what waits in a database, with the store's key", async () => {
    const { client, close } = await connect(databaseUrl, folder);
    const schema = `approvals_${randomBytes(6).toString("hex")}`;
    await client.query(`CREATE SCHEMA ${schema}`, []);
    onTestFinished(async () => {
      await client.query(`DROP SCHEMA ${schema} CASCADE`, []);
      await close();
    });
    const table = `${schema}.toolstile_approvals`;
    await client.query(approvalTable(table), []);
    const keyFile = temporaryFolder().at("key");
    writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
    const agent = approvals({ store: postgresStore({ client, table, key: keyFile }) });
    const question = {
      runId: "run-1",
      callId: "call-1",
      toolName: "transfer",
      requestedName: "transfer",
      runnerAgents: [],
      context: {},
      args: {},
      askedArgs: {},
      provider: "limits",
      reason: "above 100",
      approval: { summary: "Pay Bob" },
    };
    const asked = await agent.ask(question, { signal: new AbortController().signal });
    const id = asked.decision === "pending" ? asked.approvalId : "";
    const where = ["--database", databaseUrl, "--table", table];
    const terminal = capturedTerminal();
    expect(await command().run(["list", ...where], terminal)).toBe(1);
    expect(terminal.written().err).toContain(`'${id}' is damaged`);
    expect(await command().run(["list", ...where, "--key", keyFile], terminal)).toBe(0);
    expect(terminal.written().out).toContain(id);
    const yes = ["approve", id, "--yes", ...where, "--key", keyFile];
    expect(await command().run(yes, terminal)).toBe(0);
    expect(await agent.consume(id, question)).toEqual({ by: "operator" });
    expect(await command().run(yes, terminal)).toBe(1);
    expect(terminal.written().err).toContain(`'${id}' is used: it takes no answer any more`);
  });

  it.each([
    [databaseUrl, "nowhere.at_all", "approvalTable() of @toolstile/approval/postgres makes one"],
    ["postgres://ann:hunter2@127.0.0.1:1/none", "x", "nothing answers there"],
    ["no url", "x", "The database cannot be used"],
  ])(
    "ends with 2 where the database cannot be used, and repeats nothing of it: %#",
    async (url, table, message) => {
      const terminal = capturedTerminal();
      expect(await command().run(["list", "--database", url, "--table", table], terminal)).toBe(2);
      expect(terminal.written().err).toContain(message);
      expect(terminal.written().err).not.toContain("hunter2");
    },
  );
});
