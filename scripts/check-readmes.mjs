import "./node-version.mjs";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tryReadmes } from "./consumer/readmes.mjs";
import { pack } from "./packages/pack.mjs";
import { root } from "./processes.mjs";
import { build, install } from "./setup.mjs";

const usage = `Usage: node scripts/check-readmes.mjs [PACKAGE…]

Does what the README of each package says first: installs exactly what its install line names into an
empty project outside the workspace, ours from tarballs, and runs its first example there. A PACKAGE is
a folder of packages/. Needs the npm registry. Exits with 1 if anything of it fails.
`;

const { values, positionals } = parseArgs({
  options: { help: { type: "boolean" } },
  allowPositionals: true,
});
const unknown = positionals.filter((each) => !readdirSync(join(root, "packages")).includes(each));
if (values.help || unknown.length > 0) {
  for (const each of unknown) console.error(`packages/ has no ${each}`);
  process.stdout.write(usage);
  process.exit(unknown.length > 0 ? 2 : 0);
}
install();
if (!build()) process.exit(1);
const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-readmes-")));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
mkdirSync(join(folder, "tarballs"));
const problems = await tryReadmes(folder, pack(join(folder, "tarballs")), positionals);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
