import { describe, expect, it } from "vitest";
import { type Follower, Live, Rules } from "../src/guard/live-chain.js";
import { allowAll, deny, type GuardrailProvider, liveChain, ToolRunner } from "../src/index.js";
import { spyTool } from "./support/runners.js";

const shut = (name: string): GuardrailProvider => ({ name, evaluate: () => deny("shut") });

describe("a live chain that forgets runners which are closed", () => {
  const rules = () => new Rules("live", [], {});

  /** Pipelines, and how often one of them was asked if it is closed. */
  function followers() {
    let looks = 0;
    const kept: Follower[] = [];
    return {
      looks: () => looks,
      make(closed: boolean): Follower {
        const follower: Follower = {
          get closed() {
            looks++;
            return closed;
          },
          prepare: () => ({ commit: () => {}, tell: () => {} }),
        };
        kept.push(follower);
        return follower;
      },
    };
  }

  it.each([
    [0, 16],
    [5, 16],
    [16, 32],
    [40, 80],
  ])("P17 visits for %i that are open %i at most, however many there were", (open, most) => {
    const live = new Live(rules());
    const { make, looks } = followers();
    for (let each = 0; each < open; each++) live.follow(make(false));
    let visits = 0;
    for (let each = 0; each < 200; each++) {
      live.follow(make(true));
      const before = looks();
      live.replace(rules());
      visits = Math.max(visits, looks() - before);
    }
    expect(visits).toBeLessThanOrEqual(most);
    expect(visits).toBeGreaterThan(open);
  });

  it("P17 looks at each of many that are open three times at most", () => {
    const live = new Live(rules());
    const { make, looks } = followers();
    for (let each = 0; each < 1_000; each++) live.follow(make(false));
    expect(looks()).toBeLessThanOrEqual(3_000);
  });
});

describe("the guards of one of several live chains", () => {
  it("are exchanged alone", async () => {
    const [one, two] = ["one", "two"].map((name) => liveChain([allowAll({ name })], { name }));
    const guardrails = [one, two].map((chain) => chain?.guardrail as GuardrailProvider);
    const runner = new ToolRunner({ tools: [spyTool()], guardrails });
    one?.replace([allowAll({ name: "other" })]);
    const { decisions } = await runner.run({ name: "send" });
    expect(decisions.map(({ provider }) => provider)).toEqual(["other", "two"]);
  });
});

describe("an agent whose own guards were exchanged", () => {
  it("P3 stays under the new ones when its parent is given other tools", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const live = liveChain([allowAll({ name: "own" })]);
    const agent = runner.forAgent("clerk", { guardrails: [live.guardrail] });
    live.replace([shut("shut")]);
    expect(await agent.run({ name: "send" })).toMatchObject({ decidedBy: "shut" });
    const read = spyTool("read");
    runner.setTools([read]);
    expect(await agent.run({ name: "read" })).toMatchObject({ decidedBy: "shut" });
    expect(read.runs).toEqual([]);
  });
});
