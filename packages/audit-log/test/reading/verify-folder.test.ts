import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { verifyFolder } from "../../src/index.js";
import { temporaryPath } from "../temporary.js";
import { chainName, keyId, LogFolder, privateKey, publicKey, signedNote } from "./log-folder.js";

const key = publicKey;
const first = `${chainName}/00000001.jsonl`;
const second = `${chainName}/00000002.jsonl`;

/** Two segments: records 1 to 6, 7 to 12; checkpoints of 5 and 10 records. */
function twoSegments(): LogFolder {
  const log = new LogFolder().call("a").call("b").call("c").checkpoint().rotate();
  return log.call("d").call("e").call("f").checkpoint().record("close");
}

it("P16 finds a log whole that nobody touched, at every level that was asked for", async () => {
  const log = twoSegments().write();
  const report = await verifyFolder(log.path, { key, anchor: log.anchor(...log.notes) });
  expect(report).toMatchObject({ ok: true, records: 12, dropped: 0 });
  expect(report.levels.map(({ level, checked, ok }) => [level, checked, ok])).toEqual([
    ["L0", true, true],
    ["L1", true, true],
    ["L2", true, true],
    ["L3", false, undefined],
  ]);
  expect(report.chains).toMatchObject([
    {
      chain: chainName,
      segments: 2,
      head: { seq: 12, hash: log.prev },
      kinds: { segment: 2, head: 1, outcome: 6, checkpoint: 2, close: 1 },
      tail: { closed: true, time: 1011, signed: 10, anchored: 10, unprotected: 2 },
    },
  ]);
});

it("P16 checks neither signatures nor anchors that were not given, and says so", async () => {
  const report = await verifyFolder(twoSegments().write().path);
  expect(report.ok).toBe(true);
  expect(report.levels.map(({ checked }) => checked)).toEqual([true, false, false, false]);
  expect(report.chains[0]?.tail.unprotected).toBe(12);
});

it("P16 names file, line and number of the first bad record", async () => {
  const log = twoSegments().write();
  log.edit("00000002.jsonl", (text) => text.replace('"runId":"e"', '"runId":"x"'));
  const { ok, firstBad, chains } = await verifyFolder(log.path);
  expect(ok).toBe(false);
  expect(firstBad).toMatchObject({ file: second, line: 3, seq: 9 });
  expect(firstBad?.reason).toMatch(/bytes were changed/);
  expect(chains[0]).toMatchObject({ records: 8, head: { seq: 8 }, ok: false });
});

it("P16 sees a cut tail by the anchor, else by the checkpoint, else by the manifest", async () => {
  const log = twoSegments().write();
  const anchor = log.anchor(...log.notes);
  const cutTo = (lines: number) =>
    log.edit("00000002.jsonl", (text) =>
      text
        .split("\n")
        .slice(0, lines)
        .map((each) => `${each}\n`)
        .join(""),
    );
  cutTo(2);
  const cut = async (options?: { anchor: string }) =>
    (await verifyFolder(log.path, options)).chains[0]?.tail.cut;
  expect(await cut({ anchor })).toEqual({ after: 8, expected: 10, seenBy: "anchor" });
  expect(await cut()).toEqual({ after: 8, expected: 10, seenBy: "checkpoint" });
  expect((await verifyFolder(log.path)).ok).toBe(false);
  rmSync(log.file("checkpoint"));
  expect(await cut()).toBeUndefined();
  rmSync(log.file("00000002.jsonl"));
  expect(await cut()).toEqual({ after: 6, expected: 7, seenBy: "manifest" });
  const { ok, levels } = await verifyFolder(log.path, { anchor });
  expect([ok, levels[2]?.ok]).toEqual([false, false]);
});

it("P16 tells a torn last line from a bad record", async () => {
  const log = twoSegments().write();
  log.edit("00000002.jsonl", (text) => `${text}{"seq":13,"pr`);
  const { ok, firstBad, chains } = await verifyFolder(log.path);
  expect([ok, firstBad]).toEqual([false, undefined]);
  expect(chains[0]?.tail.torn).toEqual({ file: second, line: 7, bytes: 13 });
  log.write().edit("00000001.jsonl", (text) => text.slice(0, -1));
  expect((await verifyFolder(log.path)).firstBad).toMatchObject({ file: first, line: 6, seq: 6 });
});

