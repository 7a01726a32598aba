/** @typedef {ReturnType<typeof import("./results.mjs").resultsIn> & { seed: number, budget: number, population: number, isComplete: boolean, source: string, tests: string, date: string }} Results */
/** @typedef {Results["mutants"][number]} Result */
/** @typedef {Results["sample"]} Counts */

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** @param {Counts} counts */
const between = ({ interval: [low, high] }) => `${percent(low)} to ${percent(high)}`;

/** The results by file, and the mutants that live. @param {Results} results */
export function tableOf(results) {
  const { mutants, failOpen, sample, stale, isComplete } = results;
  const files = [...new Set(mutants.map(({ file }) => file))];
  const rows = files.map((file) => {
    const own = mutants.filter((each) => each.file === file);
    const killed = own.filter(({ state }) => state === "killed").length;
    return `${String(killed).padStart(5)} of ${String(own.length).padStart(4)}  ${file}`;
  });
  const inFull = (/** @type {Result} */ each) =>
    `${each.failOpen ? "! " : "  "}${each.file}:${each.line} ${each.within}, ${each.state}: ${each.kind}\n      ${each.original}\n   -> ${each.replacement}`;
  const lines = [
    ...rows,
    "",
    ...aliveIn(results).map(inFull),
    ...stale.map((each) => `Listed with a reason, and killed:\n${inFull(each)}`),
    "",
    `fail-open: ${inWords(failOpen)}`,
    `sample: ${inWords(sample)} (${between(sample)})`,
    ...(isComplete ? [] : ["Not everything has been tried: the same command goes on."]),
  ];
  return `${lines.join("\n")}\n`;
}

/** @param {Counts} counts */
function inWords({ all, killed, endless, refused, equivalent, untried, alive, share }) {
  return `${killed} of ${all} killed (${endless} because a test did not end), ${refused} refused by the compiler, ${equivalent} equivalent, ${untried} not tried in full, ${alive} alive: ${percent(share)}`;
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

/** @param {Result} mutant */
function row({ file, within, kind, original, replacement }) {
  const place = `${file.replace("packages/core/src/", "")}${within === "" ? "" : `, ${cell(within)}`}`;
  return `| ${place} | ${kind} | ${cell(original)} | ${cell(replacement)} |`;
}

/** @param {string} name @param {Counts} counts */
function countsRow(name, counts) {
  const { all, killed, refused, equivalent, untried, alive, share } = counts;
  const cells = [name, all, killed, refused, equivalent, untried, alive, percent(share)];
  return `| ${cells.join(" | ")} |`;
}

/** @param {readonly Result[]} mutants @param {string} reason The heading of the last column. */
function withReasons(mutants, reason) {
  if (mutants.length === 0) return ["None."];
  return [
    `| place | change | from | to | ${reason} |`,
    "| --- | --- | --- | --- | --- |",
    ...mutants.map((each) => `${row(each)} ${(each.why ?? "").replaceAll("|", "\\|")} |`),
  ];
}

/** The page `docs/mutation.md`. @param {Results} results */
export function pageOf(results) {
  const { mutants, failOpen, sample, seed, budget, population, source, tests, date, failed } =
    results;
  const inState = (/** @type {string} */ state) => mutants.filter((each) => each.state === state);
  const alive = aliveIn(results);
  const untried = failOpen.untried + sample.untried;
  const lines = [
    "# Mutants of core",
    "",
    "Written by `npm run mutate -- --write`. A mutant is core with a change in one place. A test that fails for it",
    "kills it. A mutant that no test kills shows a promise that nothing holds, unless it does the same as the source.",
    "",
    `Tried on ${date}: the source \`${source.slice(0, 12)}\` with the tests \`${tests.slice(0, 12)}\``,
    "(`git rev-parse HEAD:packages/core/src HEAD:packages/core/test`). Tests that only `npm run test:long` runs took no part.",
    ...failed.map((name) => `Nor did this one, which failed as it is: ${name}.`),
    "",
    `Core has ${population} mutants. Drawn are all ${failOpen.all} that could let a call pass (a refusal removed, an \`await\``,
    `dropped, a \`catch\` swallowed, a check skipped, a function that returns at once), and a random sample of ${sample.all} others`,
    `(seed ${seed}). A mutant was tried with the tests that reach it until one killed it, or for ${budget} seconds of tests.`,
    ...(untried === 0
      ? []
      : [
          `${untried} were not tried in full: they have withstood the`,
          "tests that were run, and others that reach them were not. If all of these live, tests kill",
          `${percent(failOpen.least)} of those that could let a call pass, and ${percent(sample.least)} of the others.`,
        ]),
    "",
    "| | drawn | killed | refused by the compiler | equivalent | not tried in full | alive | killed, of those that were tried in full and could be |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    countsRow("fail-open", failOpen),
    countsRow("sample of the others", sample),
    "",
    `With 95 % confidence, tests kill ${between(sample)} of the others${untried === 0 ? "" : " that are tried in full"}. Of the killed, ${failOpen.endless + sample.endless} are so because`,
    "a test did not end, and did not end either when it was tried again, alone in a new process. What no test kills was",
    "shown to the compiler. What it refuses cannot be built, and counts neither as killed nor as alive.",
    "",
    "## Equivalent",
    "",
    ...withReasons(inState("equivalent"), "why no test can tell"),
    "",
    "## Refused by the compiler",
    "",
    ...withReasons(inState("refused"), "what it says"),
    "",
    "## Alive",
    "",
    ...withReasons(alive, "why no test kills it"),
  ];
  return `${lines.join("\n")}\n`;
}
