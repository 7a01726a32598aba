import { afterEach, describe, expect, it } from "vitest";
import {
  allow,
  type CallRecord,
  deny,
  type Fault,
  type ToolOutcome,
  ToolRunner,
} from "../src/index.js";
import { idle } from "./support/promises.js";

const { at } = Array.prototype;
afterEach(() => {
  Array.prototype.at = at;
});

/** The next list that is read from its end throws: a fault that no guard, tool or observer can be blamed for. */
function breakNextAt(): void {
  Array.prototype.at = () => {
    Array.prototype.at = at;
    throw new Error("hunter2");
  };
}

async function broken(phase: "evaluate" | "admit" | "evaluateResult", isLate: boolean) {
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
        settle: (_, outcome) => void settled.splice(settled.length, 0, outcome as ToolOutcome),
        [phase]: () => {
          if (isLate)
            return idle()
              .then(breakNextAt)
              .then(() => allow());
          breakNextAt();
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

describe("P1 a fault inside core while the outcome is made", () => {
  const { freeze } = Object;
  afterEach(() => {
    Object.freeze = freeze;
  });
  /** The next outcome that is frozen throws. */
  const breakNextOutcome = () => {
    Object.freeze = ((each: object) => {
      if (!Object.hasOwn(each, "status")) return freeze(each);
      Object.freeze = freeze;
      throw new Error("hunter2");
    }) as typeof freeze;
  };

  it.each([
    ["allowed it", allow(), { decidedBy: "core", code: "internal_error" }],
    ["withheld it", deny("no", { code: "own" }), { decidedBy: "g", code: "own", reason: "no" }],
  ])("keeps the result from the model, of which a guard %s", async (_, decision, denial) => {
    const faults: Fault[] = [];
    const evaluateResult = () => {
      breakNextOutcome();
      return decision as never;
    };
    const runner = new ToolRunner({
      tools: [{ name: "send", execute: () => "sent" }],
      guardrails: [{ name: "g", evaluate: () => allow(), evaluateResult }],
      onFault: (fault) => void faults.push(fault),
    });
    expect(await runner.run({ name: "send" })).toMatchObject({ status: "withheld", ...denial });
    expect(faults).toMatchObject([{ source: "core", phase: "close" }]);
  });
});

describe("P1 a fault inside core", () => {
  const undecided = "the call could not be decided";
  const unjudged = "the result could not be judged";
  it.each([
    ["while guards decide", "evaluate", false, "denied", "open", undecided],
    ["while guards decide later", "evaluate", true, "denied", "open", undecided],
    ["while guards admit", "admit", false, "denied", "open", undecided],
    ["while guards admit later", "admit", true, "denied", "open", undecided],
    ["while judges judge", "evaluateResult", false, "withheld", "close", unjudged],
    ["while judges judge later", "evaluateResult", true, "withheld", "close", unjudged],
  ] as const)(
    "%s stops the call, which is settled, told of and let go of",
    async (_, phase, isLate, status, during, reason) => {
      const { outcome, settled, records, faults, ran } = await broken(phase, isLate);
      expect(outcome).toMatchObject({
        status,
        basis: "error",
        decidedBy: "core",
        code: "internal_error",
        reason,
      });
      expect(ran).toBe(status === "withheld" ? 1 : 0);
      expect(settled).toEqual([outcome]);
      expect(records.map((record) => record.outcome)).toEqual([outcome]);
      expect(faults).toMatchObject([
        { source: "core", phase: during, error: { message: "hunter2" } },
      ]);
      expect(JSON.stringify(outcome)).not.toContain("hunter2");
    },
  );
});