it("P16 reports a segment that is missing in the middle", async () => {
  const log = twoSegments().rotate().call("g").write();
  rmSync(log.file("00000002.jsonl"));
  const { firstBad } = await verifyFolder(log.path);
  expect(firstBad).toMatchObject({ file: `${chainName}/00000003.jsonl`, line: 1 });
});

it("P16 reports an anchored chain that is gone, and one that was written anew", async () => {
  const log = twoSegments().write();
  const anchor = log.anchor(...log.notes, signedNote("gone", 7, "b".repeat(64)));
  const { ok, chains } = await verifyFolder(log.path, { anchor, key });
  expect(ok).toBe(false);
  expect(chains[1]).toMatchObject({
    chain: "gone",
    records: 0,
    tail: { cut: { after: 0, expected: 7, seenBy: "anchor" } },
  });
  const forged = new LogFolder(log.path)
    .call("A")
    .call("b")
    .call("c")
    .call("d")
    .call("e")
    .call("f");
  forged.call("g").call("h").call("i").write();
  const report = await verifyFolder(log.path, { anchor: log.anchor(...log.notes) });
  expect(report.firstBad).toMatchObject({ file: first, line: 5, seq: 5 });
  expect(report.levels[2]?.ok).toBe(false);
  expect((await verifyFolder(log.path)).ok).toBe(true);
});

it("P16 finds bad signatures, and checkpoints that another key signed", async () => {
  const other = generateKeyPairSync("ed25519");
  const log = twoSegments().write();
  const wrong = await verifyFolder(log.path, { key: other.publicKey });
  expect(wrong).toMatchObject({
    ok: false,
    records: 12,
    firstBad: { file: first, line: 6, seq: 6 },
  });
  expect(wrong.levels.slice(0, 2).map(({ ok }) => ok)).toEqual([true, false]);
  const half = new LogFolder()
    .call("a")
    .checkpoint()
    .call("b")
    .checkpoint(other.privateKey)
    .write();
  expect((await verifyFolder(half.path, { key })).firstBad).toMatchObject({ seq: 6 });
  log.edit("checkpoint", (text) => text.replace(/ 1795839193000/, " 1795839193001"));
  expect((await verifyFolder(log.path, { key })).firstBad?.file).toBe(`${chainName}/checkpoint`);
  const bare = await verifyFolder(new LogFolder().call("a").write().path, { key });
  expect([bare.ok, bare.levels[1]?.ok]).toEqual([false, false]);
});

it("P16 finds a checkpoint whose root or size is not the chain's", async () => {
  for (const [size, root] of [
    [3, "c".repeat(64)],
    [2, undefined],
  ] as const) {
    const log = new LogFolder().call("a");
    log.record("checkpoint", { note: signedNote(chainName, size, root ?? log.prev) });
    const { firstBad } = await verifyFolder(log.write().path, { key });
    expect(firstBad).toMatchObject({ line: 4, seq: 4 });
  }
  const log = twoSegments().write();
  writeFileSync(log.file("checkpoint"), signedNote(chainName, 9, "d".repeat(64)));
  expect((await verifyFolder(log.path)).firstBad).toMatchObject({ line: 3, seq: 9 });
});

it("takes the key as PEM, as a verifier key, and refuses what is none", async () => {
  const log = twoSegments().write();
  const file = join(log.path, "..", "key");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const texts = [
    publicKey.export({ format: "pem", type: "spki" }).toString(),
    `name+${keyId("name", privateKey).toString("hex")}+${Buffer.concat([Buffer.of(1), raw]).toString("base64")}\n`,
  ];
  for (const text of texts) {
    writeFileSync(file, text);
    expect((await verifyFolder(log.path, { key: file })).levels[1]?.ok).toBe(true);
  }
  writeFileSync(file, "no key");
  const invalid = { code: "ERR_INVALID_OPTION" };
  const none = { ...invalid, message: expect.stringContaining("ends in .public.pem") };
  await expect(verifyFolder(log.path, { key: file })).rejects.toMatchObject(none);
  await expect(verifyFolder(log.path, { anchor: [] })).rejects.toMatchObject({
    ...invalid,
    message: expect.stringMatching(/^verifyFolder\(\): 'anchor' .* received an empty array\.$/),
  });
  await expect(verifyFolder(`${log.path}.none`)).rejects.toMatchObject({ code: "ENOENT" });
});

