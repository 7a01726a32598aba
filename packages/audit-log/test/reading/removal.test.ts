import { expect, it } from "vitest";
import { verifyFolder } from "../../src/index.js";
import { chainName, publicKey as key, LogFolder } from "./log-folder.js";

const second = `${chainName}/00000002.jsonl`;

/** Two segments: records 1 to 6, 7 to 12; checkpoints of 5 and 10 records. */
function twoSegments(): LogFolder {
  const log = new LogFolder().call("a").call("b").call("c").checkpoint().rotate();
  return log.call("d").call("e").call("f").checkpoint().record("close");
}

const levelsOf = async (log: LogFolder, options?: Parameters<typeof verifyFolder>[1]) =>
  (await verifyFolder(log.path, options)).levels.slice(0, 3).map(({ ok }) => ok);

it("P16 accepts removed segments only where a later record says that they were removed", async () => {
  const said = twoSegments().retire().checkpoint().write();
  const report = await verifyFolder(said.path, { key });
  expect(report).toMatchObject({ ok: true, records: 8 });
  expect(report.chains[0]).toMatchObject({ removedThrough: 6, tail: { unprotected: 1 } });
  const unsaid = twoSegments().retire(false).checkpoint().write();
  expect((await verifyFolder(unsaid.path, { key })).firstBad).toMatchObject({
    file: second,
    line: 1,
    seq: 7,
  });
});

it.each([
  ["of another chain's records", { seq: 6, hash: "a".repeat(64) }],
  ["up to the middle of a segment", { seq: 8, hash: "a".repeat(64) }],
  ["of records to come", { seq: 99, hash: "a".repeat(64) }],
])("P16 accepts no removal %s", async (_, through) => {
  const log = twoSegments().record("retention", { removed: ["00000001.jsonl"], through });
  log.retire(false).checkpoint().write();
  expect((await verifyFolder(log.path, { key })).firstBad).toMatchObject({ file: second });
});

it("P16 fails the signed level where no signed checkpoint covers the record of a removal", async () => {
  const log = twoSegments().retire().write();
  expect(await levelsOf(log, { key })).toEqual([true, false, undefined]);
  expect(await verifyFolder(log.path, { key })).toMatchObject({
    ok: false,
    firstBad: { file: second, line: 1, seq: 7 },
    chains: [{ ok: false, removedThrough: 6, removalHeldBy: "record" }],
  });
  log.checkpoint().write();
  expect(await verifyFolder(log.path, { key })).toMatchObject({
    ok: true,
    chains: [{ removedThrough: 6, removalHeldBy: "signature" }],
  });
});

it("P16 fails the anchored level where no anchored checkpoint covers the record of a removal", async () => {
  for (const count of [1, 2]) {
    const log = twoSegments();
    const anchor = log.anchor(...log.notes.slice(0, count));
    log.retire().checkpoint().write();
    expect(await levelsOf(log, { key, anchor })).toEqual([true, true, false]);
    expect(await verifyFolder(log.path, { anchor })).toMatchObject({
      ok: false,
      firstBad: { line: 1 },
    });
    const later = log.anchor(...log.notes);
    expect(await verifyFolder(log.path, { anchor: later, key })).toMatchObject({
      ok: true,
      chains: [{ removalHeldBy: "anchor" }],
    });
  }
});

it("P16 counts only records that are there among those that checkpoints cover", async () => {
  const log = twoSegments().retire().checkpoint().write();
  const { levels } = await verifyFolder(log.path, { key, anchor: log.anchor(...log.notes) });
  // Checkpoints of 13 records, the first six of which are gone.
  const counts = { ok: true, covered: 7, uncovered: 1 };
  const upTo = "It holds up to record 13; 1 after it is not";
  expect(levels[1]).toMatchObject({ ...counts, note: `${upTo} signed.` });
  expect(levels[2]).toMatchObject({ ...counts, note: `${upTo} anchored.` });
});

it("P16 says without a key and an anchor that a removal rests on nothing but its record", async () => {
  const report = await verifyFolder(twoSegments().retire().checkpoint().write().path);
  expect(report).toMatchObject({ ok: true, chains: [{ removalHeldBy: "record" }] });
  expect(report.levels[0]?.note).toContain("rests on nothing but the record that says so");
  const whole = await verifyFolder(twoSegments().write().path);
  expect(whole.chains[0]).not.toHaveProperty("removalHeldBy");
  expect(whole.levels[0]?.note).not.toContain("removed");
});

it("P16 keeps an earlier removal that is anchored when a later one is not yet carried out", async () => {
  const log = twoSegments().rotate().call("g").retire().checkpoint();
  const anchor = log.anchor(...log.notes);
  const through = { seq: log.starts[1]?.seq ?? 0, hash: log.starts[1]?.prev };
  log.record("retention", { removed: [second], through: { ...through, seq: through.seq - 1 } });
  expect(await levelsOf(log.write(), { key, anchor })).toEqual([true, true, true]);
  log.segments.delete(2);
  log.starts.shift();
  expect(await levelsOf(log.write(), { key, anchor })).toEqual([true, false, false]);
});

it("P16 counts no removal that the writer revoked, whatever checkpoints cover it later", async () => {
  const log = twoSegments().retire();
  log.record("retention", { removed: [], revokedAfter: 11 }).checkpoint().write();
  const anchor = log.anchor(...log.notes);
  for (const options of [{}, { key }, { anchor }, { key, anchor }]) {
    const { firstBad } = await verifyFolder(log.path, options);
    expect(firstBad?.reason).toContain("no later record says that they were removed");
  }
  expect(await levelsOf(log, { key, anchor })).toEqual([false, false, false]);
});

it("P16 lets nobody revoke a removal that a checkpoint covered before", async () => {
  const log = twoSegments().retire().checkpoint();
  const anchor = log.anchor(...log.notes);
  log.record("retention", { removed: [], revokedAfter: 0 }).write();
  expect(await verifyFolder(log.path, { key })).toMatchObject({ ok: true });
  expect(await verifyFolder(log.path, { anchor })).toMatchObject({ ok: true });
  const wrong = twoSegments().record("retention", { removed: [], revokedAfter: 13 }).write();
  expect((await verifyFolder(wrong.path)).firstBad).toMatchObject({ seq: 13 });
});
