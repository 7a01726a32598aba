import { allowlist } from "@toolstile/allowlist";

const many = (n, make) => Array.from({ length: n }, (_, index) => make(index));
const call = (toolName, agentName) =>
  Object.freeze({ toolName, requestedName: toolName, context: {}, args: {}, agentName });
const patterns = (n) => allowlist(many(n, (index) => ({ pattern: `server_${index}_*` })));
const byAgent = (n, rulesOf) =>
  allowlist({ agents: Object.fromEntries(many(n, (index) => [`agent_${index}`, rulesOf(index)])) });

/** Calls in turn, so that no single answer is remembered. */
function asking(guard, calls) {
  let turn = 0;
  return { run: () => guard.evaluate(calls[++turn % calls.length]) };
}

/** @type {import("../curves.mjs").Curve[]} */
export const curves = [
  {
    name: "an allowed name under a pattern, all in turn",
    against: "patterns",
    growth: "log n",
    sizes: [10, 100, 900, 1_100, 10_000],
    checked: [100, 3_000],
    at: (n) =>
      asking(
        patterns(n),
        many(n, (index) => call(`server_${index}_read`)),
      ),
  },
  {
    name: "a name that nobody allows, new each time",
    against: "patterns",
    growth: "log n",
    sizes: [10, 100, 900, 1_100, 10_000],
    checked: [100, 3_000],
    at: (n) =>
      asking(
        patterns(n),
        many(100_000, (index) => call(`server_x_${index}`)),
      ),
  },
  {
    name: "a call that names no agent, names only",
    against: "agents with rules",
    growth: "constant",
    sizes: [10, 100, 1_000, 10_000],
    checked: [10, 1_000],
    at: (n) =>
      asking(
        byAgent(n, (index) => ({ allow: ["shared", `own_${index}`] })),
        [call("shared")],
      ),
  },
  {
    name: "a call that names no agent, patterns that all have",
    against: "agents with rules",
    growth: "constant",
    sizes: [10, 100, 1_000, 10_000],
    checked: [10, 1_000],
    at: (n) =>
      asking(
        byAgent(n, (index) => ({ allow: [{ pattern: "read_*" }, { pattern: `own_${index}_*` }] })),
        [call("read_mail")],
      ),
  },
  {
    name: "a call that names its agent",
    against: "agents with rules",
    growth: "constant",
    sizes: [10, 100, 1_000, 10_000],
    at: (n) =>
      asking(
        byAgent(n, (index) => ({ allow: ["shared", `own_${index}`] })),
        many(n, (index) => call("shared", `agent_${index}`)),
      ),
  },
];