it("takes no anchor that holds no checkpoint for one that holds", async () => {
  const log = twoSegments().write();
  for (const text of ["", "nothing\n", `${log.notes[0]}x\n`]) {
    const { ok, levels } = await verifyFolder(log.path, { anchor: log.anchor(text) });
    expect([ok, levels[2]?.ok]).toEqual([false, false]);
  }
  const apart = log.anchor(log.notes.join("\n\n"));
  expect((await verifyFolder(log.path, { anchor: apart })).levels[2]?.ok).toBe(true);
});

it("P16 counts erased and missing payloads, and finds those that do not fit their digest", async () => {
  const log = new LogFolder().salted("a", { q: 1 }).salted("b", { q: 2 }).salted("c", { q: 3 });
  log.write();
  const name = "00000001.payloads.jsonl";
  expect((await verifyFolder(log.path)).payloads).toEqual({ checked: 3, erased: 0, missing: 0 });
  log.edit(name, (text) => text.replace(/^.*\n/, '{"seq":3,"erased":5}   \n').replace(/.*\n$/, ""));
  expect(await verifyFolder(log.path)).toMatchObject({
    ok: true,
    payloads: { checked: 1, erased: 1, missing: 1 },
  });
  log.write().edit(name, (text) => text.replace('"q":2', '"q":9'));
  const file = `${chainName}/${name}`;
  expect((await verifyFolder(log.path)).firstBad).toMatchObject({ file, line: 2, seq: 4 });
  log.write().edit(name, (text) => `\0\xff\n${text}`);
  expect((await verifyFolder(log.path)).firstBad).toMatchObject({ file, line: 1 });
});

it.each<[string, (log: LogFolder) => void]>([
  ["a line of NULs", (log) => log.edit("00000002.jsonl", () => `${"\0".repeat(99)}\n`)],
  ["bytes that are no UTF-8", (log) => log.edit("00000002.jsonl", () => "\xff\xfe\x80\n")],
  [
    "a folder in a segment's place",
    (log) => {
      rmSync(log.file("00000002.jsonl"));
      mkdirSync(log.file("00000002.jsonl"));
    },
  ],
  [
    "a link in a segment's place",
    (log) => {
      renameSync(log.file("00000002.jsonl"), join(log.path, "elsewhere"));
      symlinkSync(join(log.path, "elsewhere"), log.file("00000002.jsonl"));
    },
  ],
  ["a link in a chain's place", (log) => symlinkSync(log.path, join(log.path, "0"))],
  [
    "a folder in the checkpoint's place",
    (log) => {
      rmSync(log.file("checkpoint"));
      mkdirSync(log.file("checkpoint"));
    },
  ],
  ["a manifest of NULs", (log) => log.edit("manifest.json", () => "\0\0")],
  [
    "a manifest of __proto__",
    (log) => log.edit("manifest.json", () => '{"__proto__":{"format":1}}'),
  ],
])("P16 finds %s, and does not throw", async (_, spoil) => {
  const log = twoSegments().write();
  spoil(log);
  const { ok, firstBad } = await verifyFolder(log.path, { key });
  expect(ok).toBe(false);
  expect(firstBad?.reason).toMatch(/^[ -~]+$/);
});

it("P16 finds a line of a hundred megabytes", { tags: "long" }, async () => {
  const log = twoSegments().write();
  writeFileSync(log.file("00000003.jsonl"), Buffer.alloc(100 << 20, "x"));
  const { firstBad } = await verifyFolder(log.path);
  expect(firstBad).toMatchObject({ file: `${chainName}/00000003.jsonl`, line: 1, seq: 13 });
});

it("P16 takes a folder without chains for no log that is whole", async () => {
  const path = temporaryPath("audit");
  mkdirSync(join(path, "notes"), { recursive: true });
  expect(await verifyFolder(path)).toMatchObject({ ok: false, chains: [], records: 0 });
});

it("says how far it is", async () => {
  const log = twoSegments().write();
  const seen: unknown[] = [];
  await verifyFolder(log.path, { onProgress: (progress) => seen.push(progress) });
  const sizes = ["00000001.jsonl", "00000002.jsonl"].map(
    (name) => readFileSync(log.file(name)).length,
  );
  const totalBytes = (sizes[0] ?? 0) + (sizes[1] ?? 0);
  expect(seen).toEqual([
    { file: first, bytes: sizes[0], totalBytes },
    { file: second, bytes: totalBytes, totalBytes },
  ]);
});
