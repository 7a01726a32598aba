import { generateKeyPairSync, hash } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { verifyFolder } from "../../src/index.js";
import { chainName, publicKey as key, LogFolder } from "./log-folder.js";

const segment = "00000001.jsonl";

/** Records 1 to 9: an opening, a checkpoint of 2 records, four calls, a checkpoint of 7, the close. */
function signedLog(): LogFolder {
  const log = new LogFolder().checkpoint().call("a").call("b").call("c").call("d");
  return log.checkpoint().record("close").write();
}

/** Makes of one record another, and gives it and all after it the hashes that they would have: no key is needed. */
function forge(
  log: LogFolder,
  from: string,
  to: string,
  lastLine = Number.POSITIVE_INFINITY,
): void {
  log.edit(segment, (text) => {
    let prev: string | undefined;
    const lines = text.trimEnd().split("\n").slice(0, lastLine);
    return lines
      .map((line) => {
        if (prev === undefined && !line.includes(from)) return `${line}\n`;
        const linked =
          prev === undefined
            ? line.replace(from, to)
            : line.replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${prev}"`);
        const body = linked.slice(0, -75);
        prev = hash("sha256", body);
        return `${body},"hash":"${prev}"}\n`;
      })
      .join("");
  });
}

const forged = ['"runId":"b"', '"runId":"B"'] as const;

async function found(log: LogFolder, options: Parameters<typeof verifyFolder>[1] = { key }) {
  const { ok, levels, chains } = await verifyFolder(log.path, options);
  const [chain] = chains;
  return { ok, signed: levels[1], head: chain?.head.seq, good: chain?.good, chain };
}

it("P16 fails the signed level where a record before the last checkpoint was changed and all hashes after it recomputed", async () => {
  const log = signedLog();
  const { good } = await found(log);
  expect(good).toEqual({ seq: 9, hash: log.prev });
  forge(log, ...forged);
  const note = `The chain '${chainName}' is known to be as it was signed up to record 2, and not after it.`;
  const fails = { ok: false, signed: { ok: false, note }, head: 7, good: { seq: 2 } };
  expect(await found(log)).toMatchObject(fails);
  rmSync(log.file("checkpoint"));
  expect(await found(log)).toMatchObject(fails);
});

it("P16 fails the signed level where a record was changed and no hash recomputed", async () => {
  const log = signedLog();
  log.edit(segment, (text) => text.replace(...forged));
  const fails = { ok: false, signed: { ok: false }, head: 4, good: { seq: 2 } };
  expect(await found(log)).toMatchObject(fails);
  rmSync(log.file("checkpoint"));
  expect(await found(log)).toMatchObject(fails);
});

it("P16 fails the signed level where the records were cut off that the checkpoint beside them covers", async () => {
  const log = signedLog();
  forge(log, ...forged, 6);
  const cut = { after: 6, expected: 7, seenBy: "checkpoint" };
  expect(await found(log)).toMatchObject({
    ok: false,
    signed: { ok: false },
    head: 6,
    good: { seq: 2 },
    chain: { tail: { cut } },
  });
});

it("P16 says for how many records the signed level holds where every trace of the checkpoint after them was cut off", async () => {
  const log = signedLog();
  forge(log, ...forged, 7);
  rmSync(log.file("checkpoint"));
  const note = "It holds up to record 2; 5 after it are not signed.";
  expect(await found(log)).toMatchObject({
    ok: true,
    signed: { ok: true, covered: 2, uncovered: 5, note },
    chain: { tail: { signed: 2, closed: false } },
  });
  const anchored = await found(log, { key, anchor: log.anchor(...log.notes) });
  expect(anchored).toMatchObject({ ok: false, good: { seq: 2 } });
  const other = new LogFolder(log.path, "b".repeat(16)).call("a").checkpoint().write();
  const both = "It holds for 5 of 11 records; 6 at the ends of the chains are not signed.";
  expect(other.seq).toBe(4);
  expect((await found(log)).signed).toMatchObject({ covered: 5, uncovered: 6, note: both });
});

it("P16 fails the signed level where nothing is left of a chain that could be read", async () => {
  const log = signedLog();
  log.edit(segment, (text) => `x${text}`);
  expect(await found(log)).toMatchObject({
    signed: { checked: true, ok: false },
    good: { seq: 0 },
  });
  const whole = signedLog();
  const elsewhere = join(whole.path, "..", "elsewhere");
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(whole.path, "0".repeat(16)));
  expect(await found(whole)).toMatchObject({ ok: false, signed: { ok: false } });
});

it("P16 fails the signed level where the checkpoint's file was exchanged for something else", async () => {
  const ofAnother = new LogFolder(undefined, "b".repeat(16)).checkpoint().notes.join("");
  for (const text of ["nothing", ofAnother]) {
    const log = signedLog();
    writeFileSync(log.file("checkpoint"), text);
    expect(await found(log), text).toMatchObject({ ok: false, signed: { ok: false } });
  }
});

it("P16 calls no record good that only a checkpoint of another key covers", async () => {
  const other = generateKeyPairSync("ed25519");
  const log = new LogFolder().checkpoint().call("a").checkpoint(other.privateKey).write();
  expect(await found(log)).toMatchObject({ head: 5, good: { seq: 2 } });
});

it("P16 calls a record good without a key only where no checkpoint and no later record contradicts it", async () => {
  const keyless = {};
  const edited = signedLog();
  edited.edit(segment, (text) => text.replace(...forged));
  expect(await found(edited, keyless)).toMatchObject({ head: 4, good: { seq: 4 } });
  const recomputed = signedLog();
  forge(recomputed, ...forged);
  expect(await found(recomputed, keyless)).toMatchObject({ head: 7, good: { seq: 0 } });
  const replaced = signedLog();
  const lines = (replaced.segments.get(1) ?? []).map(({ text }) => `${text}\n`);
  forge(replaced, ...forged, 5);
  replaced.edit(segment, (text) => `${text}${lines.slice(5).join("")}`);
  expect(await found(replaced, keyless)).toMatchObject({ head: 5, good: { seq: 0 } });
});

it("P16 keeps the signed level of a log whose last line was torn", async () => {
  const log = signedLog();
  log.edit(segment, (text) => text.slice(0, -5));
  expect(await found(log)).toMatchObject({
    ok: false,
    signed: { ok: true, covered: 7, uncovered: 1 },
  });
});
