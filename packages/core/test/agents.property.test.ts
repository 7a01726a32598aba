import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  forTools,
  type Guardrail,
  type GuardrailProvider,
  liveChain,
  modify,
  type ToolOutcome,
  ToolRunner,
} from "../src/index.js";
import { guard, spyTool } from "./support/runners.js";

/** A guard as data. Those of one runner, and of the agents under it, have different names. */
type Kind = "allow" | "deny a" | "raise" | "picky" | "checks";
const kinds: fc.Arbitrary<readonly Kind[]> = fc.array(
  fc.constantFrom<Kind>("allow", "deny a", "raise", "picky", "checks"),
  { maxLength: 3 },
);

function guardOf(kind: Kind, name: string): GuardrailProvider {
  switch (kind) {
    case "allow":
      return guard(name);
    case "deny a":
      return guard(name, { evaluate: ({ toolName }) => (toolName === "a" ? deny("a") : allow()) });
    case "raise":
      return guard(name, {
        evaluate: ({ args }) => (args["n"] === 0 ? modify({ n: 1 }) : allow()),
      });
    case "picky":
      return guard(name, {
        register: (tool) => {
          if (tool.name === "c") throw new Error("not c");
        },
      });
    case "checks":
      return guard(name, { checksArguments: () => true });
  }
}
const guardsOf = (of: readonly Kind[], level: string): GuardrailProvider[] =>
  of.map((kind, index) => guardOf(kind, `${level}-${index}`));

const parameters = { type: "object", required: ["n"] };
const tools = {
  a: () => spyTool("a"),
  b: () => ({ ...spyTool("b"), guardrails: [guard("of-b")] }),
  c: () => spyTool("c"),
  d: () => ({ ...spyTool("d"), parameters }),
};
const lists = fc.subarray(Object.keys(tools) as (keyof typeof tools)[]);

type Step =
  | { readonly set: readonly (keyof typeof tools)[] }
  | { readonly replace: readonly Kind[] }
  | { readonly call: string; readonly level: number };
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ set: lists }),
    fc.record({ replace: kinds }),
    fc.record({ call: fc.constantFrom("a", "b", "c", "d", "x"), level: fc.nat(2) }),
  ),
  { maxLength: 8 },
);

function told({ runId: _, callId: __, ...rest }: ToolOutcome): unknown {
  return { ...rest, result: rest.result.content };
}

const request = (name: string) => ({ name, arguments: { n: 0 } });

