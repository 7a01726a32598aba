import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  type AuditRecord,
  erasePayloads,
  isLogFolder,
  type RecordFilter,
  readRecords,
  verifyFolder,
} from "../../src/index.js";
import { temporaryPath } from "../temporary.js";
import { chainName, LogFolder } from "./log-folder.js";

async function all(path: string, filter?: RecordFilter): Promise<readonly AuditRecord[]> {
  const found: AuditRecord[] = [];
  for await (const record of readRecords(path, { filter })) found.push(record);
  return found;
}

async function runs(path: string, filter?: RecordFilter): Promise<readonly unknown[]> {
  return (await all(path, { kind: "outcome", ...filter })).map(({ record }) => record["runId"]);
}

it("reads every record with its place, over all segments", async () => {
  const log = new LogFolder().call("a").rotate().call("b").write();
  const found = await all(log.path);
  expect(found.map(({ record }) => record.seq)).toEqual([1, 2, 3, 4, 5]);
  expect(found[4]).toMatchObject({
    chain: chainName,
    file: `${chainName}/00000002.jsonl`,
    line: 2,
    record: { kind: "outcome", runId: "b", time: 1004 },
  });
});

it("merges chains by time, and keeps a record without a time behind the one before it", async () => {
  const path = temporaryPath("audit");
  const one = new LogFolder(path, "one").record("close", {}, 1).record("close", {}, null);
  one.record("outcome", { runId: "x" }, 3000).write();
  new LogFolder(path, "two").record("outcome", { runId: "y" }, 2000).write();
  expect(await runs(path)).toEqual(["y", "x"]);
  expect((await all(path, { kind: "close" })).map(({ record }) => record.time)).toEqual([1, null]);
});

it.each<[string, RecordFilter, readonly string[]]>([
  ["run", { runId: "b" }, ["b"]],
  ["session", { session: "s" }, ["b"]],
  ["principal", { principal: "p" }, ["c"]],
  ["tenant", { tenant: "acme" }, ["c"]],
  ["a tenant that is a principal's name", { tenant: "p" }, []],
  ["requested name", { tool: "search" }, ["a", "b", "c"]],
  ["declared name", { tool: "find" }, ["c"]],
  ["provider", { provider: "limit" }, ["c"]],
  ["decision", { decision: "deny" }, ["c"]],
  ["decision of a provider", { provider: "allowlist", decision: "deny" }, []],
  ["code of a decision", { code: "large" }, ["c"]],
  ["code of the record", { code: "args_invalid_json" }, ["b"]],
  ["code of a provider's decision", { code: "large", provider: "limit" }, ["c"]],
  ["code of another provider's decision", { code: "large", provider: "allowlist" }, []],
  ["code of the record, and a provider", { code: "args_invalid_json", provider: "allowlist" }, []],
  ["status", { status: "denied" }, ["c"]],
  ["time", { from: 1003, to: 1004 }, ["b"]],
  ["kinds", { kind: ["outcome", "gap"], runId: "a" }, ["a"]],
  ["what no record has", { principal: "constructor" }, []],
])("finds records by %s", async (_, filter, expected) => {
  const decisions = [
    { provider: "allowlist", decision: "allow" },
    { provider: "limit", decision: "deny", code: "large" },
  ];
  const log = new LogFolder()
    .call("a")
    .call("b", { session: { id: "s", seq: 1 }, code: "args_invalid_json" });
  log
    .call("c", { principal: "p", tenant: "acme", toolName: "find", status: "denied", decisions })
    .write();
  expect(await runs(log.path, filter)).toEqual(expected);
});

it("skips what is no whole JSON line", async () => {
  const log = new LogFolder().call("a").call("b").write();
  log.edit(
    "00000001.jsonl",
    (text) => `\0\0\n[]\n{"seq":1}\n${"y".repeat(99_999)}\n${text}{"seq":5`,
  );
  const found = await all(log.path);
  expect(found.map(({ line }) => line)).toEqual([5, 6, 7, 8]);
});

it("follows what is written, also after a repair, in a new segment and in a new chain", async () => {
  const log = new LogFolder().call("a").write();
  const whole = readFileSync(log.file("00000001.jsonl"), "utf8");
  appendFileSync(log.file("00000001.jsonl"), '{"torn');
  const end = new AbortController();
  const seen: unknown[] = [];
  const reading = readRecords(log.path, {
    filter: { kind: "outcome" },
    follow: true,
    signal: end.signal,
    pollMs: 1,
  });
  for await (const { record, line } of reading) {
    seen.push(`${record["runId"]} ${line}`);
    if (record["runId"] === "a") {
      writeFileSync(log.file("00000001.jsonl"), whole);
      log.call("b").write();
    }
    if (record["runId"] === "b") log.rotate().call("c").write();
    if (record["runId"] === "c") new LogFolder(log.path, "other").call("d").write();
    if (record["runId"] === "d") end.abort();
  }
  expect(seen).toEqual(["a 3", "b 4", "c 2", "d 3"]);
});

