import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { rememberKillers, useKillers } from "./mutation/memory.mjs";
import { mutantsOf } from "./mutation/mutants.mjs";
import { pageOf, tableOf } from "./mutation/page.mjs";
import { resultsIn, setAside, waitingAlone } from "./mutation/results.mjs";
import { kill, killAlone, record, repeatEndless } from "./mutation/runs.mjs";
import { drawn } from "./mutation/sample.mjs";
import { root } from "./processes.mjs";

const help = `Change core, or another package, in one place at a time, and see whether its tests notice.

  npm run mutate [-- options]

All mutants that could let a call pass (fail-open) are tried, and a sample of the others. Each test
of the package runs in one warm process, once as it is and once for each mutant that it reaches: first the
test that killed the mutant in an earlier run, then those that are quick and reach little else, then
all. What has been found is kept: the same command goes on where it was interrupted. A change of the package
or of its tests begins anew, and knows still which tests killed what.

Options:
  --package <name> tries the mutants of this package with its tests (default core)
  --seed <n>       draws another sample (default 11)
  --sample <n>     draws so many mutants that are not fail-open (default 650)
  --only <text>    tries only mutants of files whose path contains it
  --tests <n>      runs at most so many tests for a mutant (default: all that reach it)
  --budget <s>     gives up on a mutant after so many seconds of tests (default 30)
  --minutes <n>    stops after so many minutes (default 180); the same command goes on
  --record         finds only which mutants each test reaches
  --fresh          forgets what has been found
  --json           prints the results as JSON
  --write          writes docs/mutation.md; of core, which must be committed
  --help           prints this

Exit codes:
  0  all fail-open mutants and 97 % of the sample are killed, listed as equivalent, or refused by the compiler
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
        package: { type: "string", default: "core" },
        seed: { type: "string", default: "11" },
        sample: { type: "string", default: "650" },
        only: { type: "string", default: "" },
        tests: { type: "string" },
        budget: { type: "string", default: "30" },
        minutes: { type: "string", default: "180" },
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
  const until = Date.now() + whole("minutes") * 60_000;
  const most = values.tests === undefined ? Number.POSITIVE_INFINITY : whole("tests");
  const budget = whole("budget") * 1_000;
  const home = `packages/${values.package}`;
  if (!existsSync(join(root, home, "src"))) refuse(`there is no ${home}/src`);
  if (values.write) requireCommitted();
  const mutants = population(`${home}/src`);
  const chosen = drawn(mutants, seed, sample).map((mutant, id) => ({ ...mutant, id }));
  const [source, tests] = [treeOf(`${home}/src`), treeOf(`${home}/test`)];
  const name = hashOf([source, tests, hashOf(chosen)]).slice(0, 16);
  const cache = join(root, "node_modules/.cache/toolstile-mutation");
  const folder = join(cache, name);
  if (values.fresh) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const list = join(folder, "mutants.json");
  if (!existsSync(list)) writeFileSync(list, JSON.stringify(chosen));
  say(`${chosen.length} of ${mutants.length} mutants, kept in ${folder}`);

  const isRecorded = await record(folder, until, say);
  let isComplete = isRecorded && !values.record;
  if (isComplete) {
    useKillers(cache, folder);
    for (const tests of [1, 25, most].filter((each) => each <= most)) {
      if (isComplete && tests === most) {
        say("showing the compiler what lives");
        setAside(folder, { tests, budget });
      }
      isComplete &&= await kill(folder, { tests, budget }, until, say);
      rememberKillers(cache, folder);
    }
    const effort = { tests: most, budget };
    while (isComplete) {
      const ended = await repeatEndless(folder, effort, until, say);
      isComplete = ended !== undefined;
      if (ended === 0) break;
      // Other tests, which may not end either, are to tell of these.
      isComplete &&= await kill(folder, effort, until, say);
    }
    const alone = waitingAlone(folder, effort);
    isComplete &&= await killAlone(folder, alone, until, say);
  }
  const date = new Date().toISOString().slice(0, 10);
  const found = resultsIn(folder, { tests: most, budget });
  const results = {
    ...found,
    seed,
    budget: whole("budget"),
    population: mutants.length,
    isComplete,
    source,
    tests,
    date,
  };
  process.stdout.write(
    values.json ? `${JSON.stringify(results, undefined, 1)}\n` : tableOf(results),
  );
  if (values.write) writeFileSync(join(root, "docs/mutation.md"), pageOf(results));
  return isComplete && results.isGood ? 0 : 1;
}

/** The mutants of a package. @param {string} source */
function population(source) {
  const names = readdirSync(join(root, source), { recursive: true, encoding: "utf8" });
  const files = names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${source}/${name}`)
    .filter((file) => file.includes(values.only))
    .sort();
  return files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), "utf8")));
}

/** @param {unknown} value */
function hashOf(value) {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** The id of a folder as it is committed; of its files as they are, if they are not. @param {string} path */
function treeOf(path) {
  const git = (/** @type {readonly string[]} */ ...given) =>
    spawnSync("git", given, { cwd: root, encoding: "utf8" }).stdout.trim();
  if (git("status", "--porcelain", "--", path) === "") return git("rev-parse", `HEAD:${path}`);
  const names = readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .sort();
  return hashOf(names.map((each) => [each, readFileSync(each, "utf8")]));
}

function requireCommitted() {
  if (values.package !== "core") refuse("--write is for core");
  const { stdout } = spawnSync("git", ["status", "--porcelain", "--", "packages/core"], {
    cwd: root,
    encoding: "utf8",
  });
  if (stdout !== "")
    refuse("--write must name a commit, and packages/core has changes that are in none");
}

/** @param {string} problem @returns {never} */
function refuse(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

/** @param {"seed" | "sample" | "minutes" | "budget" | "tests"} name */
function whole(name) {
  const given = values[name] ?? "";
  if (!/^\d+$/.test(given))
    refuse(`--${name} must be a whole number, received ${JSON.stringify(given)}`);
  return Number(given);
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
