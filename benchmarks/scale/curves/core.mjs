import { allow, forTools, liveChain, parallel, ToolRunner } from "@toolstile/core";

const yes = (name) => ({ name, evaluate: () => allow() });
const settling = (name) => ({ ...yes(name), settle: () => {} });
const tool = (index) => ({ name: `tool_${index}`, execute: () => "done" });
const request = { name: "tool_0", arguments: {} };
const many = (n, make) => Array.from({ length: n }, (_, index) => make(index));

/** A runner with a guard for each of n tools, limited to it. */
function guardedEach(n, guard) {
  const guardrails = many(n, (index) => forTools([`tool_${index}`], guard(`guard_${index}`)));
  return new ToolRunner({ tools: many(n, tool), guardrails });
}

/** A runner on a live chain, and what holds its agents. */
function family(n, agentOf) {
  const live = liveChain([yes("old")]);
  const base = new ToolRunner({ tools: many(20, tool), guardrails: [live.guardrail] });
  const agents = many(n, (index) => agentOf(base, index));
  const rules = [[yes("one")], [yes("other")]];
  let turn = 0;
  return {
    run: () => live.replace(rules[++turn % 2]),
    // Held until then: a runner that nobody has is not told of new rules.
    close: () => agents.length,
  };
}

/** So many levels of parallel() in parallel(). */
function nested(levels) {
  let made = yes("innermost");
  for (let level = 0; level < levels; level++) {
    made = parallel([yes(`guard_${level}`), made], { name: `level_${level}` });
  }
  return made;
}

/** @type {import("../curves.mjs").Curve[]} */
export const curves = [
  {
    name: "a guarded call, guards limited to other tools",
    against: "guards of the runner",
    growth: "constant",
    sizes: [1, 10, 100, 1_000],
    checked: [10, 1_000],
    at(n) {
      const runner = guardedEach(n, yes);
      return { run: () => runner.run(request) };
    },
  },
  {
    name: "a guarded call, guards with settle limited to other tools",
    against: "guards of the runner",
    growth: "constant",
    sizes: [1, 10, 100, 1_000],
    checked: [10, 1_000],
    at(n) {
      const runner = guardedEach(n, settling);
      return { run: () => runner.run(request) };
    },
  },
  {
    name: "a call of a tool that does not exist, guards limited to others",
    against: "guards of the runner",
    growth: "constant",
    sizes: [1, 10, 100, 1_000],
    at(n) {
      const runner = guardedEach(n, yes);
      let turn = 0;
      return { run: () => runner.run({ name: `unknown_${++turn}` }) };
    },
  },
  {
    name: "forAgent()",
    against: "tools of the runner",
    growth: "constant",
    sizes: [10, 100, 1_000, 10_000],
    checked: [10, 1_000],
    at(n) {
      const runner = new ToolRunner({ tools: many(n, tool), guardrails: [yes("yes")] });
      return { run: () => runner.forAgent("agent") };
    },
  },
  {
    name: "forAgent() with a guard of its own",
    against: "tools of the runner",
    growth: "constant",
    sizes: [10, 100, 1_000, 10_000],
    checked: [10, 1_000],
    at(n) {
      const runner = new ToolRunner({ tools: many(n, tool), guardrails: [yes("yes")] });
      const options = { guardrails: [yes("own")] };
      return { run: () => runner.forAgent("agent", options) };
    },
  },
  {
    name: "liveChain.replace, agents without guards of their own",
    against: "agents",
    growth: "constant",
    sizes: [10, 100, 1_000, 5_000],
    checked: [10, 1_000],
    at: (n) => family(n, (base, index) => base.forAgent(`agent_${index}`)),
  },
  {
    name: "liveChain.replace, each agent with a guard of its own",
    against: "agents",
    growth: "n",
    sizes: [10, 100, 1_000, 5_000],
    at: (n) =>
      family(n, (base, index) =>
        base.forAgent(`agent_${index}`, { guardrails: [yes(`own_${index}`)] }),
      ),
  },
  {
    name: "a listener more and off again",
    against: "listeners of the event",
    growth: "constant",
    sizes: [10, 100, 1_000, 10_000, 30_000],
    checked: [10, 1_000],
    at(n) {
      const runner = new ToolRunner({ guardrails: [yes("yes")] });
      for (let index = 0; index < n; index++) runner.on("denied", () => index);
      const listener = () => {};
      return { run: () => runner.on("denied", listener).off("denied", listener) };
    },
  },
  {
    name: "a guarded call, parallel() in parallel()",
    against: "levels",
    growth: "n",
    sizes: [1, 3, 10, 30, 100, 300],
    checked: [10, 100],
    at(n) {
      const runner = new ToolRunner({ tools: [tool(0)], guardrails: [nested(n)] });
      return { run: () => runner.run(request) };
    },
  },
  {
    name: "a call that brings its tools along, in one frozen list",
    against: "tools of the list",
    growth: "constant",
    sizes: [1, 10, 100, 1_000],
    checked: [10, 1_000],
    at(n) {
      const runner = new ToolRunner({ guardrails: [yes("yes")] });
      const tools = Object.freeze(many(n, (index) => Object.freeze({ name: `tool_${index}` })));
      const last = { name: `tool_${n - 1}`, arguments: {} };
      return { run: () => runner.run(last, { tools }) };
    },
  },
];
