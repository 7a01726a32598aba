import { allow, ToolRunner } from "@toolstile/core";

const yes = { name: "yes", evaluate: () => allow() };
const tool = (index) => ({ name: `tool_${index}`, execute: () => "done" });
const request = { name: "tool_0", arguments: {} };

/** @type {import("../curves.mjs").Curve[]} */
export const curves = [
  {
    name: "a guarded call",
    against: "tools of the runner",
    growth: "constant",
    sizes: [10, 100, 1_000, 10_000],
    checked: [10, 1_000],
    at(n) {
      const tools = Array.from({ length: n }, (_, index) => tool(index));
      const runner = new ToolRunner({ tools, guardrails: [yes] });
      return { run: () => runner.run(request) };
    },
  },
  {
    name: "a guarded call",
    against: "guards",
    growth: "n",
    sizes: [1, 10, 100, 1_000],
    checked: [10, 100],
    at(n) {
      const guardrails = Array.from({ length: n }, (_, index) => ({
        ...yes,
        name: `yes_${index}`,
      }));
      const runner = new ToolRunner({ tools: [tool(0)], guardrails });
      return { run: () => runner.run(request) };
    },
  },
  {
    name: "a guarded call",
    against: "calls that are open",
    growth: "constant",
    sizes: [10, 100, 1_000, 10_000],
    checked: [10, 1_000],
    async at(n) {
      const waiting = { name: "waiting", execute: () => new Promise(() => undefined) };
      const runner = new ToolRunner({ tools: [tool(0), waiting], guardrails: [yes] });
      for (let index = 0; index < n; index++) void runner.run({ name: "waiting", arguments: {} });
      return { run: () => runner.run(request) };
    },
  },
];
