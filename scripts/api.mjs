import "./node-version.mjs";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readFlags } from "./flags.mjs";
import { root } from "./processes.mjs";
import { judgeReport, reportsOf } from "./publishing/api-report.mjs";
import { readChangesets } from "./publishing/changesets.mjs";

const usage = `Usage: npm run api [-- --write]

Compares what every package exports, with its types, with the reports in etc/api. A report that differs
may be written anew only after a changeset that names its package has been added: npx changeset

Options:
  --write   write the reports that differ
  --help    this text

Exit codes: 0, every report is right; 1, one is not; 2, the command line is wrong.
`;

const { write, help } = readFlags(usage, { write: { type: "boolean" }, help: { type: "boolean" } });
if (help) {
  process.stdout.write(usage);
  process.exit(0);
}
const folder = join(root, "etc", "api");
mkdirSync(folder, { recursive: true });
const changesets = readChangesets(join(root, ".changeset"));
const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
const problems = reportsOf(packages).flatMap(check);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log("Every package exports what its report says.");

/** @param {ReturnType<typeof reportsOf>[number]} report */
function check(report) {
  const file = `${basename(report.folder)}.md`;
  const path = join(folder, file);
  const pinned = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const { text, problem } = judgeReport(report, pinned, changesets);
  if (text === undefined) return [String(problem)];
  if (text === pinned) return [];
  if (!write)
    return [`etc/api/${file} differs from what ${report.name} exports: npm run api -- --write`];
  writeFileSync(path, text);
  console.log(`etc/api/${file} is written.`);
  return [];
}