it("ends without an error when the signal comes while it waits", async () => {
  const log = new LogFolder().write();
  const end = new AbortController();
  const reading = readRecords(log.path, { follow: true, signal: end.signal, pollMs: 2 ** 30 });
  await reading.next();
  await reading.next();
  const third = reading.next();
  end.abort();
  expect(await third).toEqual({ value: undefined, done: true });
});

it("gives payloads that stand beside the log, until they are erased", async () => {
  const log = new LogFolder().salted("a", { q: "secret-a" }).salted("b", { q: "secret-b" }).write();
  const asked = async () => (await all(log.path, { kind: "outcome" })).map((each) => each.payloads);
  expect(await asked()).toEqual([{ asked: { q: "secret-a" } }, { asked: { q: "secret-b" } }]);
  const before = readFileSync(log.file("00000001.payloads.jsonl"), "utf8");
  expect(await erasePayloads(log.path, { runId: "a" })).toBe(1);
  expect(await erasePayloads(log.path, { runId: "a" })).toBe(0);
  const after = readFileSync(log.file("00000001.payloads.jsonl"), "utf8");
  expect(after).toHaveLength(before.length);
  expect(after).not.toContain("secret-a");
  expect(after.split("\n")[0]).toMatch(/^\{"seq":3,"erased":[0-9]+\} +$/);
  expect(await asked()).toEqual([undefined, { asked: { q: "secret-b" } }]);
  expect(await verifyFolder(log.path)).toMatchObject({
    ok: true,
    payloads: { checked: 1, erased: 1, missing: 0 },
  });
});

it("erases every line that a record has, the torn one too, and follows no link", async () => {
  const log = new LogFolder().salted("a", { q: "secret" }).write();
  const beside = log.file("00000001.payloads.jsonl");
  const text = readFileSync(beside, "utf8");
  writeFileSync(beside, text + text.slice(0, -9));
  expect(await erasePayloads(log.path, { runId: "a" })).toBe(1);
  expect(readFileSync(beside, "utf8")).not.toContain("secret");
  const linked = new LogFolder(temporaryPath("audit")).salted("a", {}).write();
  const outside = join(linked.path, "outside");
  writeFileSync(outside, text);
  linked.edit("00000001.payloads.jsonl", () => "");
  const other = new LogFolder(temporaryPath("audit")).salted("a", {});
  other.payloads.clear();
  other.write();
  symlinkSync(outside, other.file("00000001.payloads.jsonl"));
  await expect(erasePayloads(other.path, { all: true })).rejects.toMatchObject({
    code: "ENOTREG",
  });
  expect(readFileSync(outside, "utf8")).toBe(text);
});

it.each<[string, unknown]>([
  ["nothing", {}],
  ["no filter", undefined],
  ["null", null],
  ["an undefined principal", { principal: undefined }],
  ["an undefined tenant", { tenant: undefined }],
  ["an undefined principal beside a tool", { tool: "search", principal: undefined }],
  ["all beside a tool", { all: true, tool: "search" }],
  ["all that is false", { all: false }],
  ["all that is undefined", { all: undefined }],
  ["a misspelt name", { principle: "p" }],
])("P16 erases nothing for %s", async (_, filter) => {
  const log = new LogFolder().salted("a", { q: "secret" }).write();
  const code = await erasePayloads(log.path, filter as never).catch((error) => error.code);
  expect(code).toMatch(/^ERR_(?:INVALID|UNKNOWN)_OPTION$/);
  expect(readFileSync(log.file("00000001.payloads.jsonl"), "utf8")).toContain("secret");
  expect(await erasePayloads(log.path, { all: true })).toBe(1);
  expect(readFileSync(log.file("00000001.payloads.jsonl"), "utf8")).not.toContain("secret");
});

it("refuses wrong options and filters", async () => {
  const { path } = new LogFolder().write();
  const code = (each: Promise<unknown>) => each.catch((error) => error.code);
  expect(await code(all(path, { kind: "outcom" as never }))).toBe("ERR_INVALID_OPTION");
  expect(await code(all(path, { run: "x" } as never))).toBe("ERR_UNKNOWN_OPTION");
  expect(await code(all(path, { from: Number.NaN }))).toBe("ERR_INVALID_OPTION");
  expect(await code(all(path, { decision: "DENY" as never }))).toBe("ERR_INVALID_OPTION");
  expect(await code(readRecords(path, { pollMs: 0 }).next())).toBe("ERR_INVALID_OPTION");
  expect(await code(erasePayloads(path, undefined as never))).toBe("ERR_INVALID_OPTION");
  expect(await code(all(`${path}.none`))).toBe("ENOENT");
});

it("takes a folder of nothing but links for no log, as it reads none of them", async () => {
  const log = new LogFolder().call("a").write();
  const path = temporaryPath("links");
  mkdirSync(path);
  symlinkSync(join(log.path, chainName), join(path, chainName));
  expect(await isLogFolder(path)).toBe(false);
  expect(await all(path)).toEqual([]);
  expect(await isLogFolder(log.path)).toBe(true);
});
