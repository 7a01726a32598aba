import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  type GuardrailProvider,
  modify,
  type ToolOutcome,
  ToolRunner,
} from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import { deferred, idle } from "./support/promises.js";
import { everythingIn, guard, request, spyTool } from "./support/runners.js";

/** What a provider may do wrong, and the basis it is denied on. */
const misdeeds: readonly (readonly [string, () => unknown, string])[] = [
  [
    "throws an error",
    () => {
      throw new Error("hunter2");
    },
    "error",
  ],
  [
    "throws undefined",
    () => {
      throw undefined;
    },
    "error",
  ],
  [
    "throws a string",
    () => {
      throw "hunter2";
    },
    "error",
  ],
  [
    "throws a frozen object",
    () => {
      throw Object.freeze({ hunter2: true });
    },
    "error",
  ],
  [
    "throws an error whose message throws",
    () => {
      throw Object.defineProperty(new Error(), "message", {
        get: () => {
          throw new Error("hunter2");
        },
      });
    },
    "error",
  ],
  ["rejects", () => Promise.reject(new Error("hunter2")), "error"],
  ["rejects without a reason", () => Promise.reject(undefined), "error"],
  ["answers undefined", () => undefined, "malformed"],
  ["answers null", () => null, "malformed"],
  ["answers true", () => true, "malformed"],
  ["answers the word allow", () => "allow", "malformed"],
  ["answers in capitals", () => ({ decision: "ALLOW" }), "malformed"],
  ["answers { allow: true }", () => ({ allow: true }), "malformed"],
  ["answers an unknown decision", () => ({ decision: "skip" }), "malformed"],
  ["answers a boxed decision", () => ({ decision: new String("allow") }), "malformed"],
  [
    "answers an allow with modifiedArgs",
    () => ({ decision: "allow", modifiedArgs: {} }),
    "malformed",
  ],
  ["answers a promise of a function", () => Promise.resolve(() => allow()), "malformed"],
  [
    "answers through a getter",
    () => ({
      get decision() {
        return "allow";
      },
    }),
    "malformed",
  ],
  ["answers with an inherited decision", () => Object.create({ decision: "allow" }), "malformed"],
  [
    "answers a proxy whose traps throw",
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("hunter2");
          },
        },
      ),
    "malformed",
  ],
  [
    "answers what throws whatever is read of it",
    () =>
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("hunter2");
          },
        },
      ),
    "error",
  ],
];

describe("P1 a provider that misbehaves denies", () => {
  it.each(misdeeds)("P1 denies when evaluate %s", async (_what, evaluate, basis) => {
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [allowAll(), guard("bad", { evaluate: evaluate as never })],
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({ status: "denied", executed: false, basis, decidedBy: "bad" });
    expect(tool.runs).toEqual([]);
    expect(everythingIn(outcome)).not.toContain("hunter2");
  });

  it.each(misdeeds)("P1 denies when admit %s", async (_what, admit, basis) => {
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [guard("bad", { admit: admit as never })],
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({ status: "denied", executed: false, basis, decidedBy: "bad" });
    expect(tool.runs).toEqual([]);
    expect(everythingIn(outcome)).not.toContain("hunter2");
  });

  it.each(misdeeds)("P1 withholds when evaluateResult %s", async (_what, judge, basis) => {
    const tool = spyTool("send", () => "the secret answer");
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [allowAll(), { name: "bad", evaluateResult: judge as never }],
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({ status: "withheld", executed: true, basis, decidedBy: "bad" });
    expect(everythingIn(outcome)).not.toMatch(/hunter2|secret answer/);
    expect(tool.runs).toHaveLength(1);
  });

  it("P1 denies a MODIFY from admit, which may not change what was decided", async () => {
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [guard("bad", { admit: () => modify({ to: "eve" }) as never })],
    });
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "malformed" });
    expect(tool.runs).toEqual([]);
  });

  it.each(["evaluate", "admit", "evaluateResult"] as const)(
    "P1 cuts a provider that hangs in %s after its time, and drops its late answer",
    async (phase) => {
      const clock = new HandClock();
      const late = deferred<ReturnType<typeof allow>>();
      const tool = spyTool();
      const runner = new ToolRunner({
        tools: [tool],
        guardrails: [guard("slow", { [phase]: () => late.promise })],
        clock,
      });
      const running = runner.run(request);
      await idle();
      clock.pass(4_999);
      await idle();
      expect(await Promise.race([running, "still waiting"])).toBe("still waiting");
      clock.pass(1);
      const outcome = await running;
      expect(outcome).toMatchObject({
        status: phase === "evaluateResult" ? "withheld" : "denied",
        basis: "timeout",
        decidedBy: "slow",
      });
      const before = JSON.stringify(outcome);
      late.resolve(allow());
      await idle();
      expect(JSON.stringify(outcome)).toBe(before);
      expect(tool.runs).toHaveLength(phase === "evaluateResult" ? 1 : 0);
      expect(clock.waiting).toBe(0);
    },
  );

  it("P1 takes timeoutMs of the runner, and of the provider over it", async () => {
    const clock = new HandClock();
    const hang = { evaluate: () => new Promise<never>(() => {}) };
    const outcomeAt = async (guardrail: GuardrailProvider, at: number): Promise<ToolOutcome> => {
      const runner = new ToolRunner({ guardrails: [guardrail], clock, timeoutMs: 20 });
      const running = runner.run(request);
      await idle();
      clock.pass(at - 1);
      await idle();
      expect(clock.waiting).toBe(1);
      clock.pass(1);
      return running;
    };
    expect(await outcomeAt(guard("slow", hang), 20)).toMatchObject({ basis: "timeout" });
    expect(await outcomeAt(guard("slow", { ...hang, timeoutMs: 7 }), 7)).toMatchObject({
      basis: "timeout",
    });
  });

  it("P1 leaves no unhandled rejection behind when a provider rejects after its time", async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", listen);
    try {
      const clock = new HandClock();
      const late = deferred<never>();
      const runner = new ToolRunner({
        guardrails: [guard("slow", { evaluate: () => late.promise })],
        clock,
      });
      const running = runner.run(request);
      await idle();
      clock.pass(5_000);
      await running;
      late.reject(new Error("too late"));
      await idle();
      await idle();
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listen);
    }
  });
});
