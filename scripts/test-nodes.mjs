// The tests of the packages that meet most of Node, on the later Nodes that are supported.
//   node scripts/test-nodes.mjs [node version …]
import "./node-version.mjs";
import { delimiter, dirname, join } from "node:path";
import { laterNodes } from "./later-nodes.mjs";
import { installNode } from "./npm-program.mjs";
import { inView, root } from "./processes.mjs";
import { build, install } from "./setup.mjs";

const adapters = [
  "langchain",
  "openai-agents",
  "ai-sdk",
  "openai",
  "mastra",
  "claude-agent",
  "mcp",
];
const packages = ["core", "schema", "iorails", ...adapters];

install();
if (!build()) process.exit(1);
const given = process.argv.slice(2);
const failed = (given.length > 0 ? given : laterNodes).filter((version) => !testOn(version));
if (failed.length > 0) {
  console.error(`The tests fail on Node ${failed.join(" and ")}.`);
  process.exitCode = 1;
}

/** @param {string} version */
function testOn(version) {
  const node = installNode(version);
  if (node === undefined) return false;
  console.log(`Node ${version}`);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const folders = packages.map((name) => `packages/${name}/`);
  // What a cost grows by is measured on one Node.
  const measured = ["--exclude=**/growth.test.ts", "--exclude=**/schema-cache.test.ts"];
  const path = [dirname(node), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, TOOLSTILE_TESTS: "short" };
  return inView([node, vitest, "run", "--allowOnly=false", ...measured, ...folders], { env }) === 0;
}
