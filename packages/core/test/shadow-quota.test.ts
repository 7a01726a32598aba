import { describe, expect, it } from "vitest";
import { shadow } from "../src/guard/shadow.js";
import { allow, deny, modify } from "../src/guard/verdicts.js";
import { provider } from "./support/calls.js";
import { folded } from "./support/folds.js";

describe("shadow", () => {
  it("P14 takes quota of its own for calls that it would have let through", async () => {
    const run = {};
    const taken: string[] = [];
    const made = shadow({
      ...provider("a"),
      admit: () => {
        taken.push("admit");
        return allow();
      },
    });
    await folded([made], { run });
    await folded([made], { run, phase: "admit" });
    expect(taken).toEqual(["admit"]);
  });

  it.each<readonly [string, unknown]>([
    ["denied", deny("no")],
    ["failed on", true],
  ])(
    "P14 takes no quota for a call that it would have %s, and judges no result of it",
    async (_, answer) => {
      const run = {};
      const taken: string[] = [];
      const made = shadow({
        ...provider("a", () => answer),
        admit: () => {
          taken.push("admit");
          return allow();
        },
        evaluateResult: () => {
          taken.push("result");
          return allow();
        },
      });
      await folded([made], { run });
      const admitted = await folded([made, { ...provider("b"), admit: () => allow() }], {
        run,
        phase: "admit",
      });
      expect(admitted.denial).toBeUndefined();
      expect(admitted.records).toMatchObject([{ provider: "b" }]);
      expect((await folded([made], { run, phase: "result" })).records).toEqual([]);
      expect(taken).toEqual([]);
      // Another run is another matter.
      await folded([made], { run: {}, phase: "admit" });
      expect(taken).toEqual(["admit"]);
    },
  );

  it("judges no result of a run that it would not have admitted", async () => {
    const run = {};
    const judged: string[] = [];
    const made = shadow({
      ...provider("a"),
      admit: () => deny("full"),
      evaluateResult: () => {
        judged.push("result");
        return allow();
      },
    });
    await folded([made], { run });
    await folded([made], { run, phase: "admit" });
    await folded([made], { run, phase: "result" });
    expect(judged).toEqual([]);
  });

  it("P14 takes quota when it denied what was asked first and allows what it was changed into", async () => {
    const run = {};
    const taken: string[] = [];
    const limiter = {
      ...provider("a", ({ args }) => (args["n"] === 0 ? deny("no") : allow())),
      admit: () => {
        taken.push("admit");
        return allow();
      },
    };
    const made = shadow(limiter);
    const raises = provider("raises", ({ args }) => (args["n"] === 0 ? modify({ n: 1 }) : allow()));
    const folding = await folded([made, raises], { run, args: { n: 0 } });
    expect(folding.records.map(({ provider: who, decision }) => [who, decision])).toEqual([
      ["a", "deny"],
      ["raises", "modify"],
      ["a", "allow"],
    ]);
    await folded([made], { run, phase: "admit" });
    expect(taken).toEqual(["admit"]);
  });

  it("P14 takes no quota when it allowed what was asked first and denies what it was changed into", async () => {
    const run = {};
    const taken: string[] = [];
    const made = shadow({
      ...provider("a", ({ args }) => (args["n"] === 0 ? allow() : deny("no"))),
      admit: () => {
        taken.push("admit");
        return allow();
      },
    });
    await folded([made, provider("raises", () => modify({ n: 1 }))], { run, args: { n: 0 } });
    await folded([made], { run, phase: "admit" });
    expect(taken).toEqual([]);
  });
});
