import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./processes.mjs";
import { build, install } from "./setup.mjs";

const help = `Run random configurations of rails in NeMo Guardrails and in @toolstile/iorails, and compare what comes of them.

  npm run differential -- --python <path> [options]

It needs a Python 3.11 with the real engine, outside of this repository:

  python3.11 -m venv /tmp/nemo
  /tmp/nemo/bin/pip install nemoguardrails==0.24.1 yara-python==4.5.4 common-expression-language==0.10.0
  npm run differential -- --python /tmp/nemo/bin/python --cases 100

Rails of single tools are only in NeMo Guardrails 0.25, which nobody can install: in their place stands a model in
Python that was written from its documents. Models and services answer from a script, on 127.0.0.1.

A case in which both sides differ is run again without what its class says is the cause. It is explained if both are
then the same.

Options:
  --python <path>  a Python with the packages above
  --cases <n>      draws so many cases (default 10000)
  --seed <n>       draws others (default 1)
  --only <text>    runs the cases whose id contains it, such as rewrite-1-289
  --json           prints the results as JSON
  --in-full        prints, as JSON, the configuration, the request and what came of each case that is not explained, or
                   that is blocked there and passes here
  --write          writes docs/iorails-differential.md: without --only
  --help           prints this

Exit codes:
  0  every difference is of a class that is listed
  1  one is not, or a side could not be run
  2  the command is wrong
`;

const wanted = {
  nemoguardrails: "0.24.1",
  "yara-python": "4.5.4",
  "common-expression-language": "0.10.0",
};

const values = options();
if (values.help) {
  process.stdout.write(help);
} else {
  const [count, seed] = [whole("cases"), whole("seed")];
  const python = pythonWith(wanted);
  if (values.write && values.only !== "") wrong("--write writes a whole run: leave out --only");
  install();
  process.exitCode = build() ? await compare(python, count, seed) : 1;
}

function options() {
  try {
    return parseArgs({
      options: {
        python: { type: "string" },
        cases: { type: "string", default: "10000" },
        seed: { type: "string", default: "1" },
        only: { type: "string", default: "" },
        json: { type: "boolean", default: false },
        "in-full": { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return wrong(/** @type {Error} */ (error).message);
  }
}

/** @param {string} message @returns {never} */
function wrong(message) {
  process.stderr.write(`${message}\nTry: npm run differential -- --help\n`);
  process.exit(2);
}

/** @param {"cases" | "seed"} name */
function whole(name) {
  const given = values[name];
  if (!/^\d+$/.test(given)) {
    wrong(`--${name} must be a whole number, received ${JSON.stringify(given)}`);
  }
  return Number(given);
}

/** The Python that was given, which must have these packages. @param {Readonly<Record<string, string>>} packages */
function pythonWith(packages) {
  const { python } = values;
  if (python === undefined) return wrong("--python must be the path of a Python");
  const names = JSON.stringify(Object.keys(packages));
  const program = `import importlib.metadata as m, json; print(json.dumps({n: m.version(n) for n in ${names}}))`;
  const { status, stdout, stderr, error } = spawnSync(python, ["-c", program], {
    encoding: "utf8",
  });
  if (status !== 0) return wrong(`--python: ${error?.message ?? stderr.trim().split("\n").at(-1)}`);
  for (const [name, version] of Object.entries(JSON.parse(stdout))) {
    if (version !== packages[name]) {
      wrong(`--python must have ${name} ${packages[name]}, and has ${version}`);
    }
  }
  return python;
}

/** @param {string} python @param {number} count @param {number} seed */
async function compare(python, count, seed) {
  const folder = "../conformance/differential";
  const { idsOf } = await import(`${folder}/cases.mjs`);
  const { Differential } = await import(`${folder}/run.mjs`);
  const { resultsOf, shownOf, tableOf } = await import(`${folder}/results.mjs`);
  const { pageOf } = await import(`${folder}/page.mjs`);
  const ids = idsOf(count, seed).filter((/** @type {string} */ id) => id.includes(values.only));
  const differential = new Differential(python);
  const watched = process.stderr.isTTY === true;
  const started = Date.now();
  try {
    await differential.start();
    const explained = await differential.run(ids, (/** @type {number} */ done) => {
      if (watched) process.stderr.write(`\r${done} of ${ids.length} cases`);
    });
    if (watched) process.stderr.write("\n");
    const minutes = (Date.now() - started) / 60_000;
    const date = new Date().toISOString().slice(0, 10);
    const results = { ...resultsOf(explained), seed, minutes, date, packages: wanted };
    const printed = values["in-full"] ? shownOf(explained) : values.json ? results : undefined;
    process.stdout.write(
      printed === undefined ? tableOf(results) : `${JSON.stringify(printed, undefined, 1)}\n`,
    );
    if (values.write) writeFileSync(join(root, "docs/iorails-differential.md"), pageOf(results));
    return results.unexplained.length === 0 ? 0 : 1;
  } finally {
    differential.close();
  }
}
