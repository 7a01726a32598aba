// MCP's own conformance suites, against one server: directly, behind the proxy, and within guardServer.
import "./node-version.mjs";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge, summarise } from "./conformance/compare.mjs";
import { runToEnd, startServing } from "./conformance/processes.mjs";
import { readFlags } from "./flags.mjs";
import { installNode, installSuite } from "./npm-program.mjs";
import { announce, root } from "./processes.mjs";
import { build, install } from "./setup.mjs";

const usage = `Usage: npm run conformance [-- --keep]

Runs MCP's conformance suites against one server three times: directly, behind
\`toolstile mcp\` over HTTP, and within guardServer(). With guards that allow
every call of a valid form, each check must end as it does directly. Needs the
npm registry the first time.

Options:
  --keep   leave what the suites wrote where it is, and say where
  --help   this text

Exit codes:
  0  every check of every scenario ends alike, and did run
  1  a check ends otherwise, the server alone fails, or something could not be
     installed, built, started or ended in time
  2  the command line is wrong
`;

/** The suites need Node 22. */
const nodeVersion = "22.23.3";
const versions = ["0.1.16", "0.2.0-alpha.12"];
/** The most that one suite may take; it takes about ten seconds. */
const timeoutMs = 60_000;
/** The extension of tasks, which the SDK's servers do not have: they fail it with and without guards. */
const mayFail = (/** @type {string} */ scenario) => scenario.startsWith("tasks-");

const { keep, help } = readFlags(usage, { keep: { type: "boolean" }, help: { type: "boolean" } });
if (help) {
  process.stdout.write(usage);
  process.exit(0);
}
install();
if (!build()) process.exit(1);
const node = installNode(nodeVersion);
const suites = versions.map((version) => ({ version, program: installSuite(version) }));
if (node === undefined || suites.some(({ program }) => program === undefined)) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), "toolstile-conformance-"));
process.once("exit", () => {
  if (keep) console.log(`The results are in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
});
const programs = join(root, "packages", "mcp", "test", "conformance");
const server = join(programs, "server.mjs");
/** The first is what the others are compared with. */
const ways = [
  { name: "directly", start: () => startServing([server]) },
  { name: "behind the proxy", start: startProxy },
  { name: "within guardServer", start: () => startServing([server, "--guarded"]) },
];

let isEqual = true;
for (const { version, program } of suites) {
  const end = announce(`Running MCP's conformance suite ${version}`);
  const runs = await Promise.all(ways.map((way) => run(way, version, String(program))));
  const problems = judge(runs, mayFail);
  end(problems.length === 0);
  for (const problem of problems) console.error(`Suite ${version}, ${problem}`);
  if (problems.length === 0) console.log(`Suite ${version}: ${summarise(runs)}.`);
  else isEqual = false;
}
if (!isEqual) process.exitCode = 1;

/**
 * The proxy as the command line starts it, with pins, in front of a server of its own.
 *
 * @param {string} version
 */
async function startProxy(version) {
  const upstream = await startServing([server]);
  const options = ["--listen", "127.0.0.1:0", "--upstream", upstream.url];
  const guards = [
    "--config",
    join(programs, "guard.yaml"),
    "--pins",
    join(folder, `pins-${version}.json`),
  ];
  const cli = join(root, "packages", "toolstile", "dist", "cli.js");
  const proxy = await startServing([cli, "mcp", ...options, ...guards]);
  const end = async () => void (await Promise.all([proxy.end(), upstream.end()]));
  return { url: proxy.url, end };
}

/**
 * One suite, against a server that is started for it. It never rejects.
 *
 * @param {(typeof ways)[number]} way
 * @param {string} version
 * @param {string} program
 * @returns {Promise<import("./conformance/compare.mjs").Way>}
 */
async function run({ name, start }, version, program) {
  const results = join(folder, version, name.replaceAll(" ", "-"));
  mkdirSync(results, { recursive: true });
  try {
    const served = await start(version);
    const target = ["--url", served.url, "--suite", "all", "--output-dir", results];
    const command = [program, "server", ...target];
    const { code, said } = await runToEnd(String(node), command, { cwd: results, timeoutMs });
    await served.end();
    // 1 is that checks fail, which may be right.
    if (code !== 0 && code !== 1) return { name, error: `the suite did not end:\n${said}` };
    return { name, run: readRun(results) };
  } catch (error) {
    return { name, error: String(error) };
  }
}

/**
 * The checks of each scenario, each of which has a folder of its own.
 *
 * @param {string} results
 * @returns {import("./conformance/compare.mjs").Run}
 */
function readRun(results) {
  return new Map(
    readdirSync(results).map((name) => [
      name.replace(/^server-|-\d{4}-\d\d-\d\dT[\d-]+Z$/g, ""),
      JSON.parse(readFileSync(join(results, name, "checks.json"), "utf8")),
    ]),
  );
}
