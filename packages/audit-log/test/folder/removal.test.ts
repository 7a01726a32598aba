import { generateKeyPairSync, hash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diskAt } from "../../src/files/disk.js";
import { opening, seal } from "../../src/format/line.js";
import { auditLog, type FolderOptions, folder, verifyFolder } from "../../src/index.js";
import { settledCall } from "../calls.js";
import { linesOf, records } from "../records.js";
import { temporaryPath } from "../temporary.js";

const { privateKey, publicKey: key } = generateKeyPairSync("ed25519");
const chain = "agent";
const small = { writer: chain, signingKey: privateKey, maxSegmentBytes: 1_500 };
const keepsTwo = { ...small, retention: { maxSegments: 2 } };

/** Writes so many records, and gives the last checkpoint. */
async function write(path: string, count: number, options: FolderOptions): Promise<string> {
  const log = auditLog({ sink: folder(path, options) });
  try {
    for (let index = 0; index < count; index++) {
      await log.settle(settledCall({ runId: `r${index}` }));
    }
    return (await log.checkpoint()) ?? "";
  } finally {
    await log.close();
  }
}

const segmentsOf = (path: string) =>
  readdirSync(join(path, chain))
    .filter((name) => /^\d{8}\.jsonl$/.test(name))
    .sort();
const recordsIn = (path: string, name: string) =>
  records(linesOf(readFileSync(join(path, chain, name), "utf8")));
const kindsOf = (path: string) =>
  segmentsOf(path).flatMap((name) => recordsIn(path, name).map(({ kind }) => kind));

/** Appends a record that needs no key, and gives the chain's head with it. */
function append(path: string, name: string, members: string) {
  const { seq, hash: prev } = recordsIn(path, name).at(-1) ?? { seq: 0, hash: "" };
  const body = opening({ seq, hash: prev }) + members;
  const own = hash("sha256", body);
  appendFileSync(join(path, chain, name), `${body}${seal(own)}\n`);
  return { seq: seq + 1, hash: own };
}

/** Says that all segments but the last were removed. */
function forge(path: string, into = segmentsOf(path).at(-1) ?? ""): readonly string[] {
  const names = segmentsOf(path);
  const first = recordsIn(path, names.at(-1) ?? "")[0];
  const through = JSON.stringify({ seq: (first?.seq ?? 0) - 1, hash: first?.prev });
  const older = names.slice(0, -1);
  append(path, into, `"kind":"retention","time":1,"removed":[],"through":${through}`);
  return older;
}

const without = (path: string, names: readonly string[]) => {
  for (const name of names) rmSync(join(path, chain, name));
};

/** A log of some segments that were all signed, and anchored. */
async function signedLog(options: FolderOptions = small) {
  const path = temporaryPath("audit");
  const anchor = join(path, "..", "anchor");
  writeFileSync(anchor, await write(path, 12, options));
  expect(segmentsOf(path).length).toBeGreaterThan(1);
  return { path, anchor };
}

it("P16 sees that a forged record of a removal is not the writer's, by key and by anchor", async () => {
  const { path, anchor } = await signedLog();
  without(path, forge(path));
  for (const options of [{ key }, { anchor }, { key, anchor }]) {
    expect((await verifyFolder(path, options)).ok).toBe(false);
  }
});

it("P16 removes nothing that a forged record says is removed, at any opening after", async () => {
  for (const options of [small, { ...keepsTwo, retention: { maxSegments: 50 } }]) {
    const { path, anchor } = await signedLog();
    const older = forge(path);
    await write(path, 1, options);
    appendFileSync(anchor, await write(path, 1, options));
    expect(segmentsOf(path)).toEqual(expect.arrayContaining([...older]));
    expect(kindsOf(path).filter((kind) => kind === "retention")).toHaveLength(2);
    expect(await verifyFolder(path, { key, anchor })).toMatchObject({ ok: true });
    // Signed over by now, and revoked before it was: still nobody's removal.
    without(path, older);
    for (const evidence of [{}, { key }, { anchor }]) {
      expect((await verifyFolder(path, evidence)).ok).toBe(false);
    }
  }
});

it("P16 revokes a forged removal that hides in a segment behind which another was forged", async () => {
  const { path, anchor } = await signedLog();
  const names = segmentsOf(path);
  const last = names.at(-1) ?? "";
  const older = forge(path);
  const head = recordsIn(path, last).at(-1);
  const number = names.length + 1;
  const file = `${String(number).padStart(8, "0")}.jsonl`;
  const body = `${opening({ seq: head?.seq ?? 0, hash: head?.hash ?? "" })}"kind":"segment","time":1,"chain":"${chain}","segment":${number}`;
  writeFileSync(join(path, chain, file), `${body}${seal(hash("sha256", body))}\n`);
  appendFileSync(anchor, await write(path, 1, small));
  expect(segmentsOf(path)).toEqual(expect.arrayContaining([...older]));
  without(path, older);
  for (const evidence of [{}, { key }, { anchor }]) {
    expect((await verifyFolder(path, evidence)).ok).toBe(false);
  }
});

it("P16 goes on with no chain whose records are gone by a forged removal, and signs nothing of it", async () => {
  const { path } = await signedLog();
  without(path, forge(path));
  const before = readFileSync(join(path, chain, segmentsOf(path)[0] ?? ""));
  expect(() => folder(path, small).open()).toThrow(/damaged/);
  expect(readFileSync(join(path, chain, segmentsOf(path)[0] ?? ""))).toEqual(before);
});

it("P16 finishes a removal that it signed and a crash interrupted, where segments are to be removed", async () => {
  const path = temporaryPath("audit");
  await write(path, 1, small);
  const disk = diskAt(path);
  const remove = () => {
    throw new Error("The machine is off.");
  };
  await write(path, 12, { ...keepsTwo, disk: { ...disk, remove } }).catch(() => {});
  expect(kindsOf(path)).toContain("retention");
  const large = { maxSegmentBytes: 1 << 20 };
  await write(path, 1, { ...small, ...large });
  expect(segmentsOf(path)[0]).toBe("00000001.jsonl");
  await write(path, 1, { ...keepsTwo, ...large });
  expect(segmentsOf(path)[0]).toBe("00000002.jsonl");
  expect(await verifyFolder(path, { key })).toMatchObject({
    ok: true,
    chains: [{ removalHeldBy: "signature" }],
  });
});

it("P16 signs every removal by the record right after it, before a file is gone", async () => {
  const { path } = await signedLog(keepsTwo);
  const kinds = kindsOf(path);
  expect(kinds).toContain("retention");
  for (const [index, kind] of kinds.entries()) {
    if (kind === "retention") expect(kinds[index + 1]).toBe("checkpoint");
  }
});

it("keeps what a log without a key has, whatever its records say of removals", async () => {
  const path = temporaryPath("audit");
  const unsigned = { ...keepsTwo, signingKey: false, retention: { maxSegments: 50 } } as const;
  await write(path, 12, unsigned);
  const older = forge(path);
  await write(path, 1, unsigned);
  expect(segmentsOf(path)).toEqual(expect.arrayContaining([...older]));
  expect(await verifyFolder(path)).toMatchObject({ ok: true });
});
