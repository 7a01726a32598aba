import { expect, it } from "vitest";
import { verifyFolder } from "../../src/index.js";
import { temporaryPath } from "../temporary.js";
import { publicKey as key, LogFolder } from "./log-folder.js";

function logOf(origin: string, path?: string, chain?: string): LogFolder {
  const log = new LogFolder(path, chain);
  log.origin = origin;
  return log.call("a").checkpoint().call("b").checkpoint().write();
}

it("P16 says of which origin a log's checkpoints are, and takes another for none of its own", async () => {
  const log = logOf("staging");
  expect(await verifyFolder(log.path, { key })).toMatchObject({ ok: true, origin: "staging" });
  expect(await verifyFolder(log.path, { key, origin: "staging" })).toMatchObject({ ok: true });
  const report = await verifyFolder(log.path, { key, origin: "prod" });
  expect(report).toMatchObject({ ok: false });
  expect(report.firstBad?.reason).toContain("of origin 'staging', and 'prod' is the one");
  expect(report.levels.slice(0, 2).map(({ ok }) => ok)).toEqual([true, false]);
  expect(report).not.toHaveProperty("origin");
  expect(await verifyFolder(log.path, { origin: "prod" })).toMatchObject({ ok: false });
});

it("P16 takes no two origins in one folder for one log", async () => {
  const path = temporaryPath("audit");
  logOf("prod", path, "one");
  logOf("staging", path, "two");
  const report = await verifyFolder(path, { key });
  expect(report).toMatchObject({ ok: false, origin: "prod" });
  expect(report.levels[1]).toMatchObject({ level: "L1", ok: false });
  expect(report.chains.map(({ ok }) => ok)).toEqual([true, false]);
  const mixed = new LogFolder().call("a").checkpoint();
  mixed.origin = "other";
  expect(await verifyFolder(mixed.checkpoint().write().path, { key })).toMatchObject({
    ok: false,
    firstBad: { seq: 4 },
  });
});

it("P16 takes no chain that was put in another's place for it, where that one is anchored", async () => {
  const prod = logOf("prod");
  const staging = logOf("staging");
  const anchor = staging.anchor(...prod.notes);
  const swapped = await verifyFolder(staging.path, { key, anchor });
  expect(swapped.levels.slice(0, 3).map(({ ok }) => ok)).toEqual([false, false, false]);
  const foreign = staging.anchor(...staging.notes, ...prod.notes);
  expect((await verifyFolder(staging.path, { key, anchor: foreign })).levels[2]).toMatchObject({
    ok: false,
  });
});

it("refuses an origin that is no text", async () => {
  const { path } = logOf("prod");
  for (const origin of ["", 7]) {
    await expect(verifyFolder(path, { origin: origin as never })).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
  }
});
