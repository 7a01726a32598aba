import { laterNodes } from "../later-nodes.mjs";
import { installNode } from "../npm-program.mjs";
import { announce } from "../processes.mjs";
import { environmentOutside, runNode } from "./node.mjs";

const deadline = 120_000;

/** A guarded call that runs, one that is denied, and every module by import and by require(). */
const program = `
import { createRequire } from "node:module";
const require = createRequire(process.cwd() + "/package.json");
const { ToolRunner, tool } = await import("@toolstile/core");
const { allowlist } = await import("@toolstile/allowlist");
const tools = ["search", "refund"].map((name) => tool({ name, execute: () => "done" }));
const runner = new ToolRunner({ tools, guardrails: [allowlist(["search"])] });
const [first, second] = await runner.runAll([{ name: "search" }, { name: "refund" }]);
if (first.status !== "executed" || second.status !== "denied") {
  throw new Error("the calls ended as " + first.status + " and " + second.status);
}
for (const specifier of SPECIFIERS) {
  const imported = await import(specifier);
  const required = require(specifier);
  for (const name of Object.keys(imported)) {
    if (imported[name] !== required[name]) throw new Error(specifier + ": require() gives another " + name);
  }
}
console.log(process.versions.node);
`;

/**
 * Loads every module of the project on this Node and on the later ones, and makes guarded calls.
 *
 * @param {string} project
 * @param {readonly string[]} specifiers
 * @returns {Promise<string[]>} What is wrong.
 */
export async function tryNodes(project, specifiers) {
  const text = program.replace("SPECIFIERS", () => JSON.stringify(specifiers));
  const problems = [];
  for (const version of [process.versions.node, ...laterNodes]) {
    const node = version === process.versions.node ? process.execPath : installNode(version);
    if (node === undefined) {
      problems.push(`Node ${version} cannot be installed`);
      continue;
    }
    const end = announce(`Loading every entry on Node ${version}`);
    const options = { cwd: project, env: environmentOutside(), timeout: deadline, node };
    const run = await runNode(["--input-type=module", "--eval", text], options);
    const found = run.ended === "exit code 0" && run.stdout.trim().endsWith(version);
    end(found);
    if (found) console.log(`Node ${version}: ${specifiers.length} entries load, calls are guarded`);
    else problems.push(`Node ${version}: ${run.ended}\n${run.stderr}`);
  }
  return problems;
}
