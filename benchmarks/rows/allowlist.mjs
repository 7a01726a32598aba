import { allowlist } from "@toolstile/allowlist";
import { allow } from "@toolstile/core";

const named = (count) => Array.from({ length: count }, (_, index) => `server__tool_${index}`);
const call = (toolName) =>
  Object.freeze({ toolName, requestedName: toolName, context: {}, args: {} });

/** Ask about ten different names in turn, so that no single look-up is remembered. */
function asking(count) {
  const guard = allowlist(named(count));
  const calls = named(10).map(call);
  let turn = 0;
  return () => {
    turn = (turn + 1) % calls.length;
    return guard.evaluate(calls[turn]);
  };
}

export const rows = [
  {
    name: "10,000 tools in one allowlist, against 10",
    goal: 10,
    difference: true,
    reference: { unit: "ns more", run: asking(10) },
    async setup() {
      const ask = asking(10_000);
      if (ask() !== allow()) throw new Error("The tool was not allowed.");
      return ask;
    },
  },
];
