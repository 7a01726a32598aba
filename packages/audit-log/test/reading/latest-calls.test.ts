import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { expect, it } from "vitest";
import { type AuditRecord, type LatestCalls, latestCalls, readRecords } from "../../src/index.js";
import { LogFolder } from "./log-folder.js";

const digests = { asked: "a".repeat(64), used: "a".repeat(64), result: "b".repeat(64) };

async function runs({ newestFirst }: LatestCalls): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const { record } of newestFirst()) found.push(record["runId"]);
  return found;
}

/** Calls whose lines are of many lengths, so that blocks end anywhere in them. */
function manyCalls(count: number): LogFolder {
  const log = new LogFolder();
  for (let index = 0; index < count; index++) {
    if (index % 1_000 === 999) log.rotate();
    log.call(`run-${index}`, { digests, callId: "c".repeat((index * 7919) % 300) });
  }
  return log.write();
}

it("gives the latest calls of many, with their places, the last one first", async () => {
  const { path } = manyCalls(3_500);
  const found = await latestCalls(path, { limit: 2_100 });
  const expected = Array.from({ length: 2_100 }, (_, index) => `run-${3_499 - index}`);
  expect([found.hasEarlier, await runs(found)]).toEqual([true, expected]);
  const all: AuditRecord[] = [];
  for await (const record of readRecords(path)) all.push(record);
  expect((await found.newestFirst().next()).value).toEqual(all.at(-1));
  expect(all.map(({ record }) => record.seq)).toEqual(all.map((_, index) => index + 1));
});

it("reads the end of a long segment alone, and knows its places", async () => {
  const log = new LogFolder();
  const member = "c".repeat(3_000);
  for (let index = 0; index < 2_000; index++) log.call(`run-${index}`, { callId: member });
  const { path } = log.write();
  // Its beginning is never looked at: a call without an outcome is not missed there.
  log.edit("00000001.jsonl", (text) => text.replace("outcome", "outcame"));
  const found = await latestCalls(path, { limit: 2 });
  const newest = (await found.newestFirst().next()).value;
  expect([found.hasEarlier, newest?.record["runId"], newest?.record.seq]).toEqual([
    true,
    "run-1999",
    newest?.line,
  ]);
  expect(readFileSync(log.file("00000001.jsonl"), "utf8").split("\n")).toHaveLength(
    (newest?.line ?? 0) + 1,
  );
  const records: unknown[] = [];
  for await (const record of found.newestRecords()) records.push(record["runId"]);
  expect(records).toEqual(["run-1999", "run-1998"]);
  expect(await runs(await latestCalls(path, { limit: 5_000 }))).toHaveLength(1_999);
});

it("opens no earlier segment of a chain whose last one has enough calls", async () => {
  const log = new LogFolder();
  for (const run of ["a", "b", "c"]) log.call(run, { digests });
  log.rotate();
  for (const run of ["d", "e"]) log.call(run, { digests });
  log.write();
  const opened = async (limit: number) => {
    const { hasEarlier, ...found } = await latestCalls(log.path, { limit });
    return [hasEarlier, await runs({ hasEarlier, ...found })];
  };
  expect(await opened(2)).toEqual([true, ["e", "d"]]);
  expect(await opened(5)).toEqual([false, ["e", "d", "c", "b", "a"]]);
  rmSync(log.file("00000001.jsonl"));
  mkdirSync(log.file("00000001.jsonl"));
  expect(await opened(1)).toEqual([true, ["e"]]);
});

it("finds a call without an outcome in an earlier segment", async () => {
  const log = new LogFolder().record("intent", { runId: "open", digests }).rotate();
  for (const run of ["a", "b", "c"]) log.call(run, { digests });
  const { path } = log.write();
  expect(await runs(await latestCalls(path, { limit: 1, onlyOpen: true }))).toEqual(["open"]);
});

