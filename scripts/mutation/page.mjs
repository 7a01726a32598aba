/** @typedef {ReturnType<typeof import("./results.mjs").resultsIn> & { seed: number, population: number, isComplete: boolean }} Results */
/** @typedef {Results["mutants"][number]} Result */

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** The results by file, and the mutants that live. @param {Results} results */
export function tableOf(results) {
  const { mutants, failOpen, sample, isComplete } = results;
  const files = [...new Set(mutants.map(({ file }) => file))];
  const rows = files.map((file) => {
    const own = mutants.filter((each) => each.file === file);
    const killed = own.filter(({ state }) => state === "killed").length;
    return `${String(killed).padStart(5)} of ${String(own.length).padStart(4)}  ${file}`;
  });
  const alive = aliveIn(results).map(
    (each) =>
      `${each.failOpen ? "! " : "  "}${each.file}:${each.line} ${each.state}: ${each.kind}\n      ${each.original}\n   -> ${each.replacement}`,
  );
  const lines = [
    ...rows,
    "",
    ...alive,
    "",
    `fail-open: ${inWords(failOpen)}`,
    `sample: ${inWords(sample)}`,
    ...(isComplete ? [] : ["Not everything has been tried: the same command goes on."]),
  ];
  return `${lines.join("\n")}\n`;
}

/** @param {Results["sample"]} counts */
function inWords({ all, killed, equivalent, atLoad, untried, alive, share }) {
  return `${killed} of ${all} killed, ${equivalent} equivalent, ${atLoad} only at load, ${untried} not tried yet, ${alive} alive: ${percent(share)}`;
}

/** @param {Results} results */
function aliveIn({ mutants }) {
  return mutants.filter(({ state }) => state === "survived" || state === "not reached");
}

/** The text in a cell of a table. @param {string} text */
function cell(text) {
  const code = text.replaceAll("|", "\\|").replaceAll("`", "'");
  return code === "" ? "nothing" : `\`${code}\``;
}

/** The page `docs/mutation.md`. @param {Results} results */
export function pageOf(results) {
  const { mutants, failOpen, sample, seed, population } = results;
  const equivalent = mutants.filter(({ state }) => state === "equivalent");
  const alive = aliveIn(results);
  const atLoad = mutants.filter(({ state }) => state === "at load");
  const row = (/** @type {Result} */ { file, kind, original, replacement }) =>
    `| ${file.replace("packages/core/src/", "")} | ${kind} | ${cell(original)} | ${cell(replacement)} |`;
  const lines = [
    "# Mutants of core",
    "",
    "Written by `npm run mutate -- --write`. A mutant is core with a change in one place. A test that fails for it",
    "kills it. A mutant that no test kills shows a promise that nothing holds, unless it does the same as the source.",
    "",
    `Core has ${population} mutants. Drawn are all ${failOpen.all} that could let a call pass (a refusal removed, an \`await\``,
    `dropped, a \`catch\` swallowed, a check skipped, a function that returns at once), and a random sample of ${sample.all} others`,
    `(seed ${seed}). Tests that only \`npm run test:long\` runs take no part.`,
    "",
    "| | drawn | killed | equivalent | only at load | not tried yet | alive | killed, of those that were tried and could be |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...[
      ["fail-open", failOpen],
      ["sample of the others", sample],
    ].map(([name, counts]) => {
      const {
        all,
        killed,
        equivalent: same,
        atLoad: once,
        untried,
        alive: left,
        share,
      } = /** @type {Results["sample"]} */ (counts);
      return `| ${name} | ${all} | ${killed} | ${same} | ${once} | ${untried} | ${left} | ${percent(share)} |`;
    }),
    "",
    `*Only at load* are places (${atLoad.length}) that run once, while modules load, such as tables and default values: they cannot be`,
    "switched in a process that stays warm, and are not tried. Of the tests that reach a mutant, --tests says how many are run for it,",
    "those first that are quick and reach little else: one that is alive here may be killed by another test.",
    "",
    "## Equivalent",
    "",
    "| file | change | from | to | why no test can tell |",
    "| --- | --- | --- | --- | --- |",
    ...equivalent.map((each) => `${row(each)} ${each.why} |`),
    "",
    "## Alive",
    "",
    ...(alive.length === 0
      ? ["None."]
      : ["| file | change | from | to |", "| --- | --- | --- | --- |", ...alive.map(row)]),
  ];
  return `${lines.join("\n")}\n`;
}
