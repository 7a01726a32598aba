import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  type CallRecord,
  type Fault,
  type ResultDecision,
  rewrite,
  type ToolOutcome,
  ToolRunner,
  toolResult,
} from "../src/index.js";
import type { CallEnd } from "../src/protocol/guardrail.js";
import { guard, outcomeOf, spyTool } from "./support/runners.js";

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

describe("a deep result that a guard writes anew", () => {
  const deep = (levels: number) => {
    let value: unknown = "leaf";
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };

  it.each([10, 100])(
    "P6 counts as unchanged where it is the same, %i levels deep",
    async (levels) => {
      const faults: Fault[] = [];
      const judge = guard("same", {
        evaluateResult: (_call, { content, structured }) =>
          ({ decision: "modify", modifiedResult: { content, structured } }) as never,
      });
      const runner = new ToolRunner({
        tools: [spyTool("send", () => deep(levels))],
        guardrails: [judge],
        onFault: (fault) => void faults.push(fault),
      });
      const { status, decisions } = await runner.run({ name: "send" });
      expect([status, decisions.at(-1)?.decision, faults]).toEqual(["executed", "allow", []]);
    },
  );
});

describe("P2 the error of a tool whose answer is none", () => {
  const causeOf = async (act: () => unknown) => {
    const outcome = await outcomeOf(act);
    return ((outcome as { error?: Error }).error?.cause as Error | undefined)?.message;
  };

  it("says of bytes that they are to be given as base64 text", async () => {
    for (const bytes of [new Uint8Array(2), new ArrayBuffer(2)]) {
      expect(await causeOf(() => ({ bytes }))).toBe(
        "JSON cannot hold bytes: give them as base64 text.",
      );
    }
  });

  it("says of what JSON has no text for that it cannot hold it", async () => {
    for (const value of [() => 1, Symbol("s")]) {
      expect(await causeOf(() => value)).toBe("JSON cannot hold it");
    }
  });

  it("says of a content that is neither text nor parts that it is none", async () => {
    for (const content of [7, [{}], [{ type: 7 }], {}]) {
      expect(await causeOf(() => toolResult({ content } as never))).toBe("not content");
    }
  });

  it("says of a claim with a wrong member that it is not a result", async () => {
    for (const wrong of [{ callId: 7 }, { name: 7 }, { receipt: 7 }, { isError: "no" }]) {
      expect(await causeOf(() => toolResult({ content: "x", ...wrong } as never))).toBe(
        "not a result",
      );
    }
  });
});
