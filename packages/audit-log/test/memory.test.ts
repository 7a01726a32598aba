import { describe, expect, it } from "vitest";
import { auditLog, genesis, memory, verify } from "../src/index.js";
import { settledCall } from "./calls.js";

describe("memory", () => {
  it("P17 keeps the latest records only, and says after which head they begin", async () => {
    const sink = memory({ maxRecords: 3 });
    const log = auditLog({ sink });
    expect(sink.before).toEqual(genesis);
    for (let index = 0; index < 6; index++) await log.settle(settledCall());
    expect(sink.lines).toHaveLength(3);
    expect(sink.before.seq).toBe(4);
    expect(await verify(sink.lines, { after: sink.before })).toMatchObject({
      ok: true,
      records: 3,
    });
    expect((await verify(sink.lines)).ok).toBe(false);
  });

  it("P5 refuses a misspelt option and a bound that is none", () => {
    expect(() => memory({ maxrecords: 1 } as never)).toThrow(/Did you mean 'maxRecords'/);
    expect(() => memory({ maxRecords: 0 })).toThrow(/'maxRecords'/);
  });

  it("has another key for each writer when none is given", async () => {
    const digests = new Set<unknown>();
    for (const sink of [memory(), memory()]) {
      await auditLog({ sink }).settle(settledCall());
      digests.add(JSON.parse(sink.lines[1] as string).digests.asked);
    }
    expect(digests.size).toBe(2);
  });
});
