import "./node-version.mjs";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFlags } from "./flags.mjs";
import { environmentForPnpm, inView, root, withPnpm } from "./processes.mjs";
import { changelogWith } from "./publishing/changelog.mjs";
import { readChangesets } from "./publishing/changesets.mjs";
import { install } from "./setup.mjs";

const usage = `Usage: npm run release:version

Turns the changesets into the next version: of every package, as all have the same, and of CHANGELOG.md.
Commit what it changes, and tag it; the tag starts the workflow that publishes.

Exit codes: 0, done; 1, nothing to release, or a step failed; 2, the command line is wrong.
`;

if (readFlags(usage, { help: { type: "boolean" } }).help) {
  process.stdout.write(usage);
  process.exit(0);
}
install();
const changesets = readChangesets(join(root, ".changeset"));
if (changesets.length === 0) {
  console.error("There is no changeset, so there is nothing to release.");
  process.exit(1);
}
const environment = { env: environmentForPnpm() };
if (inView([process.execPath, changesetProgram(), "version"], environment) !== 0) process.exit(1);
const manifest = join(root, "packages", "core", "package.json");
const { version } = JSON.parse(readFileSync(manifest, "utf8"));
const path = join(root, "CHANGELOG.md");
const today = new Date().toISOString().slice(0, 10);
const text = changelogWith(readFileSync(path, "utf8"), version, today, changesets);
writeFileSync(path, text);
process.exitCode = inView(withPnpm(["pnpm", "install", "--lockfile-only"]), environment);

function changesetProgram() {
  return join(root, "node_modules", "@changesets", "cli", "bin.js");
}
