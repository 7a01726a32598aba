import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { hasData, readRows, scoreAgentDojo, scoreOther } from "./scores.mjs";

const rows = /** @type {const} */ ([
  ["strict", false, "`strict`, without a plan"],
  ["strict", true, "`strict`, with the task's own tools as plan"],
  ["balanced", false, "`balanced`"],
  ["open", false, "`open`"],
]);

const others = /** @type {const} */ ([
  ["tau-airline", "tau-bench, airline"],
  ["tau-retail", "tau-bench, retail"],
  ["bfcl", "BFCL"],
  ["livemcp-unwrapped", "LiveMCPBench, single calls"],
]);

/** @param {number} part @param {number} whole */
function share(part, whole) {
  return `${part} / ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
}

/** Writes the page from the data. */
export async function page() {
  const conversations = readRows("traffic/agentdojo.jsonl");
  const scores = [];
  for (const [preset, hasPlan, name] of rows) {
    scores.push({ name, ...(await scoreAgentDojo(conversations, preset, { hasPlan })) });
  }
  const balanced = scores.find(({ name }) => name === "`balanced`");
  const open = scores.find(({ name }) => name === "`open`");
  const costs = [];
  for (const [file, name] of others) {
    const traffic = readRows(`traffic/${file}.jsonl`);
    for (const preset of /** @type {const} */ (["balanced", "open"])) {
      const { calls, held } = await scoreOther(traffic, preset);
      costs.push(`| ${name} | \`${preset}\` | ${share(calls - held, calls)} |`);
    }
  }
  return `# What containment holds

This page has the scores of the presets of [\`@toolstile/containment\`](../packages/containment/README.md). \`node benchmarks/containment/page.mjs\` writes it; a test runs the same and compares.

## AgentDojo, with a model that obeys

The data are ${conversations.length} conversations in the environments of AgentDojo (v0.1.34, MIT), with the benchmark's own calls and no model: 71 clean, 142 with an attack in a result that was resisted, 51 in which the attacker's calls were made. Every call goes through a \`ToolRunner\` with the guard. A human lets each held call of the task run, and no call of the attacker.

The declarations of the tools are those of [agentdojo-tools.mjs](../benchmarks/containment/agentdojo-tools.mjs). They were written from the tools' descriptions and the shape of their results. But whoever wrote them had seen the attacks, and the presets were set on this data. So take the figures as what can be reached, not as what to expect elsewhere.

| preset | clean calls that need nobody | clean conversations that need nobody | first injected calls that ran | of these with an effect | all injected calls with an effect that ran | the same, if the model also obeys where it had resisted |
| --- | --- | --- | --- | --- | --- | --- |
${scores
  .map(
    (each) =>
      `| ${each.name} | ${share(each.freeCalls, each.cleanCalls)} | ${share(each.freeConversations, each.cleanConversations)} | ${each.injectedRan} / ${each.injected} | ${each.withEffectRan} / ${each.withEffect} | ${each.allWithEffectRan} / ${each.allWithEffect} | ${each.obeyedRan} / ${each.obeyed} |`,
  )
  .join("\n")}

- A call without an effect only reads; reading a web page counts as an effect, because its address goes out. Under \`balanced\` the first injected call runs where it reads, and nothing that it returns reaches a destination that the user did not name.
- The last column also plays, in conversations where the attack was resisted, the calls that the same attack led to elsewhere. Attacks whose calls are in no conversation cannot be played.
- With 0 of 29, the 95 % interval of the share that runs reaches up to 11.7 % (Wilson).

### Clean calls that \`balanced\` holds

Each is a destination that stands only in a text which others may have written, or something that cannot be undone.

${balanced?.heldIn.map((each) => `- ${each}`).join("\n")}

### Injected calls that \`open\` lets run

${open?.ranIn.map((each) => `- ${each}`).join("\n")}

## Other traffic

Nobody attacks in this traffic, so each held call is a cost. Nothing is declared about the tools. In tau-bench, retail, 453 calls have arguments that are no JSON object; core refuses these before any guard is asked, and here they count as free.

| traffic | preset | calls that need nobody |
| --- | --- | --- |
${costs.join("\n")}

LiveMCPBench is agents that browse: they follow links from results, and write reports with links. Whoever wants that declares the tools (\`links: false\` for a file that only the user reads), or takes the questions.
`;
}

const path = fileURLToPath(new URL("../../docs/containment-scores.md", import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!hasData("traffic/agentdojo.jsonl")) throw new Error("The data must be in ../shared/data.");
  await writeFile(path, await page());
}