describe("the runner of an agent", () => {
  it("decides as one that was built anew with all guards and the present tools", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(kinds, kinds, kinds, kinds),
        steps,
        async ([first, live, ofAgent, ofJunior], all) => {
          const chain = liveChain(guardsOf(live, "live"));
          const base = new ToolRunner({
            guardrails: [...guardsOf(first, "base"), chain.guardrail],
            onFault: () => {},
          });
          const agent = base.forAgent("agent", { guardrails: guardsOf(ofAgent, "agent") });
          const junior = agent.forAgent("junior", { guardrails: guardsOf(ofJunior, "junior") });
          let rules = live;
          let list: readonly (keyof typeof tools)[] = [];
          for (const step of all) {
            if ("set" in step) {
              base.setTools(step.set.map((name) => tools[name]()));
              list = step.set;
            } else if ("replace" in step) {
              chain.replace(guardsOf(step.replace, "live"));
              rules = step.replace;
            } else {
              const guardrails: Guardrail[] = [
                ...guardsOf(first, "base"),
                ...guardsOf(rules, "live"),
                ...(step.level > 0 ? guardsOf(ofAgent, "agent") : []),
                ...(step.level > 1 ? guardsOf(ofJunior, "junior") : []),
              ];
              const anew = new ToolRunner({ guardrails, onFault: () => {} });
              anew.setTools(list.map((name) => tools[name]()));
              const runner = [base, agent, junior][step.level] as ToolRunner;
              expect(told(await runner.run(request(step.call)))).toEqual(
                told(await anew.run(request(step.call))),
              );
              expect(runner.tools).toEqual(anew.tools);
            }
          }
        },
      ),
      { numRuns: inject("long") ? 1_000 : 100 },
    );
  });

  it("reads no tool again, and tells only its own guards of them", () => {
    let read = 0;
    const told: string[] = [];
    const telling = (name: string) =>
      guard(name, { register: (tool) => void told.push(`${name}: ${tool.name}`) });
    const counted = (name: string) =>
      Object.defineProperty({ name, execute: () => "done" }, "description", {
        enumerable: true,
        get: () => {
          read++;
          return "counted";
        },
      });
    const base = new ToolRunner({
      tools: [counted("a"), counted("b")],
      guardrails: [telling("base")],
    });
    expect([read, told.splice(0)]).toEqual([2, ["base: a", "base: b"]]);
    const agent = base.forAgent("agent");
    expect(agent.tools).toHaveLength(2);
    base.forAgent("other", { guardrails: [guard("silent")] });
    expect([read, told]).toEqual([2, []]);
    base.forAgent("third", { guardrails: [telling("own")] }).forAgent("fourth");
    expect([read, told]).toEqual([2, ["own: a", "own: b"]]);
  });

  it("has tools of its own when it is given some, until its parent is given others", async () => {
    const base = new ToolRunner({ tools: [spyTool("a")], guardrails: [allowAll()] });
    const live = liveChain([]);
    const agent = base.forAgent("agent", { guardrails: [live.guardrail] });
    agent.setTools([spyTool("b")]);
    live.replace([guard("new")]);
    expect((await agent.run(request("b"))).status).toBe("executed");
    expect((await agent.run(request("a"))).status).toBe("not_found");
    expect((await base.run(request("b"))).status).toBe("not_found");
    base.setTools([spyTool("c")]);
    expect(agent.tools.map(({ name }) => name)).toEqual(["c"]);
    expect((await agent.run(request("b"))).status).toBe("not_found");
    agent.setTools([spyTool("d")]);
    expect(agent.tools.map(({ name }) => name)).toEqual(["d"]);
  });

  it("keeps tools of its own under the guards that its parent is given", async () => {
    const live = liveChain([allowAll()]);
    const base = new ToolRunner({ tools: [spyTool("a")], guardrails: [live.guardrail] });
    const agent = base.forAgent("agent");
    agent.setTools([spyTool("b")]);
    live.replace([guard("shut", { evaluate: () => deny("shut") })]);
    expect(await agent.run(request("b"))).toMatchObject({ status: "denied", decidedBy: "shut" });
    live.replace([allowAll()]);
    expect((await agent.run(request("b"))).status).toBe("executed");
  });

  it("P5 cannot be had with a guard that names no tool of its parent", () => {
    const base = new ToolRunner({ tools: [spyTool("send")], guardrails: [allowAll()] });
    expect(() => base.forAgent("x", { guardrails: [forTools(["sedn"], guard("g"))] })).toThrow(
      expect.objectContaining({ code: "ERR_UNKNOWN_TOOL" }),
    );
  });
});

describe("an exchange of the guards that many agents have", () => {
  /** A base with a live chain, and so many agents under it, each with a guard of its own. */
  function family(agents: number) {
    const live = liveChain([allowAll()]);
    const base = new ToolRunner({
      tools: [spyTool("a"), spyTool("b")],
      guardrails: [live.guardrail],
    });
    const runners = Array.from({ length: agents }, (_, index) => [
      base.forAgent(`plain-${index}`),
      base.forAgent(`agent-${index}`, { guardrails: [guard(`own-${index}`)] }),
    ]).flat();
    return { live, base, runners };
  }

  it("tells the new guards of each tool once, and is in force for all", async () => {
    const { live, base, runners } = family(50);
    const told: string[] = [];
    const evaluate = () => deny("shut");
    live.replace([guard("new", { evaluate, register: ({ name }) => void told.push(name) })]);
    for (const runner of [base, ...runners]) {
      expect(await runner.run(request("a"))).toMatchObject({ decidedBy: "new" });
    }
    expect(told).toEqual(["a", "b"]);
  });

  it("P5 fails, and changes nothing, if one agent has a guard with the name of a new one", async () => {
    const { live, runners } = family(3);
    expect(() => live.replace([guard("own-2", { evaluate: () => deny("shut") })])).toThrow(
      expect.objectContaining({ code: "ERR_DUPLICATE_PROVIDER" }),
    );
    for (const runner of runners) {
      expect((await runner.run(request("a"))).status).toBe("executed");
    }
  });

  it("P5 fails also where an agent stands under the chain twice", () => {
    const live = liveChain([]);
    const base = new ToolRunner({
      tools: [spyTool("a")],
      guardrails: [allowAll(), live.guardrail],
    });
    const agent = base.forAgent("twice", { guardrails: [live.guardrail] });
    expect(() => live.replace([guard("new")])).toThrow(
      expect.objectContaining({ code: "ERR_DUPLICATE_PROVIDER" }),
    );
    expect(agent.tools).toHaveLength(1);
  });
});
