import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  type CallRecord,
  type ResultDecision,
  rewrite,
  type ToolOutcome,
  ToolRunner,
  toolResult,
} from "../src/index.js";
import type { CallEnd } from "../src/protocol/guardrail.js";

/** Half of a surrogate pair: JSON can hold it, and it has no canonical text. */
const half = "\ud800";

/** A runner whose judges answer this, and what its guards and observers are told at the end. */
function judging(answer: unknown, ...decisions: readonly ResultDecision[]) {
  const settled: ToolOutcome[] = [];
  const records: CallRecord[] = [];
  const judges = decisions.map((decision, index) => ({
    name: `judge-${index}`,
    evaluateResult: () => decision,
    settle: (_: unknown, outcome: CallEnd) => void settled.push(outcome as ToolOutcome),
  }));
  const runner = new ToolRunner({
    unchecked: true,
    tools: [{ name: "read", execute: () => answer }],
    guardrails: [allowAll(), ...judges],
    observers: [{ name: "o", settle: (record) => void records.push(record) }],
  });
  return { runner, settled, records };
}

class Masked extends Array<string> {
  toJSON(): string {
    return "***";
  }
}

describe("a result that says itself how it is written", () => {
  it.each<[string, object]>([
    ["a list's", Masked.of("hunter2")],
    ["hidden", Object.defineProperty({ a: "hunter2" }, "toJSON", { value: () => "***" })],
    [
      "inherited of what inherits nothing",
      Object.assign(Object.create(Object.assign(Object.create(null), { toJSON: () => "***" })), {
        a: "hunter2",
      }),
    ],
  ])("shows judges and the model nothing else, where its toJSON is %s", async (_, value) => {
    const structured = { value } as never;
    const { runner, records } = judging(toolResult({ content: [], structured }), allow());
    expect((await runner.run({ name: "read" })).result.structured).toEqual({ value: "***" });
    expect(JSON.stringify(records)).not.toContain("hunter2");
  });
});

describe("a result that has no canonical text", () => {
  it.each<[string, unknown, string]>([
    ["the tool's text has half a surrogate pair", `hunter2${half}`, "***"],
    ["the judge's text has one", "hunter2", `***${half}`],
    ["both have", `hunter2${half}`, `***${half}`],
  ])("is what a judge makes of it, settled and on record, where %s", async (_, answer, content) => {
    const { runner, settled, records } = judging(answer, rewrite({ content }));
    const { status, result } = await runner.run({ name: "read", callId: "c" });
    expect([status, result.content]).toEqual(["executed", content]);
    expect([settled.length, records.length]).toEqual([1, 1]);
    // Its id is free again.
    expect((await runner.run({ name: "read", callId: "c" })).status).toBe("executed");
  });

  it("is settled on by judges that make the same of it", async () => {
    const decision = rewrite({ content: `***${half}` });
    const { runner } = judging(`hunter2${half}`, decision, decision);
    expect(await runner.run({ name: "read" })).toMatchObject({ status: "executed" });
  });
});
