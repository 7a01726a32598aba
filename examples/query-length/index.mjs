// A search takes short queries only: long ones carry data out, or instructions in.
import { deepEqual, match } from "node:assert/strict";
import { Agent, Runner, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { guardTools } from "@toolstile/openai-agents";
import { rules } from "@toolstile/rules";
import { schemaValidation } from "@toolstile/schema";
import { z } from "zod";

const searched = [];
const search = tool({
  name: "search",
  description: "Search the web.",
  parameters: z.object({ query: z.string(), sites: z.array(z.string()) }),
  execute: ({ query }) => {
    searched.push(query);
    return "3 pages found.";
  },
});

const short = rules({
  rules: [
    {
      id: "query-length",
      tools: ["search"],
      require: { at: "/query", length: { atLeast: 3, atMost: 80 } },
      deny: "a query has 3 to 80 characters",
    },
    {
      id: "few-sites",
      tools: ["search"],
      require: { at: "/sites", length: { atMost: 3 } },
      deny: "at most 3 sites",
    },
    // What does not fit into the query must not travel beside it.
    {
      id: "plain-sites",
      tools: ["search"],
      require: { at: "/sites/*", length: { atMost: 60 }, optional: true },
      deny: "a site is a name",
    },
  ],
});

const agent = new Agent({
  name: "researcher",
  tools: guardTools([search], { guardrails: [schemaValidation(), short] }),
});

/** What the model reads when it searches like this. */
async function readOf(args) {
  const call = functionCall("search", args, { callId: "c1" });
  const model = new ScriptedModel([[call], [assistantMessage("Done.")]]);
  const { newItems } = await new Runner({ model, tracingDisabled: true }).run(agent, "Look it up.");
  return newItems.find(({ type }) => type === "tool_call_output_item").output;
}

const allowed = {
  "a question": { query: "opening hours of the library", sites: [] },
  "exactly 80 characters": { query: "q".repeat(80), sites: ["example.org"] },
};
const denied = {
  "81 characters": { query: "q".repeat(81), sites: [] },
  "a document in the query": { query: "SECRET ".repeat(20_000), sites: [] },
  "a megabyte": { query: "x".repeat(1_000_000), sites: [] },
  "81 spaces": { query: " ".repeat(81), sites: [] },
  "81 zero-width characters": { query: "\u200b".repeat(81), sites: [] },
  "81 emoji": { query: "😀".repeat(81), sites: [] },
  nothing: { query: "", sites: [] },
  "a list of short queries": { query: ["tea", "more"], sites: [] },
  "an object with a length": { query: { length: 5 }, sites: [] },
  "the rest among the sites": { query: "tea", sites: ["S".repeat(5_000)] },
  "the rest over many sites": { query: "tea", sites: Array(500).fill("part") },
  "the rest in another member": { query: "tea", sites: [], note: "S".repeat(5_000) },
};

for (const [what, args] of Object.entries(allowed)) {
  const read = await readOf(args);
  console.log(`${what}: ${read}`);
  deepEqual(read, "3 pages found.");
}
console.log();
for (const [what, args] of Object.entries(denied)) {
  const [line] = (await readOf(args)).split("\n");
  console.log(`${what}: ${line.slice(0, 100)}`);
  match(line, /denied|not valid|must/i, what);
  // The model reads its own long text a second time only if a reason quotes it.
  deepEqual(/SSSS|SECRET|qqqq/.test(line), false, what);
}
deepEqual(searched.length, Object.keys(allowed).length);
