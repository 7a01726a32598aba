import { describe, expect, it } from "vitest";
import { forTools, when } from "../src/guard/combinators.js";
import { chain } from "../src/guard/compose.js";
import { flatten, type Guardrail } from "../src/guard/define.js";
import { parallel } from "../src/guard/parallel.js";
import { shadow } from "../src/guard/shadow.js";
import { allow, deny, modify, rewrite } from "../src/guard/verdicts.js";
import type { GuardrailProvider, ToolResult } from "../src/protocol/guardrail.js";
import { provider, resultOf } from "./support/calls.js";
import { deliberation, folded } from "./support/folds.js";
import { deferred, settleAll } from "./support/promises.js";

describe("parallel", () => {
  it("asks all before it waits for any", async () => {
    const gates = [deferred(), deferred()];
    const guards = gates.map((gate, index) => provider(`g${index}`, () => gate.promise));
    const { folding, pending } = deliberation([parallel(guards)]);
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
    const { folding, pending } = deliberation([
      parallel([provider("a"), provider("b", () => deny("no"))]),
    ]);
    expect(pending).toBeUndefined();
    expect(folding.denial).toMatchObject({ reason: "no", decidedBy: "b" });
  });

  it("reports the first DENY of the list, whichever came first", async () => {
    const gates = [deferred(), deferred()];
    const { folding, pending } = deliberation([
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

  it("deliberations a chain inside it in order", async () => {
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
