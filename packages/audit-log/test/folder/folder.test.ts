import { generateKeyPairSync } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import {
  type AuditLogOptions,
  auditLog,
  erasePayloads,
  type FolderOptions,
  folder,
  verifyFolder,
} from "../../src/index.js";
import { intendedCall, settledCall } from "../calls.js";
import { linesOf, records } from "../records.js";
import { temporaryPath } from "../temporary.js";

const call = (index: number) => settledCall({ runId: `run-${index}` });
const temporaryFolder = () => temporaryPath("audit");

function open(path: string, options: FolderOptions = {}, rest: Partial<AuditLogOptions> = {}) {
  const sink = folder(path, options);
  return { sink, log: auditLog({ sink, ...rest }) };
}

/** Writes so many records, one after the other. */
async function write(path: string, count: number, options: FolderOptions = {}): Promise<string> {
  const { sink, log } = open(path, options);
  const { chain = "" } = sink;
  for (let index = 0; index < count; index++) await log.settle(call(index));
  await log.close();
  return chain;
}

const segmentsOf = (path: string, chain: string) =>
  readdirSync(join(path, chain))
    .filter((name) => /^\d{8}\.jsonl$/.test(name))
    .sort();
const recordsOf = (path: string, chain: string) =>
  segmentsOf(path, chain).flatMap((name) =>
    records(linesOf(readFileSync(join(path, chain, name), "utf8"))),
  );
const verified = (path: string) => verifyFolder(path, { key: `${path}.public.pem` });

