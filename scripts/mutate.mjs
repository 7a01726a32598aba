import "./node-version.mjs";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mutantsOf } from "./mutation/mutants.mjs";
import { pageOf, tableOf } from "./mutation/page.mjs";
import { resultsIn } from "./mutation/results.mjs";
import { kill, record } from "./mutation/runs.mjs";
import { drawn } from "./mutation/sample.mjs";
import { root } from "./processes.mjs";

const help = `Change core in one place at a time, and see whether its tests notice.

  npm run mutate [-- options]

All mutants that could let a call pass (fail-open) are tried, and a sample of the others. Each test
of core runs in one warm process, once as it is and once for each mutant that it reaches. What has
been found is kept: the same command goes on where it was interrupted.

Options:
  --seed <n>       draws another sample (default 1)
  --sample <n>     draws so many mutants that are not fail-open (default 600)
  --only <text>    tries only mutants of files whose path contains it
  --tests <n>      runs at most so many tests for a mutant, the likeliest first (default: all)
  --budget <s>     gives up on a mutant after so many seconds of tests (default: no limit)
  --minutes <n>    stops after so many minutes; the same command goes on
  --record         finds only which mutants each test reaches
  --fresh          forgets what has been found
  --json           prints the results as JSON
  --write          writes docs/mutation.md
  --help           prints this

Exit codes:
  0  all fail-open mutants and 97 % of the sample are killed or listed as equivalent
  1  they are not, or not everything has been tried
  2  the command is wrong
`;

const { values } = options();
if (values.help) {
  process.stdout.write(help);
} else {
  process.exitCode = await mutate();
}

function options() {
  try {
    return parseArgs({
      options: {
        seed: { type: "string", default: "1" },
        sample: { type: "string", default: "600" },
        only: { type: "string", default: "" },
        tests: { type: "string" },
        budget: { type: "string" },
        minutes: { type: "string" },
        record: { type: "boolean", default: false },
        fresh: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n\n${help}`);
    process.exit(2);
  }
}

async function mutate() {
  const [seed, sample] = [whole("seed"), whole("sample")];
  const { texts, mutants } = population();
  const chosen = drawn(mutants, seed, sample).map((mutant, id) => ({ ...mutant, id }));
  const hash = createHash("sha256").update(JSON.stringify([texts, seed, sample, values.only]));
  const name = hash.digest("hex").slice(0, 16);
  const folder = join(root, "node_modules/.cache/toolstile-mutation", name);
  if (values.fresh) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "mutants.json"))) {
    writeFileSync(join(folder, "mutants.json"), JSON.stringify(chosen));
  }
  const until = Date.now() + (values.minutes === undefined ? Infinity : whole("minutes") * 60_000);
  if (values.budget !== undefined) {
    process.env["TOOLSTILE_MUTATION_BUDGET"] = String(whole("budget") * 1_000);
  }
  if (values.tests !== undefined) process.env["TOOLSTILE_MUTATION_TESTS"] = String(whole("tests"));
  say(`${chosen.length} of ${mutants.length} mutants, kept in ${folder}`);
  const isRecorded = await record(folder, until, say);
  const isComplete = isRecorded && !values.record && (await kill(folder, until, say));
  const results = { ...resultsIn(folder), seed, population: mutants.length, isComplete };
  process.stdout.write(
    values.json ? `${JSON.stringify(results, undefined, 1)}\n` : tableOf(results),
  );
  if (values.write) writeFileSync(join(root, "docs/mutation.md"), pageOf(results));
  return isComplete && results.isGood ? 0 : 1;
}

/** The mutants of core, and the texts that they are of. */
function population() {
  const source = "packages/core/src";
  const names = readdirSync(join(root, source), { recursive: true, encoding: "utf8" });
  const files = names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${source}/${name}`)
    .filter((file) => file.includes(values.only))
    .sort();
  const texts = files.map((file) => readFileSync(join(root, file), "utf8"));
  return { texts, mutants: files.flatMap((file, at) => mutantsOf(file, texts[at] ?? "")) };
}

/** @param {"seed" | "sample" | "minutes" | "budget" | "tests"} name */
function whole(name) {
  const given = values[name] ?? "";
  if (!/^\d+$/.test(given)) {
    process.stderr.write(`--${name} must be a whole number, received ${JSON.stringify(given)}\n`);
    process.exit(2);
  }
  return Number(given);
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
