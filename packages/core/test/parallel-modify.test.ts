import { describe, expect, it } from "vitest";
import type { Guardrail } from "../src/guard/define.js";
import { parallel } from "../src/guard/parallel.js";
import { allow, deny, modify } from "../src/guard/verdicts.js";
import { ToolRunner, type ToolRunnerOptions } from "../src/index.js";
import { provider } from "./support/calls.js";
import { folded } from "./support/folds.js";
import { guard, spyTool } from "./support/runners.js";

const runnerOf = (guardrails: ToolRunnerOptions["guardrails"], more: object = {}) =>
  new ToolRunner({ tools: [spyTool(), spyTool("other")], guardrails, onFault: () => {}, ...more });

describe("parallel", () => {
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
});

describe("a guard that denies beside one that modifies", () => {
  it("P1 has denied the call, also where it would not mind what the other made of it", async () => {
    const folding = await folded(
      [
        parallel([
          provider("minds 0", ({ args }) => (args["n"] === 0 ? deny("is 0") : allow())),
          provider("changes", () => modify({ n: 1 })),
        ]),
      ],
      { args: { n: 0 } },
    );
    expect(folding.denial).toMatchObject({ reason: "is 0", decidedBy: "minds 0" });
    expect(folding.call.args).toEqual({ n: 0 });
  });
});

describe("guards that are asked at once and change each other's work", () => {
  it("P1 are stopped after three rounds, in words that say why", async () => {
    const asked: string[] = [];
    const changing = (name: string, odd: number) =>
      guard(name, {
        evaluate: ({ args }) => {
          asked.push(name);
          const n = Number(args["n"] ?? 0);
          return n % 2 === odd ? modify({ n: n + 1 }) : allow();
        },
      });
    const runner = runnerOf([parallel([changing("a", 0), changing("b", 1)])]);
    expect(await runner.run({ name: "send" })).toMatchObject({
      status: "denied",
      basis: "unstable",
      decidedBy: "core",
      reason: "guardrails that are asked at once do not agree on one change",
    });
    expect(asked).toEqual(["a", "b", "b", "a"]);
  });
});
