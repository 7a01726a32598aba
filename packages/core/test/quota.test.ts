import { describe, expect, it } from "vitest";
import { allow, deny, type GuardrailProvider, modify, ToolRunner } from "../src/index.js";
import { deferred, idle, ticks } from "./support/promises.js";
import { guard, quota, request, spyObserver, spyTool } from "./support/runners.js";

describe("quota is taken by admit", () => {
  const boom = (): never => {
    throw new Error("boom");
  };

  it("P14 is given back when a later admit denies", async () => {
    const limit = quota("limit", 1);
    let open = false;
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [limit, guard("gate", { admit: () => (open ? allow() : deny("not yet")) })],
    });
    expect(await runner.run(request)).toMatchObject({ status: "denied", decidedBy: "gate" });
    expect(limit.taken()).toBe(0);
    open = true;
    expect(await runner.run(request)).toMatchObject({ status: "executed" });
    expect(await runner.run(request)).toMatchObject({
      status: "denied",
      decidedBy: "limit",
      code: "quota",
    });
    expect(limit.taken()).toBe(1);
  });

  it("P14 is given back when a required observer fails at intent", async () => {
    const limit = quota("limit", 1);
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [limit],
      observers: [spyObserver({ required: true, intent: boom })],
    });
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "audit" });
    expect(limit.taken()).toBe(0);
  });

  it("P14 is not taken by a call that is denied, not found, invalid or of a repeated id", async () => {
    const limit = quota("limit", 100);
    let takes = 0;
    const counting = guard("counting", {
      admit: () => {
        takes++;
        return allow();
      },
    });
    const hold = deferred();
    const runner = new ToolRunner({
      tools: [spyTool("send", () => hold.promise)],
      guardrails: [
        limit,
        counting,
        guard("no", { evaluate: ({ toolName }) => (toolName === "bad" ? deny("no") : allow()) }),
      ],
    });
    await runner.run({ name: "bad" });
    await runner.run({ name: "ghost" });
    await runner.run({ name: "send", arguments: "[" });
    expect([limit.taken(), takes]).toEqual([0, 0]);
    const first = runner.run(request);
    await idle();
    await runner.run(request);
    expect([limit.taken(), takes]).toEqual([1, 1]);
    hold.resolve();
    await first;
  });

  it("P14 each admit is asked once, in order, with the final arguments", async () => {
    const asked: unknown[] = [];
    const spy = (name: string): GuardrailProvider =>
      guard(name, {
        admit: async ({ args }) => {
          await ticks(2);
          asked.push([name, args]);
          return allow();
        },
      });
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [spy("a"), guard("m", { evaluate: () => modify({ to: "bob" }) }), spy("b")],
    });
    await runner.run(request);
    expect(asked).toEqual([
      ["a", { to: "bob" }],
      ["b", { to: "bob" }],
    ]);
  });

  it("P14 a call that ran keeps what it took, however its tool ended", async () => {
    const limit = quota("limit", 10);
    const runner = new ToolRunner({
      tools: [spyTool(), spyTool("fails", boom)],
      guardrails: [
        limit,
        {
          name: "withholds",
          evaluateResult: ({ args }) => (args.to === "eve" ? deny("no") : allow()),
        },
      ],
    });
    await runner.run({ name: "send" });
    await runner.run({ name: "fails" });
    await runner.run({ name: "send", arguments: { to: "eve" } });
    expect(limit.taken()).toBe(3);
  });
});