it("goes on behind a line that is longer than any record, and counts that line", {
  tags: "long",
}, async () => {
  const log = new LogFolder().call("a").call("b").write();
  const long = "y".repeat((1 << 26) + 99_999);
  log.edit("00000001.jsonl", (text) => text.replace(/(?=\{"seq":4)/, `${long}\n`));
  const found = await latestCalls(log.path, { limit: 2 });
  expect((await found.newestFirst().next()).value).toMatchObject({ line: 5, record: { seq: 4 } });
  expect(found.hasEarlier).toBe(false);
});

it("shows a call before the latest in the place of one whose record is damaged", async () => {
  const log = new LogFolder();
  for (const run of ["a", "b", "c", "d"]) log.call(run, { digests });
  log.write();
  log.edit("00000001.jsonl", (text) =>
    text.replace('"runId":"d","callId"', '"runId":"d","call"Id'),
  );
  const found = await latestCalls(log.path, { limit: 2 });
  expect([found.hasEarlier, await runs(found)]).toEqual([true, ["c", "b"]]);
});

it("shows a call without an outcome where the record of that is damaged", async () => {
  const log = new LogFolder().call("a", { digests }).record("intent", { runId: "b", digests });
  log.call("b", { digests }).write();
  log.edit("00000001.jsonl", (text) => text.replace(/"decisions":\[(?!.*"decisions")/s, "[["));
  const found = await latestCalls(log.path, { limit: 2 });
  const { value } = await found.newestFirst().next();
  expect([found.hasEarlier, value?.record.kind]).toEqual([false, "intent"]);
});

it("leaves out a call whose segment was removed since it was found", async () => {
  const log = new LogFolder().call("a", { digests }).rotate().call("b", { digests }).write();
  const found = await latestCalls(log.path, { limit: 2 });
  rmSync(log.file("00000001.jsonl"));
  expect([found.hasEarlier, await runs(found)]).toEqual([false, ["b"]]);
});

it("gives payloads that stand beside the log only when it is asked to", async () => {
  const log = new LogFolder().salted("a", { q: "tea" }).rotate().salted("b", { q: "milk" }).write();
  const payloads = async (asked: boolean) => {
    const all: unknown[] = [];
    const { newestFirst } = await latestCalls(log.path, { limit: 9, payloads: asked });
    for await (const call of newestFirst()) all.push(call.payloads);
    return all;
  };
  expect(await payloads(true)).toEqual([{ asked: { q: "milk" } }, { asked: { q: "tea" } }]);
  expect(await payloads(false)).toEqual([undefined, undefined]);
});

it("goes on with readRecords() from where it came to", async () => {
  const log = new LogFolder().call("a", { digests }).write();
  const { through } = await latestCalls(log.path, { limit: 1 });
  log.call("b", { digests }).write();
  new LogFolder(log.path, "other").call("c").write();
  const found: unknown[] = [];
  const filter = { kind: "outcome" as const };
  for await (const { record } of readRecords(log.path, { filter, after: through })) {
    found.push(record["runId"]);
  }
  expect(found).toEqual(["c", "b"]);
});

it("refuses wrong options", async () => {
  const { path } = new LogFolder().write();
  const code = (options: unknown) =>
    latestCalls(path, options as never).then(
      () => "none",
      ({ code }) => code,
    );
  for (const wrong of [
    {},
    { limit: 0 },
    { limit: 1, filter: null },
    { limit: 1, filter: { kind: "outcome" } },
    { limit: 1, until: "now" },
  ]) {
    expect(await code(wrong)).toBe("ERR_INVALID_OPTION");
  }
  expect(await code({ limit: 1, session: "s" })).toBe("ERR_UNKNOWN_OPTION");
  for (const after of [new Map([["chain", 0.5]]), { chain: 1 }]) {
    const reading = readRecords(path, { after: after as never });
    await expect(reading.next()).rejects.toMatchObject({ code: "ERR_INVALID_OPTION" });
  }
});

it("finds the latest of more open calls than fit on the stack", { tags: "long" }, async () => {
  const log = new LogFolder();
  log.call("over", { digests });
  log.write();
  const intents = Array.from({ length: 150_000 }, (_, at) =>
    JSON.stringify({ seq: at + 3, kind: "intent", time: at, runId: `open-${at}` }),
  );
  log.edit("00000001.jsonl", (text) => `${text}${intents.join("\n")}\n`);
  const found = await latestCalls(log.path, { limit: 1, onlyOpen: true });
  expect([found.hasEarlier, await runs(found)]).toEqual([true, ["open-149999"]]);
});

it.each([
  '{"toString":1}',
  '{"toString":{},"valueOf":{}}',
  "[".repeat(20_000) + "]".repeat(20_000),
  "7",
])("goes on behind a call whose id is no text: %.20s", async (id) => {
  const log = new LogFolder();
  for (const run of ["a", "b", "c"]) log.call(run, { digests });
  const { path } = log.write();
  log.edit("00000001.jsonl", (text) => text.replaceAll('"runId":"b"', `"runId":${id}`));
  for (const filter of [{}, { tool: "search" }]) {
    const found = await latestCalls(path, { limit: 9, filter });
    const [first, second, third] = await runs(found);
    expect([first, typeof second, third]).toEqual(["c", typeof JSON.parse(id), "a"]);
  }
});
