import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { forTools } from "../src/guard/combinators.js";
import { chain } from "../src/guard/compose.js";
import { flatten } from "../src/guard/define.js";
import { parallel } from "../src/guard/parallel.js";
import { allow } from "../src/guard/verdicts.js";
import { allowAll, deny, shadow, ToolRunner, type ToolRunnerOptions } from "../src/index.js";
import type { GuardrailProvider } from "../src/protocol/guardrail.js";
import { foreignCall, outcome, provider, scopeOn } from "./support/calls.js";
import { errorOf } from "./support/errors.js";
import { deliberation, folded } from "./support/folds.js";
import { deferred, settleAll } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";

const runnerOf = (guardrails: ToolRunnerOptions["guardrails"], more: object = {}) =>
  new ToolRunner({ tools: [spyTool(), spyTool("other")], guardrails, onFault: () => {}, ...more });

describe("the other members of parallel", () => {
  it("names itself after its guards, or as it is told", () => {
    expect(parallel([provider("a"), provider("b")]).name).toBe("parallel(a, b)");
    expect(parallel([provider("a")], { name: "mine" }).name).toBe("mine");
    expect(flatten([parallel([provider("a")], { name: "mine" })])[0]?.facts.name).toBe("mine");
  });

  it("settles and registers with those that cover the tool, and closes each, also when one throws", async () => {
    const told: string[] = [];
    const full = (name: string, fails: boolean): GuardrailProvider => {
      const note = (what: string) => {
        told.push(`${what} ${name}`);
        if (fails) throw new Error(what);
      };
      return {
        ...provider(name),
        settle: () => note("settle"),
        close: () => note("close"),
        register: () => void told.push(`register ${name}`),
        tools: [name],
        checksArguments: ({ name: tool }) => tool === name,
      };
    };
    const made = parallel([full("a", true), forTools(["b"], full("b", false))]);
    for (const tool of ["a", "b"]) {
      await expect(made.settle?.(foreignCall({}, { toolName: tool }), outcome)).rejects.toThrow(
        "settle",
      );
    }
    await expect(made.close?.()).rejects.toThrow("close");
    made.register?.({ name: "a" });
    made.register?.({ name: "b" });
    expect(told).toEqual([
      "settle a",
      "settle a",
      "settle b",
      "close a",
      "close b",
      "register a",
      "register a",
      "register b",
    ]);
    expect(made.tools).toEqual(["a", "b", "b"]);
    expect(made.checksArguments?.({ name: "a" })).toBe(true);
    expect(made.checksArguments?.({ name: "b" })).toBe(true);
    expect(made.checksArguments?.({ name: "c" })).toBe(false);
  });

  it("P5 refuses nobody, two of one name, and unknown options", () => {
    expect(errorOf(() => parallel([])).code).toBe("ERR_INVALID_OPTION");
    expect(errorOf(() => parallel(undefined as never)).code).toBe("ERR_INVALID_OPTION");
    expect(errorOf(() => parallel([provider("a"), provider("a")])).code).toBe(
      "ERR_DUPLICATE_PROVIDER",
    );
    expect(errorOf(() => parallel([provider("a"), chain([provider("a")])])).code).toBe(
      "ERR_DUPLICATE_PROVIDER",
    );
    expect(errorOf(() => parallel([provider("a")], { names: "x" } as never)).code).toBe(
      "ERR_UNKNOWN_OPTION",
    );
    expect(errorOf(() => parallel([provider("a")], { name: "" })).code).toBe("ERR_INVALID_OPTION");
  });

  it("P1 gives each its own time, from one start", async () => {
    const asked = scopeOn({ timeoutMs: 100 });
    const signals: AbortSignal[] = [];
    const never = (name: string, timeoutMs?: number): GuardrailProvider => ({
      ...provider(name, (call) => {
        signals.push(call.signal);
        return new Promise(() => undefined);
      }),
      timeoutMs,
    });
    const { folding, pending } = deliberation(
      [parallel([never("slow", 200), never("usual"), never("quick", 50)])],
      { asked },
    );
    asked.clock.pass(50);
    await settleAll();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true]);
    asked.clock.pass(50);
    await settleAll();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, true]);
    expect(folding.denial).toBeUndefined();
    asked.clock.pass(100);
    await pending;
    expect(folding.denial).toMatchObject({ basis: "timeout", decidedBy: "slow" });
    expect(folding.records.map(({ basis }) => basis)).toEqual(["timeout", "timeout", "timeout"]);
    expect(asked.scope.signal.aborted).toBe(false);
    expect(asked.clock.waiting).toBe(0);
  });

  it("P4 denies, for all, when the caller gives up, and P17 lets go of its signal", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const reads = (name: string) =>
      provider(name, (call) => {
        expect(call.signal.aborted).toBe(false);
        return new Promise(() => undefined);
      });
    const { folding, pending } = deliberation([parallel([reads("a"), reads("b")])], { asked });
    caller.abort();
    await pending;
    expect(folding.denial).toMatchObject({ decision: "deny", basis: "error" });
    const quiet = new AbortController();
    const other = scopeOn({ caller: quiet.signal });
    const answers = provider("a", async (call) => {
      expect(call.signal.aborted).toBe(false);
      return allow();
    });
    await folded([parallel([answers])], { asked: other });
    expect(getEventListeners(quiet.signal, "abort")).toHaveLength(0);
  });

  it("P8 ends under a then planted on Object.prototype, in a DENY", async () => {
    const gates = [deferred(), deferred()];
    const { folding, pending } = deliberation([
      parallel(gates.map((gate, index) => provider(`g${index}`, () => gate.promise))),
    ]);
    let over = false;
    void pending?.then(() => {
      over = true;
    });
    Object.defineProperty(Object.prototype, "then", {
      value: () => undefined,
      configurable: true,
      writable: true,
    });
    try {
      for (const gate of gates)
        gate.resolve(Object.assign(Object.create(null), { decision: "allow" }));
      for (let tick = 0; tick < 50; tick++) await undefined;
    } finally {
      Reflect.deleteProperty(Object.prototype, "then");
    }
    expect(over).toBe(true);
    expect(folding.denial?.decision).toBe("deny");
  });
});

describe("P3 a call that none of several guards judged", () => {
  it("P3 is denied, though one that judges other tools is asked at once with them", async () => {
    const together = parallel([
      forTools(["other"], allowAll()),
      shadow(guard("dark", { evaluate: () => deny("no") })),
    ]);
    const runner = runnerOf([together]);
    expect(await runner.run({ name: "send" })).toMatchObject({ basis: "no_provider" });
    expect((await runner.run({ name: "other" })).status).toBe("executed");
  });
});

describe("P3 a tool that guards which are asked at once do not cover", () => {
  it("P3 is known to be judged by none, before it is called", () => {
    const together = parallel([forTools(["other"], allowAll()), forTools(["other"], guard("b"))]);
    expect(runnerOf([together]).denialOf("send")).toMatchObject({ code: "no_provider" });
  });
});
