import { describe, expect, it } from "vitest";
import { when } from "../src/guard/combinators.js";
import { parallel } from "../src/guard/parallel.js";
import { allow, deny, modify } from "../src/guard/verdicts.js";
import type { GuardrailProvider, ToolCall } from "../src/protocol/guardrail.js";
import { provider } from "./support/calls.js";
import { deliberation, folded } from "./support/folds.js";

type Condition = (call: ToolCall, level: number) => boolean;

/** So many levels of parallel(): in each, a guard under a condition beside the next level. */
function nested(
  levels: number,
  condition: Condition,
  evaluate: (level: number) => unknown = () => allow(),
): GuardrailProvider {
  let made: GuardrailProvider | undefined;
  for (let level = levels; level > 0; level--) {
    const own = when(
      (call) => condition(call, level),
      provider(`g${level}`, () => evaluate(level)),
    );
    made = parallel(made === undefined ? [own] : [own, made], { name: `p${level}` });
  }
  return made as GuardrailProvider;
}

describe("parallel() in parallel()", () => {
  it.each([
    ["all", () => true, 30],
    ["none", () => false, 0],
    ["only that of the innermost", (_: ToolCall, level: number) => level === 30, 1],
  ])("asks each condition once where %s are met", async (_, condition, asked) => {
    const seen: number[] = [];
    const made = nested(30, (call, level) => {
      seen.push(level);
      return condition(call, level);
    });
    const folding = await folded([made]);
    expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(folding.records).toHaveLength(asked);
    expect(folding.judged).toBe(asked > 0);
  });

  it("lists the records of all levels in their order, flat and frozen", async () => {
    const folding = await folded([nested(3, () => true), provider("last")]);
    expect(folding.records.map(({ provider: who }) => who)).toEqual(["g1", "g2", "g3", "last"]);
    expect(Object.isFrozen(folding.records)).toBe(true);
  });

  it("denies by the innermost guard, with the records of all others", async () => {
    const folding = await folded([
      nested(
        20,
        () => true,
        (level) => (level === 20 ? deny("deep") : allow()),
      ),
    ]);
    expect(folding.denial).toMatchObject({ reason: "deep", decidedBy: "g20" });
    expect(folding.records).toHaveLength(20);
  });

  it("holds hundreds of levels", async () => {
    const folding = await folded([nested(500, () => true)]);
    expect(folding.records).toHaveLength(500);
    expect(folding.judged).toBe(true);
  });

  it.each([
    ["none of its guards has a say", parallel([when(() => false, provider("idle"))])],
    ["its own condition is not met", when(() => false, parallel([provider("idle")]))],
  ])("is no question where %s, also when no question is left", (_, idle) => {
    let n = 0;
    let turns = 0;
    // They change the call in turn, eight times. The ninth question is the last that three guards have.
    const first = provider("first", () => (++turns <= 4 ? modify({ n: ++n }) : allow()));
    const last = provider("last", () => modify({ n: ++n }));
    const { folding } = deliberation([first, idle, last]);
    expect(folding.denial).toBeUndefined();
    expect([turns, n]).toEqual([5, 8]);
    expect(folding.judged).toBe(true);
  });

  it("is one question too many where one of its guards has a say and no question is left", () => {
    let n = 0;
    const restless = (name: string) => provider(name, () => modify({ n: ++n }));
    const { folding } = deliberation([restless("a"), parallel([restless("b")], { name: "p" })]);
    expect(folding.denial?.basis).toBe("unstable");
    expect(n).toBe(6);
  });
});
