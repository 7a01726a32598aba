import { afterEach, describe, expect, it } from "vitest";
import { allow, type CallRecord, type Fault, type ToolOutcome, ToolRunner } from "../src/index.js";

const { push } = Array.prototype;
afterEach(() => {
  Array.prototype.push = push;
});

/** The next list that is added to throws: a fault that no guard, tool or observer can be blamed for. */
function breakNextPush(): void {
  Array.prototype.push = () => {
    Array.prototype.push = push;
    throw new Error("hunter2");
  };
}

async function broken(phase: "evaluate" | "admit" | "evaluateResult") {
  const settled: ToolOutcome[] = [];
  const records: CallRecord[] = [];
  const faults: Fault[] = [];
  let ran = 0;
  const runner = new ToolRunner({
    unchecked: true,
    tools: [{ name: "send", execute: () => ++ran }],
    guardrails: [
      {
        name: "breaks",
        evaluate: () => allow(),
        settle: (_, outcome) => void settled.splice(settled.length, 0, outcome),
        [phase]: () => {
          breakNextPush();
          return allow();
        },
      },
    ],
    observers: [{ name: "log", settle: (record) => void records.splice(0, 0, record) }],
    onFault: (fault) => void faults.splice(0, 0, fault),
  });
  const outcome = await runner.run({ name: "send", callId: "c" });
  await runner.close();
  return { outcome, settled, records, faults, ran };
}

describe("P1 a fault inside core", () => {
  it.each([
    ["while guards decide", "evaluate", "denied", 0, "the call could not be decided"],
    ["while guards admit", "admit", "denied", 0, "the call could not be decided"],
    ["while judges judge", "evaluateResult", "withheld", 1, "the result could not be judged"],
  ] as const)(
    "%s stops the call, which is settled, told of and let go of",
    async (_, phase, status, times, reason) => {
      const { outcome, settled, records, faults, ran } = await broken(phase);
      expect(outcome).toMatchObject({
        status,
        basis: "error",
        decidedBy: "core",
        code: "internal_error",
        reason,
      });
      expect(ran).toBe(times);
      expect(settled).toEqual([outcome]);
      expect(records.map((record) => record.outcome)).toEqual([outcome]);
      expect(faults).toMatchObject([{ source: "core", error: { message: "hunter2" } }]);
      expect(JSON.stringify(outcome)).not.toContain("hunter2");
    },
  );
});
