import { allowAll, ToolRunner, tool } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { auditLog, folder, memory, verify, verifyFolder } from "../src/index.js";
import { temporaryPath } from "./temporary.js";

const clocks: [string, () => unknown][] = [
  ["of fractions of a millisecond", () => 1_700_000_000_000.25],
  ["below a millisecond", () => 0.5],
  ["of before 1970", () => -1],
  ["beyond what a Date can hold", () => 1e21],
  ["without a number", () => "12"],
  ["that is not one", () => Number.NaN],
  [
    "that throws",
    () => {
      throw new Error("no time");
    },
  ],
];

/** The times in lines: of records, and of the steps of calls. */
function timesIn(lines: readonly string[]): unknown[] {
  return lines.flatMap((line) => {
    const { time, times = {} } = JSON.parse(line);
    return [time, ...Object.values(times)];
  });
}

const isWhole = (time: unknown) =>
  time === null || (Number.isSafeInteger(time) && Number(time) >= 0);

describe("a clock", () => {
  it.each(clocks)("%s in a folder leaves a log that verifies", async (_, now) => {
    const path = temporaryPath("log");
    const log = auditLog({ sink: folder(path, { now: now as never }), required: true });
    const runner = new ToolRunner({
      tools: [tool({ name: "t", execute: () => "x" })],
      guardrails: [allowAll()],
      observers: [log],
    });
    expect((await runner.run({ name: "t" })).status).toBe("executed");
    await log.checkpoint();
    await log.close();
    const report = await verifyFolder(path, { key: `${path}.public.pem` });
    expect(report).toMatchObject({ ok: true, chains: [{ ok: true }] });
  });

  it.each(clocks)("%s of the log or of its runner leaves whole times or none", async (_, wrong) => {
    const sink = memory();
    let isRight = true;
    const log = auditLog({ sink, now: () => (isRight ? 1 : (wrong() as number)) });
    isRight = false;
    const clock = { ...fakeClock(), now: wrong as () => number };
    const runner = new ToolRunner({
      tools: [tool({ name: "t", execute: () => "x" })],
      guardrails: [allowAll()],
      observers: [log],
      clock,
    });
    await runner.run({ name: "t" });
    await log.close();
    expect(await verify(sink.lines)).toMatchObject({ ok: true, kinds: { outcome: 1 } });
    expect(timesIn(sink.lines).filter((time) => !isWhole(time))).toEqual([]);
  });

  it("of fractions is rounded down, in a record and in a checkpoint alike", async () => {
    const path = temporaryPath("log");
    const now = () => 1_700_000_000_000.75;
    const log = auditLog({ sink: folder(path, { now }), now });
    expect(await log.checkpoint()).toMatch(/^toolstile-hash-chain 1 1700000000000$/m);
    await log.close();
    expect((await verifyFolder(path)).chains[0]?.tail).toMatchObject({ time: 1_700_000_000_000 });
  });
});
