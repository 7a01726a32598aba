import { describe, expect, it } from "vitest";
import { allow, allowAll, ToolRunner } from "../src/index.js";
import { deferred, idle, ticks } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";

describe("P12 the calls of one turn", () => {
  it("P12 keeps their order, whatever order they end in, and isolates a failing one", async () => {
    const holds = [deferred(), deferred(), deferred()];
    const tool = spyTool("send", async ({ n }) => {
      await holds[n as number]?.promise;
      if (n === 1) throw new Error("one fails");
      return n;
    });
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
    const running = runner.runAll(
      [0, 1, 2].map((n) => ({ name: "send", arguments: { n }, callId: `c${n}` })),
    );
    await idle();
    for (const hold of [...holds].reverse()) {
      hold.resolve();
      await idle();
    }
    const outcomes = await running;
    expect(outcomes.map(({ callId, status }) => [callId, status])).toEqual([
      ["c0", "executed"],
      ["c1", "failed"],
      ["c2", "executed"],
    ]);
  });

  it("P12 runs at most `concurrency` at once, and a nested run under 1 does not wait for itself", async () => {
    let atOnce = 0;
    let most = 0;
    const runner: ToolRunner = new ToolRunner({
      tools: [
        spyTool("outer", async () => {
          most = Math.max(most, ++atOnce);
          const inner = await runner.runAll([{ name: "inner" }], { concurrency: 1 });
          atOnce--;
          return inner[0]?.status;
        }),
        spyTool("inner", () => ticks(3)),
      ],
      guardrails: [allowAll()],
    });
    const outcomes = await runner.runAll(
      Array.from({ length: 5 }, () => ({ name: "outer" })),
      { concurrency: 2 },
    );
    expect(most).toBe(2);
    expect(outcomes.map((outcome) => "value" in outcome && outcome.value)).toEqual(
      Array(5).fill("executed"),
    );
  });

  it("tells the guards which turn a call is of", async () => {
    const turns: (string | undefined)[] = [];
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [
        guard("g", {
          evaluate: ({ turnId }) => {
            turns.push(turnId);
            return allow();
          },
        }),
      ],
    });
    await runner.runAll([{ name: "send" }, { name: "send" }]);
    await runner.runAll([{ name: "send" }]);
    await runner.run({ name: "send" });
    expect(turns[0]).toBe(turns[1]);
    expect(turns[2]).not.toBe(turns[0]);
    expect(turns[3]).toBeUndefined();
  });
});
