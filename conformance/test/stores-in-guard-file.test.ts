import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { approvals } from "@toolstile/approval";
import { approvalTable, postgresStore } from "@toolstile/approval/postgres";
import { auditTable, verifyRows } from "@toolstile/audit-log/postgres";
import { watchGuardFile } from "@toolstile/config";
import { ToolRunner } from "@toolstile/core";
import { fakeTool } from "@toolstile/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const databaseUrl = process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
const redisUrl = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
const run = promisify(execFile);
const packages = fileURLToPath(new URL("../../packages", import.meta.url));

const hasRedis =
  process.env["REDIS_URL"] !== undefined ||
  (await new Promise<boolean>((resolve) => {
    const socket = connect(6379, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  }));
const hasPostgres =
  process.env["DATABASE_URL"] !== undefined ||
  (await (async () => {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
    client.on("error", () => {});
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  })());

/** A folder from which every package can be named. */
function temporaryFolder(): string {
  const parent = fileURLToPath(new URL("..", import.meta.url));
  const folder = mkdtempSync(join(parent, ".toolstile-stores-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("a guard.yaml with stores on servers", { tags: "long" }, () => {
  it("keeps counts, records and approvals there, closes what it opened, and shows no address", async (context) => {
    context.skip(!hasRedis, "no Redis listens on 127.0.0.1:6379, and REDIS_URL names none");
    context.skip(!hasPostgres, "no PostgreSQL listens, and DATABASE_URL names none");
    const name = `stores_${randomBytes(6).toString("hex")}`;
    const admin = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    await admin.query(`create schema ${name}`);
    onTestFinished(async () => {
      await admin.query(`drop schema ${name} cascade`);
      await admin.query(`drop role if exists ${name}_writer`);
      await admin.end();
    });
    const [audit, approving] = [`${name}.audit_log`, `${name}.approvals`];
    await admin.query(auditTable(audit).replaceAll("audit_log_writer", `${name}_writer`));
    await admin.query(approvalTable(approving));
    const path = join(temporaryFolder(), "guard.yaml");
    const write = (limit: number) =>
      writeFileSync(
        path,
        `version: 1
guards:
  - use: "@toolstile/rate-limit/redis"
    with:
      limit: ${limit}
      windowMs: 60000
      redis: { url: "\${env:REDIS}", prefix: ${name}, timeoutMs: 5000 }
  - use: "@toolstile/rules"
    with: { rules: [{ id: deletes, tools: [delete_file], ask: it deletes a file }] }
observers:
  - use: "@toolstile/audit-log/postgres"
    with: { postgres: { url: "\${env:DATABASE}", table: ${audit} }, required: true }
  - use: "@toolstile/audit-log/otel"
approver:
  use: "@toolstile/approval/postgres"
  with: { postgres: { url: "\${env:DATABASE}", table: ${approving} }, maxPending: 10 }
`,
      );
    write(2);
    const url = new URL(databaseUrl);
    url.searchParams.set("application_name", name);
    const env = { REDIS: redisUrl, DATABASE: url.href };
    const file = await watchGuardFile(path, {
      env,
      import: (name) => import(name),
      intervalMs: Number.POSITIVE_INFINITY,
      onReload: () => {},
    });
    const tools = ["read_file", "delete_file"].map((name) => fakeTool(name));
    const runner = new ToolRunner({ tools, ...file.runnerOptions(), unchecked: true });
    const read = async () => (await runner.run({ name: "read_file" })).status;
    expect([await read(), await read(), await read()]).toEqual(["executed", "executed", "denied"]);
    const asked = await runner.run({ name: "delete_file", arguments: { path: "a" } });
    const id = asked.status === "denied" ? (asked.approvalId ?? "") : "";
    const other = approvals({ store: postgresStore({ client: admin, table: approving }) });
    await other.answer(id, { decision: "approved", by: "ann" });
    // What did not change goes on: the connections, and what was approved under the same guards.
    write(2);
    expect(await file.reload()).toEqual({ status: "unchanged" });
    expect(await runner.resume(id)).toMatchObject({ status: "executed" });
    await runner.close();
    await file.close();
    expect(await verifyRows(admin, { table: audit })).toMatchObject({ ok: true });
    const connected = async () =>
      (await admin.query("select from pg_stat_activity where application_name = $1", [name])).rows
        .length;
    await expect.poll(connected).toBe(0);
  });
});

describe("a guard.yaml in a project without the packages of servers", { tags: "long" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "toolstile-bare-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => {
    for (const own of ["core", "rate-limit", "audit-log", "approval"]) {
      const [from, to] = [join(packages, own), join(folder, "node_modules/@toolstile", own)];
      mkdirSync(to, { recursive: true });
      for (const part of ["package.json", "dist"]) {
        cpSync(join(from, part), join(to, part), { recursive: true });
      }
    }
    // The packages that core depends on, and what they depend on.
    const installed = dirname(realpathSync(join(packages, "core/node_modules/p-limit")));
    for (const name of ["eventemitter3", "p-limit", "yocto-queue"]) {
      const direct = join(packages, "core/node_modules", name);
      const from = realpathSync(existsSync(direct) ? direct : join(installed, name));
      cpSync(from, join(folder, "node_modules", name), { recursive: true });
    }
  });
  const load = `const [config, path] = process.argv.slice(1);
    const { inspectGuardFile, loadGuardFile } = await import(config);
    for (const read of [loadGuardFile, inspectGuardFile])
      await read(path).then(() => console.log("loaded"), ({ message }) => console.log(message));`;
  const database = "postgres: { url: postgres://me:s3cret@127.0.0.1:1/x }";

  it.each([
    [
      "redis",
      "guards: [{ use: '@toolstile/rate-limit/redis', with: { limit: 1, windowMs: 1, redis: { url: redis://me:s3cret@127.0.0.1:1 } } }]",
    ],
    [
      "pg",
      `guards: []\nobservers: [{ use: '@toolstile/audit-log/postgres', with: { ${database} } }]`,
    ],
    ["pg", `guards: []\napprover: { use: '@toolstile/approval/postgres', with: { ${database} } }`],
    ["@opentelemetry/api", "guards: []\nobservers: [{ use: '@toolstile/audit-log/otel' }]"],
  ])(
    "says that %s is not installed, and how to install it, also where it is only looked at",
    async (name, text) => {
      const path = join(folder, "guard.yaml");
      writeFileSync(path, `version: 1\n${text}\n`);
      const config = pathToFileURL(join(packages, "config/dist/index.js")).href;
      const given = ["--input-type=module", "-e", load, config, path];
      // pnpm's programs name its store there.
      const env = { ...process.env, NODE_PATH: "" };
      const { stdout } = await run(process.execPath, given, { env });
      const lines = stdout.split("\n").filter((line) => line.includes(`npm install ${name}`));
      const place = /guard\.yaml:\d+:\d+: (?:guards\[0\]|observers\[0\]|approver): /;
      expect(lines).toEqual([expect.stringMatching(place), expect.stringMatching(place)]);
      expect(stdout).not.toContain("s3cret");
    },
  );
});
