// A transfer limit. Above it, the model reads a text in place of the tool's answer.
import { deepEqual } from "node:assert/strict";
import { Agent, Runner, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { allow, deny } from "@toolstile/core";
import { guardTools } from "@toolstile/openai-agents";
import { rules } from "@toolstile/rules";
import { schemaValidation } from "@toolstile/schema";
import { z } from "zod";

const moved = [];
const transfer = tool({
  name: "transfer",
  description: "Move money to an account of the customer.",
  parameters: z.object({ to: z.string(), cents: z.number().int() }),
  execute: ({ to, cents }) => {
    moved.push(cents);
    return `Moved ${cents} cents to ${to}.`;
  },
});

const limit = 100_000;
const callBack =
  "Not made: sums above 1,000 EUR are moved by a person. Offer to call the customer back.";

/** What is not surely a sum within the limit is not moved. */
const transferLimit = {
  name: "transfer-limit",
  tools: ["transfer"],
  evaluate: ({ args: { cents } }) =>
    Number.isSafeInteger(cents) && cents > 0 && cents <= limit
      ? allow()
      : deny("above the limit", { code: "transfer_limit", replacement: callBack }),
};

/** Many small sums are a large one. */
const allTogether = rules({
  rules: [
    {
      id: "all-together",
      tools: ["transfer"],
      total: { at: "/cents", above: limit, per: "session" },
      deny: "1,000 EUR are reached in this session",
    },
  ],
});

/** What the model reads, when it asks for these transfers one after the other in one session. */
async function readOf(sessionId, transfers) {
  const agent = new Agent({
    name: "bank",
    tools: guardTools([transfer], {
      guardrails: [schemaValidation(), transferLimit, allTogether],
      describe: () => ({ context: { sessionId } }),
    }),
  });
  const turns = transfers.map((args, index) => [
    functionCall("transfer", args, { callId: `c${index}` }),
  ]);
  const model = new ScriptedModel([...turns, [assistantMessage("Done.")]]);
  const runner = new Runner({ model, tracingDisabled: true });
  const { newItems } = await runner.run(agent, "Move my money.", { maxTurns: 20 });
  return newItems
    .filter(({ type }) => type === "tool_call_output_item")
    .map(({ output }) => output);
}

console.log("A customer asks for 1,000 EUR, and for one cent more.");
const asked = await readOf("ann", [
  { to: "A-1", cents: 100_000 },
  { to: "A-1", cents: 100_001 },
]);
console.log(asked.map((line) => `  ${line}`).join("\n"));
deepEqual(asked, ["Moved 100000 cents to A-1.", callBack]);

console.log("\nA text that the model has read asks it to get around the limit.");
const tries = {
  "far more": { to: "A-1", cents: 9_007_199_254_740_991 },
  "a number that rounds": { to: "A-1", cents: 1e300 },
  "less than nothing": { to: "A-1", cents: -100_001 },
  "a text": { to: "A-1", cents: "100" },
  "a list": { to: "A-1", cents: [100] },
  "half a cent": { to: "A-1", cents: 0.5 },
  "another member": { to: "A-1", cents: 100, Cents: 100_001 },
  "no sum": { to: "A-1" },
};
const answers = await readOf("eve", Object.values(tries));
for (const [index, what] of Object.keys(tries).entries()) {
  const [line] = answers[index].split("\n");
  console.log(`  ${what}: ${line}`);
}
deepEqual(moved.splice(0), [100_000]);

console.log("\nIt splits the sum.");
const split = await readOf("eve", Array(3).fill({ to: "A-1", cents: 50_000 }));
console.log(split.map((line) => `  ${line}`).join("\n"));
deepEqual(moved, [50_000, 50_000]);
deepEqual(split[2], "Tool call denied: 1,000 EUR are reached in this session");