describe("folder", () => {
  it("writes a chain that is whole and signed, with its keys beside it for their owner only", async () => {
    const path = temporaryFolder();
    const chain = await write(path, 2);
    expect(chain).toMatch(/^[0-9a-f]{16}$/);
    expect(recordsOf(path, chain).map(({ kind }) => kind)).toEqual([
      "segment",
      "head",
      "checkpoint",
      "outcome",
      "outcome",
      "checkpoint",
      "close",
    ]);
    expect(readdirSync(dirname(path)).sort()).toEqual([
      "audit",
      "audit.key",
      "audit.public.pem",
      "audit.signing.pem",
    ]);
    for (const name of ["audit.key", "audit.signing.pem"]) {
      expect(statSync(join(dirname(path), name)).mode & 0o777).toBe(0o600);
    }
    const report = await verified(path);
    expect(report).toMatchObject({ ok: true, records: 7 });
    expect(report.levels[1]).toMatchObject({ name: "signed", checked: true, ok: true });
    expect(existsSync(join(path, chain, "lock"))).toBe(false);
  });

  it("signs notes of the lines that the format states, on request too", async () => {
    const path = temporaryFolder();
    const { sink, log } = open(path, { origin: "example.com/agent", now: () => 7 });
    await log.settle(call(1));
    const note = await log.checkpoint();
    const root = Buffer.from(recordsOf(path, sink.chain ?? "")[3]?.hash ?? "", "hex").toString(
      "base64",
    );
    const name = `example.com/agent/${sink.chain}`;
    expect(note?.split("\n").slice(0, 5)).toEqual([
      name,
      "4",
      root,
      "toolstile-hash-chain 1 7",
      "",
    ]);
    expect(note).toMatch(/\n\n\u2014 \S+ [A-Za-z0-9+/]+=*\n$/);
    // Nothing came after it.
    expect(await log.checkpoint()).toBe(note);
    expect(readFileSync(join(path, sink.chain ?? "", "checkpoint"), "utf8")).toBe(note);
    await log.close();
    expect(await verified(path)).toMatchObject({ ok: true });
  });

  it("signs every so many records, and after a while whatever there is", async () => {
    const path = temporaryFolder();
    const clock = fakeClock();
    const sink = folder(path, { checkpointEvery: 3, checkpointAfterMs: 500 });
    const log = auditLog({ sink, timers: clock });
    const signed = () =>
      recordsOf(path, sink.chain ?? "").filter(({ kind }) => kind === "checkpoint").length;
    for (let index = 0; index < 3; index++) await log.settle(call(index));
    // The first is that of the opening.
    expect(signed()).toBe(2);
    await log.settle(call(4));
    clock.advance(500);
    await log.settle(call(5));
    expect(signed()).toBe(3);
    await log.close();
  });

  it("P16 takes no chain that has calls and no signature for a young one", async () => {
    const path = temporaryFolder();
    await write(path, 1, { writer: "true" });
    await write(path, 1, { writer: "forged" });
    rmSync(join(path, "forged"), { recursive: true });
    await write(path, 1, { writer: "forged", signingKey: false });
    const report = await verifyFolder(path, { key: `${path}.public.pem` });
    expect(report.ok).toBe(false);
    expect(report.levels[1]).toMatchObject({ ok: false });
    expect(report.levels[1]?.note).toContain("1 of 2 chains have calls and no signed checkpoint");
  });

  it("P16 signs a chain before its first call", async () => {
    const path = temporaryFolder();
    const { log } = open(path);
    await log.settle(call(1));
    const report = await verified(path);
    expect(report.levels[1]).toMatchObject({ checked: true, ok: true });
    await log.close();
  });

  it("signs nothing without a key, and the chain is whole all the same", async () => {
    const path = temporaryFolder();
    const chain = await write(path, 2, { signingKey: false });
    expect(recordsOf(path, chain).some(({ kind }) => kind === "checkpoint")).toBe(false);
    expect(existsSync(`${path}.signing.pem`)).toBe(false);
    expect(await verifyFolder(path)).toMatchObject({ ok: true });
  });

  it("uses a key that is passed, and makes none", async () => {
    const path = temporaryFolder();
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const pem = `${path}-own.pem`;
    writeFileSync(pem, privateKey.export({ format: "pem", type: "pkcs8" }));
    await write(path, 1, { signingKey: privateKey });
    await write(path, 1, { signingKey: pem });
    expect(existsSync(`${path}.signing.pem`)).toBe(false);
    expect((await verifyFolder(path, { key: publicKey })).levels[1]).toMatchObject({ ok: true });
  });

  it("begins a segment when one is large enough or old enough, and lists it", async () => {
    const path = temporaryFolder();
    let time = 0;
    const chain = await write(path, 12, { maxSegmentBytes: 2_000 });
    const bySize = segmentsOf(path, chain).length;
    expect(bySize).toBeGreaterThan(2);
    const { log } = open(path, { maxSegmentAgeMs: 1_000, now: () => Date.now() + time });
    time = 2_000;
    await log.settle(call(1));
    await log.close();
    expect(segmentsOf(path, chain).length).toBeGreaterThan(bySize);
    const { segments } = JSON.parse(readFileSync(join(path, chain, "manifest.json"), "utf8"));
    expect(segments.map(({ file }: { file: string }) => file)).toEqual(segmentsOf(path, chain));
    expect(await verified(path)).toMatchObject({ ok: true });
  });

  it.each([
    ["there are too many", { maxSegments: 2 }],
    ["they are too large", { maxBytes: 4_000 }],
    ["they are too old", { maxAgeMs: 1 }],
  ])("removes segments when %s, and says so before", async (_, retention) => {
    const path = temporaryFolder();
    let time = 0;
    const chain = await write(path, 20, { maxSegmentBytes: 1_500, retention, now: () => ++time });
    const left = segmentsOf(path, chain);
    expect(left[0]).not.toBe("00000001.jsonl");
    const removed = recordsOf(path, chain).findLast(({ kind }) => kind === "retention");
    expect(removed?.through).toEqual({
      seq: (recordsOf(path, chain)[0]?.seq ?? 0) - 1,
      hash: recordsOf(path, chain)[0]?.prev,
    });
    const report = await verified(path);
    expect(report.firstBad).toBeUndefined();
    expect(report.ok).toBe(true);
  });

  it("gives each of two writers a chain of its own, and goes on with one that was let go", async () => {
    const path = temporaryFolder();
    const [one, other] = [open(path), open(path)];
    expect(one.sink.chain).not.toBe(other.sink.chain);
    const first = one.sink.chain;
    await one.log.close();
    const next = open(path);
    expect(next.sink.chain).toBe(first);
    await next.log.close();
    await other.log.close();
    expect((await verified(path)).chains).toHaveLength(2);
  });

  it("refuses a second writer under one name", async () => {
    const path = temporaryFolder();
    const { log } = open(path, { writer: "worker-1" });
    expect(() => open(path, { writer: "worker-1" })).toThrow(
      /Another writer has the chain 'worker-1'/,
    );
    await log.close();
    await open(path, { writer: "worker-1" }).log.close();
    expect(await verified(path)).toMatchObject({ ok: true });
  });

  it("P16 cuts a torn tail, keeps its bytes in a file, and records both", async () => {
    const path = temporaryFolder();
    const chain = await write(path, 2);
    const torn = '{"seq":8,"prev":"00';
    appendFileSync(join(path, chain, "00000001.jsonl"), torn);
    await write(path, 1);
    const repair = recordsOf(path, chain).find(({ kind }) => kind === "repair");
    expect(repair).toMatchObject({ seq: 8, cutBytes: torn.length });
    expect(readFileSync(join(path, chain, String(repair?.cutFile)), "utf8")).toBe(torn);
    expect(await verified(path)).toMatchObject({ ok: true });
  });

  it("leaves a chain alone whose signed records were cut or changed, and begins another", async () => {
    const path = temporaryFolder();
    const chain = await write(path, 3);
    const file = join(path, chain, "00000001.jsonl");
    const whole = readFileSync(file, "utf8");
    for (const damaged of [
      linesOf(whole).slice(0, 3).join("\n"),
      whole.replace("run-1", "run-7"),
    ]) {
      writeFileSync(file, damaged);
      const other = await write(path, 1, {});
      expect(other).not.toBe(chain);
      expect(readFileSync(file, "utf8")).toBe(damaged);
    }
    expect(await verified(path)).toMatchObject({ ok: false });
  });

  it("P15 takes intents when it writes ahead, and only then", async () => {
    const path = temporaryFolder();
    const { log, sink } = open(path);
    await log.intent?.(intendedCall());
    expect(recordsOf(path, sink.chain ?? "").at(-1)?.kind).toBe("intent");
    await log.close();
    for (const durability of ["batched", "none"] as const) {
      const other = open(temporaryFolder(), { durability });
      expect(other.log.intent).toBeUndefined();
      await other.log.close();
    }
  });

  it("keeps payloads beside the log, from where they can be erased", async () => {
    const path = temporaryFolder();
    const { log, sink } = open(path, {}, { payloads: "beside" });
    const { chain = "" } = sink;
    await log.settle(settledCall({ askedArgs: { secret: "canary" } }));
    await log.settle(call(2));
    await log.close();
    const beside = join(path, chain, "00000001.payloads.jsonl");
    expect(readFileSync(beside, "utf8")).toContain("canary");
    expect(readFileSync(join(path, chain, "00000001.jsonl"), "utf8")).not.toContain("canary");
    expect((await verified(path)).payloads).toMatchObject({ checked: 2, erased: 0, missing: 0 });
    expect(await erasePayloads(path, { runId: "run-1" })).toBe(1);
    expect(readFileSync(beside, "utf8")).not.toContain("canary");
    expect(await verified(path)).toMatchObject({ ok: true, payloads: { checked: 1, erased: 1 } });
  });

  it("stops when somebody else writes to its segment", async () => {
    const path = temporaryFolder();
    const { log, sink } = open(path);
    await log.settle(call(1));
    appendFileSync(join(path, sink.chain ?? "", "00000001.jsonl"), "{}\n");
    await expect(log.settle(call(2))).rejects.toThrow(/Somebody else wrote/);
    await log.close();
  });

  it.each([
    ["a durability of its own", { durability: "sync" }, /'durability' must be/],
    [
      "a time to sync that nothing waits for",
      { syncAfterMs: 5 },
      /left out without durability "batched"/,
    ],
    ["half a segment", { maxSegmentBytes: 0.5 }, /'maxSegmentBytes' must be a whole number/],
    ["a huge segment", { maxSegmentBytes: 2 ** 31 }, /from 1 to 1073741824/],
    [
      "a time that no timer can wait",
      { checkpointAfterMs: 2 ** 31 },
      /'checkpointAfterMs' must be a whole number from 1 to 2147483647/,
    ],
    ["an unknown limit", { retention: { maxAge: 1 } }, /Did you mean 'maxAgeMs'/],
    ["a limit of nothing", { retention: { maxSegments: 0 } }, /'retention.maxSegments' must be/],
    ["an origin with a blank", { origin: "a b" }, /'origin' must be printable ASCII/],
    ["a writer that leads elsewhere", { writer: "../x" }, /'writer' must be a name/],
    ["a clock that is a number", { now: 1 }, /'now' must be a function/],
    ["a key that is a number", { signingKey: 1 }, /'signingKey' must be/],
    [
      "a key file that is not there",
      { signingKey: "/no/such.pem" },
      /cannot be read as a private key in PEM at '\/no\/such\.pem'/,
    ],
    [
      "a key of another kind",
      { signingKey: generateKeyPairSync("x25519").privateKey },
      /must be a private Ed25519 key/,
    ],
    ["a misspelt option", { durabilty: "none" }, /Did you mean 'durability'/],
  ])("P5 refuses %s when it is made, and makes nothing", (_, options, message) => {
    const path = temporaryFolder();
    expect(() => folder(path, options as never)).toThrow(message);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("P5 refuses an empty path, and payloads beside a sink that keeps none", () => {
    expect(() => folder("")).toThrow(/path of a folder/);
    const sink = { ...folder(temporaryFolder()), takesPayloads: false };
    expect(() => auditLog({ sink, payloads: "beside" })).toThrow(/need a sink that keeps them/);
  });

  it("leaves other folders in its own alone", async () => {
    const path = temporaryFolder();
    mkdirSync(join(path, "not-a-chain"), { recursive: true });
    await write(path, 1);
    expect(readdirSync(join(path, "not-a-chain"))).toEqual([]);
  });
});
