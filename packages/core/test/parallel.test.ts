import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { shadow } from "../src/advisory.js";
import { chain } from "../src/chain.js";
import { forTools, when } from "../src/combinators.js";
import { ToolstileError } from "../src/errors.js";
import { Fold } from "../src/fold.js";
import type { Phase } from "../src/judgement.js";
import { parallel } from "../src/parallel.js";
import type { GuardrailProvider, ToolOutcome, ToolResult } from "../src/protocol.js";
import { flatten, type Guardrail } from "../src/provider.js";
import { allow, deny, modify, rewrite } from "../src/verdict.js";
import {
  type Asked,
  callOf,
  deferred,
  foreignCall,
  provider,
  resultOf,
  scopeOn,
  settleAll,
} from "./support/calls.js";

const outcome = Object.freeze({ status: "aborted" }) as unknown as ToolOutcome;

function fold(
  guardrails: readonly Guardrail[],
  options: {
    phase?: Phase;
    args?: object;
    toolName?: string;
    asked?: Asked;
    result?: ToolResult;
  } = {},
): { folding: Fold; pending: Promise<void> | undefined } {
  const { phase = "call", args = {}, toolName = "send_mail", result = resultOf() } = options;
  const { scope } = options.asked ?? scopeOn();
  const links = flatten(guardrails).filter((link) => link.answers(phase));
  const folding = new Fold(links, phase, callOf(args, { scope, toolName }), result);
  return { folding, pending: folding.run() };
}
async function folded(...given: Parameters<typeof fold>): Promise<Fold> {
  const { folding, pending } = fold(...given);
  await pending;
  return folding;
}

