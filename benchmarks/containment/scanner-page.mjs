import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { scanText, suspicious } from "@toolstile/containment/scanner";
import { signals } from "../../packages/containment/dist/scanner/signals.js";
import { crossValidated, fitWeights, rowsOf } from "./fit-scanner.mjs";
import { hasData, readRows } from "./scores.mjs";

/** The interval of Wilson, in which a share lies with 95 %. @param {number} hits @param {number} of */
function interval(hits, of) {
  const z = 1.96;
  const share = hits / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const width =
    (z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))) / (1 + (z * z) / of);
  const percent = (/** @type {number} */ value) => (100 * Math.max(0, value)).toFixed(1);
  return `${percent(middle - width)} to ${percent(Math.min(1, middle + width))} %`;
}

/** @param {number} hits @param {number} of */
function shown(hits, of) {
  return `${hits} / ${of} (${((100 * hits) / of).toFixed(1)} %; ${interval(hits, of)})`;
}

const groups = /** @type {const} */ ([
  ["results with an attack", "tool_result", true],
  ["benign results", "tool_result", false],
  ["texts with an attack", "text.", true],
  ["benign texts, most about security", "text.", false],
  ["poisoned definitions of tools", "tool_description", true],
  ["definitions of real MCP tools", "tool_description", false],
]);

/** Writes the page from the data. */
export function page() {
  const rows = rowsOf();
  const texts = readRows("injection/dev.jsonl").map(({ text }) => scanText(text).score);
  const validated = crossValidated(rows);
  const { weights, bias } = fitWeights(rows);
  const all = groups.map(([name, kind, isAttack]) => {
    const indexes = rows.flatMap((row, index) =>
      row.kind.startsWith(kind) && row.isAttack === isAttack ? index : [],
    );
    const hits = (/** @type {readonly number[]} */ scores) =>
      indexes.filter((index) => (scores[index] ?? 0) >= suspicious).length;
    return `| ${name} | ${shown(hits(texts), indexes.length)} | ${shown(hits(validated), indexes.length)} |`;
  });
  const kinds = [
    ...new Set(rows.filter(({ isAttack }) => isAttack).map(({ kind }) => kind)),
  ].sort();
  const ofKinds = kinds.map((kind) => {
    const indexes = rows.flatMap((row, index) => (row.kind === kind && row.isAttack ? index : []));
    const hits = indexes.filter((index) => (texts[index] ?? 0) >= suspicious).length;
    return `| ${kind} | ${hits} / ${indexes.length} |`;
  });
  const alarms = rows.flatMap(({ id, kind, isAttack }, index) =>
    !isAttack && (texts[index] ?? 0) >= suspicious ? [`- ${id} (${kind})`] : [],
  );
  return `# What the injection scanner finds

This page has the scores of \`injectionScanner\` of [\`@toolstile/containment\`](../packages/containment/README.md). \`node benchmarks/containment/scanner-page.mjs\` writes it; a test runs the same and compares.

The data are 1,083 texts: results, definitions of tools and other texts, from AgentDojo, BIPIA, CyberSecEval, garak, microsoft/agent-governance-toolkit, recorded traffic, and some of our own. A text counts as found if its score is at least ${suspicious}.

| texts | found (share; 95 % interval) | the same, with weights fitted without the source of the text |
| --- | --- | --- |
${all.join("\n")}

- The weights of the ${signals.length} signals are fitted on this data. In the last column they are fitted on all other sources, one source left out at a time. The patterns of the signals are the same in both columns, and whoever wrote them had seen this data. So on attacks of another kind, expect less than either.
- It hardly finds requests off the task in plain words (most of BIPIA), letters written apart or as digits, whole texts in ROT13 or base64, and reversed text.

## Other packages

Packages on npm on the same results and texts, each with its own threshold, as measured in November 2026:

| package | results with an attack | benign results | benign texts |
| --- | --- | --- | --- |
| @andersmyrmel/vard 1.2.0 | 52 / 362 (14 %) | 3 / 366 | 42 / 115 |
| @claude-flow/aidefence 3.0.3 | 53 / 362 (15 %) | 4 / 366 | 38 / 115 |
| hai-guardrails 1.12.0, patterns | 40 / 362 (11 %) | 5 / 366 | 28 / 115 |
| llm_guardrail 2.1.2 | 70 / 362 (19 %) | 44 / 366 | 61 / 115 |

## Weights

As fitted; the package has them with one decimal. Bias: ${bias.toFixed(2)}.

| signal | weight |
| --- | --- |
${signals.map((signal, index) => `| ${signal} | ${weights[index]?.toFixed(2)} |`).join("\n")}

## By kind of attack

| kind | found |
| --- | --- |
${ofKinds.join("\n")}

## False alarms

${alarms.join("\n")}
`;
}

const path = fileURLToPath(new URL("../../docs/injection-scores.md", import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!hasData("injection/dev.jsonl")) throw new Error("The data must be in ../shared/data.");
  await writeFile(path, page());
}