function errorOf(act: () => unknown): ToolstileError {
  try {
    act();
  } catch (error) {
    if (error instanceof ToolstileError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("parallel", () => {
  it("asks all before it waits for any", async () => {
    const gates = [deferred(), deferred()];
    const guards = gates.map((gate, index) => provider(`g${index}`, () => gate.promise));
    const { folding, pending } = fold([parallel(guards)]);
    expect(guards.map(({ asked }) => asked.length)).toEqual([1, 1]);
    gates[1]?.resolve(allow());
    await settleAll();
    expect(folding.records).toEqual([]);
    gates[0]?.resolve(allow());
    await pending;
    expect(folding.records.map(({ provider: who }) => who)).toEqual(["g0", "g1"]);
    expect(folding.judged).toBe(true);
  });

  it("answers at once where all its guards do", () => {
    const { folding, pending } = fold([parallel([provider("a"), provider("b", () => deny("no"))])]);
    expect(pending).toBeUndefined();
    expect(folding.denial).toMatchObject({ reason: "no", decidedBy: "b" });
  });

  it("reports the first DENY of the list, whichever came first", async () => {
    const gates = [deferred(), deferred()];
    const { folding, pending } = fold([
      parallel(gates.map((gate, index) => provider(`g${index}`, () => gate.promise))),
    ]);
    gates[1]?.resolve(deny("second"));
    await settleAll();
    gates[0]?.resolve(deny("first", { code: "c", replacement: "x", approval: { summary: "?" } }));
    await pending;
    expect(folding.denial).toMatchObject({
      reason: "first",
      decidedBy: "g0",
      code: "c",
      replacement: "x",
      approval: { summary: "?" },
    });
    expect(folding.records).toHaveLength(2);
  });

  it("P1 denies where one fails, and says who", async () => {
    const folding = await folded([
      parallel([
        provider("a"),
        provider("broken", async () => Promise.reject(new Error("hunter2"))),
      ]),
    ]);
    expect(folding.denial).toMatchObject({ basis: "error", decidedBy: "broken" });
    expect(JSON.stringify(folding.records)).not.toContain("hunter2");
  });

  it("denies where one denies and another modifies", async () => {
    const folding = await folded([
      parallel([provider("a", () => modify({ n: 1 })), provider("b", () => deny("no"))]),
    ]);
    expect(folding.denial).toMatchObject({ basis: "policy", decidedBy: "b" });
    expect(folding.call.args).toEqual({});
  });

  it("P6 asks all the others again about the one MODIFY", async () => {
    const changes = provider("changes", ({ args }) =>
      args["n"] === 0 ? modify({ n: 1 }, { reason: "up" }) : allow(),
    );
    const others = [provider("a"), provider("b")];
    const folding = await folded(
      [parallel([others[0] as Guardrail, changes, others[1] as Guardrail])],
      { args: { n: 0 } },
    );
    expect(others.map(({ asked }) => asked)).toEqual([
      [{ n: 0 }, { n: 1 }],
      [{ n: 0 }, { n: 1 }],
    ]);
    expect(changes.asked).toEqual([{ n: 0 }]);
    expect(folding.call.args).toEqual({ n: 1 });
    expect(folding.modifiedBy).toEqual(["changes"]);
    expect(folding.records.map(({ provider: who, decision }) => `${who} ${decision}`)).toEqual([
      "a allow",
      "changes modify",
      "b allow",
      "a allow",
      "b allow",
    ]);
  });

  it("P6 denies where another does not like what the one made", async () => {
    const folding = await folded(
      [
        parallel([
          provider("likes0", ({ args }) => (args["n"] === 0 ? allow() : deny("not 0"))),
          provider("changes", () => modify({ n: 1 })),
        ]),
      ],
      { args: { n: 0 } },
    );
    expect(folding.denial).toMatchObject({ reason: "not 0", decidedBy: "likes0" });
    expect(folding.call.args).toEqual({ n: 0 });
  });

  it("denies two that modify at once, also to the same", async () => {
    for (const n of [1, 2]) {
      const folding = await folded([
        parallel([provider("a", () => modify({ n: 1 })), provider("b", async () => modify({ n }))]),
      ]);
      expect(folding.denial).toMatchObject({ basis: "unstable", decidedBy: "core" });
      expect(folding.records).toHaveLength(2);
    }
  });

  it("takes a MODIFY that changes nothing for an ALLOW", async () => {
    const other = provider("other");
    const folding = await folded(
      [
        parallel([
          provider("same", () => modify({ b: 1, a: 2 })),
          provider("same2", () => modify({ a: 2, b: 1 })),
          other,
        ]),
      ],
      { args: { a: 2, b: 1 } },
    );
    expect(folding.denial).toBeUndefined();
    expect(folding.modifiedBy).toEqual([]);
    expect(other.asked).toHaveLength(1);
  });

  it("lets one who liked the first arguments change the second, and asks the first again", async () => {
    const first = provider("first", ({ args }) => (args["n"] === 0 ? modify({ n: 1 }) : allow()));
    const second = provider("second", ({ args }) => (args["n"] === 1 ? modify({ n: 2 }) : allow()));
    const folding = await folded([parallel([first, second])], { args: { n: 0 } });
    expect(folding.denial).toBeUndefined();
    expect(folding.call.args).toEqual({ n: 2 });
    expect(first.asked).toEqual([{ n: 0 }, { n: 2 }]);
    expect(second.asked).toEqual([{ n: 0 }, { n: 1 }]);
    expect(folding.modifiedBy).toEqual(["second"]);
  });

  it("denies those that change each other's work for ever", async () => {
    const flips = (name: string, odd: number) =>
      provider(name, ({ args }) =>
        (args["n"] as number) % 2 === odd ? modify({ n: (args["n"] as number) + 1 }) : allow(),
      );
    const guards = [flips("even", 0), flips("odd", 1)];
    const folding = await folded([parallel(guards)], { args: { n: 0 } });
    expect(folding.denial).toMatchObject({ basis: "unstable", decidedBy: "core" });
    expect(guards.flatMap(({ asked }) => asked).length).toBeLessThanOrEqual(6);
  });

  it("is asked again, as one, by the chain around it", async () => {
    const inner = provider("inner");
    const folding = await folded(
      [
        parallel([inner]),
        provider("changes", ({ args }) => (args["n"] === 0 ? modify({ n: 1 }) : allow())),
      ],
      { args: { n: 0 } },
    );
    expect(inner.asked).toEqual([{ n: 0 }, { n: 1 }]);
    expect(folding.judged).toBe(true);
  });

  it("folds a chain inside it in order", async () => {
    const last = provider("last");
    const folding = await folded(
      [
        parallel([
          chain([
            provider("raises", ({ args }) => (args["n"] === 0 ? modify({ n: 1 }) : allow())),
            last,
          ]),
          provider("b"),
        ]),
      ],
      { args: { n: 0 } },
    );
    expect(last.asked).toEqual([{ n: 1 }]);
    expect(folding.call.args).toEqual({ n: 1 });
    expect(folding.modifiedBy).toEqual(["raises"]);
  });

  it("has a say where the tools and conditions put round it say so", async () => {
    const inner = () => parallel([provider("a", () => deny("no")), provider("b")]);
    for (const made of [forTools(["other"], inner()), when(() => false, inner())]) {
      const folding = await folded([made]);
      expect(folding.denial).toBeUndefined();
      expect(folding.records).toEqual([]);
      expect(folding.judged).toBe(false);
    }
    for (const made of [forTools(["send_mail"], inner()), when(() => true, inner())]) {
      expect((await folded([made])).denial?.reason).toBe("no");
    }
    const faulty = when((async () => true) as never, parallel([provider("a")], { name: "both" }));
    expect((await folded([faulty])).denial).toMatchObject({
      basis: "malformed",
      decidedBy: "both",
    });
  });

  it("asks those who answer in a phase, where others of a branch do not", async () => {
    const admits = { ...provider("b"), admit: () => deny("full") };
    const made = parallel([chain([provider("a"), admits]), provider("c")]);
    const folding = await folded([made], { phase: "admit" });
    expect(folding.denial).toMatchObject({ reason: "full", decidedBy: "b" });
  });

  it("counts, and checks arguments, if one of its guards does", () => {
    const judge = { name: "judge", evaluateResult: () => allow() };
    const checks = { ...provider("checks"), checksArguments: () => true };
    expect(flatten([parallel([judge, provider("a")])])[0]?.facts.counts).toBe(true);
    expect(flatten([parallel([judge])])[0]?.facts.counts).toBe(false);
    expect(parallel([provider("a"), checks]).checksArguments?.({ name: "x" })).toBe(true);
  });

  it("judges results by the same rules", async () => {
    const judge = (
      name: string,
      evaluateResult: (result: ToolResult) => unknown,
    ): GuardrailProvider => ({
      ...provider(name),
      evaluateResult: (_, result) => evaluateResult(result) as never,
    });
    const seen: unknown[] = [];
    const rewritten = await folded(
      [
        parallel([
          judge("redacts", ({ content }) =>
            content === "raw" ? rewrite({ content: "clean" }) : allow(),
          ),
          judge("sees", ({ content }) => {
            seen.push(content);
            return allow();
          }),
          provider("call only"),
        ]),
      ],
      { phase: "result", result: resultOf("raw") },
    );
    expect(rewritten.result?.content).toBe("clean");
    expect(rewritten.modifiedBy).toEqual(["redacts"]);
    expect(seen).toEqual(["raw", "clean"]);
    const withheld = await folded(
      [parallel([judge("a", () => allow()), judge("b", () => deny("no"))])],
      { phase: "result" },
    );
    expect(withheld.denial).toMatchObject({ reason: "no", decidedBy: "b" });
    const two = await folded(
      [
        parallel([
          judge("a", () => rewrite({ content: "1" })),
          judge("b", () => rewrite({ content: "2" })),
        ]),
      ],
      { phase: "result" },
    );
    expect(two.denial?.basis).toBe("unstable");
  });

  it("P14 admits in order, and stops at the first DENY, so that nothing is taken in vain", async () => {
    const order: string[] = [];
    const admits = (name: string, answer: unknown): GuardrailProvider => ({
      ...provider(name),
      admit: () => {
        order.push(name);
        return answer as never;
      },
    });
    const made = parallel([
      admits("a", allow()),
      admits("b", Promise.resolve(deny("full"))),
      admits("c", allow()),
    ]);
    const folding = await folded([made], { phase: "admit" });
    expect(order).toEqual(["a", "b"]);
    expect(folding.denial).toMatchObject({ reason: "full", decidedBy: "b" });
    expect(folding.records.map(({ provider: who, phase }) => [who, phase])).toEqual([
      ["a", "admit"],
      ["b", "admit"],
    ]);
    const open = await folded([parallel([admits("d", allow()), admits("e", allow())])], {
      phase: "admit",
    });
    expect(open.denial).toBeUndefined();
    expect(open.records.map(({ provider: who }) => who)).toEqual(["d", "e"]);
  });
});

describe("P3 what counts in parallel", () => {
  const say = (name = "says") => forTools(["other"], provider(name));

  it.each<readonly [string, () => readonly Guardrail[], boolean]>([
    ["one that has a say", () => [provider("a")], true],
    ["one of several that has a say", () => [say(), provider("a")], true],
    ["one that has none", () => [say()], false],
    ["several that have none", () => [say("x"), when(() => false, provider("y"))], false],
    ["a shadow beside one that has none", () => [shadow(provider("a")), say()], false],
    [
      "a judge of results beside one that has none",
      () => [{ name: "judge", evaluateResult: () => allow() }, say()],
      false,
    ],
    ["a shadow alone", () => [shadow(provider("a"))], false],
    [
      "one that changes, beside one that then has no say",
      () => [
        provider("a", () => modify({ n: 1 })),
        when(({ args }) => args["n"] === 0, provider("b")),
      ],
      true,
    ],
    [
      "one that has a say about what a shadow's neighbour made",
      () => [
        when(
          ({ args }) => args["n"] === 0,
          provider("a", () => modify({ n: 1 })),
        ),
        shadow(provider("b")),
      ],
      true,
    ],
  ])("of %s", async (_, guards, judged) => {
    expect((await folded([parallel(guards())], { args: { n: 0 } })).judged).toBe(judged);
    const slowly = await folded(
      [parallel([...guards(), shadow(provider("slow", async () => allow()))])],
      { args: { n: 0 } },
    );
    expect(slowly.judged).toBe(judged);
  });

  it("still records what a shadow in it would have done", async () => {
    const folding = await folded([parallel([shadow(provider("a", () => deny("no"))), say()])]);
    expect(folding.denial).toBeUndefined();
    expect(folding.records).toMatchObject([{ provider: "a", decision: "deny", mode: "shadow" }]);
  });

  it("P1 denies where a condition in it fails", async () => {
    const folding = await folded([parallel([when((async () => true) as never, provider("a"))])]);
    expect(folding.denial).toMatchObject({ basis: "malformed", decidedBy: "a" });
  });
});

describe("the other members of parallel", () => {
  it("names itself after its guards, or as it is told", () => {
    expect(parallel([provider("a"), provider("b")]).name).toBe("parallel(a, b)");
    expect(parallel([provider("a")], { name: "mine" }).name).toBe("mine");
    expect(flatten([parallel([provider("a")], { name: "mine" })])[0]?.facts.name).toBe("mine");
  });

  it("settles, closes and registers with each, also when one throws", async () => {
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
    await expect(made.settle?.(foreignCall(), outcome)).rejects.toThrow("settle");
    await expect(made.close?.()).rejects.toThrow("close");
    made.register?.({ name: "a" });
    made.register?.({ name: "b" });
    expect(told).toEqual([
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
    const { folding, pending } = fold(
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
    const { folding, pending } = fold([parallel([reads("a"), reads("b")])], { asked });
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
    const { folding, pending } = fold([
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
