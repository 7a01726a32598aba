import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { announce, environmentForPnpm, npm, quietly } from "../processes.mjs";
import { environmentOutside, runNode } from "./node.mjs";
import { fromFile, installing, notFromTarballs } from "./project.mjs";
import { readFirstSteps, wasPrinted } from "./readme.mjs";

/** @typedef {import("./project.mjs").Tarball} Tarball */
/** @typedef {Tarball & { source: string }} Packed */

const deadline = 120_000;

/** The READMEs whose first example is not run here, and why. */
const elsewhere = new Map([
  ["create-toolstile", "its example is its install line, and what it makes is installed alone"],
  ["create-toolstile-provider", "as create-toolstile"],
]);

/**
 * Does what each README says first: installs what its install line names into an empty project, and runs
 * its first example there.
 *
 * @param {string} folder Where the projects go.
 * @param {readonly Packed[]} packed
 * @param {readonly string[]} [only] The folders of these packages; by default, all.
 * @returns {Promise<string[]>} What is wrong.
 */
export async function tryReadmes(folder, packed, only = []) {
  const chosen = packed.filter(
    ({ source }) => only.length === 0 || only.includes(basename(source)),
  );
  const problems = [];
  let ran = 0;
  for (const { name, source } of chosen) {
    if (elsewhere.has(name)) continue;
    const readme = readFileSync(join(source, "README.md"), "utf8");
    const found = await tryReadme(join(folder, `readme-${basename(source)}`), readme, packed);
    problems.push(...found.map((problem) => `README of ${name}: ${problem}`));
    ran += 1;
  }
  console.log(`${ran} READMEs: each first example with exactly what its install line names`);
  return problems;
}

/**
 * @param {string} project The folder that is made.
 * @param {string} readme
 * @param {readonly Tarball[]} packed
 * @returns {Promise<string[]>}
 */
export async function tryReadme(project, readme, packed) {
  const { installs, code, commands, uses, promises } = readFirstSteps(readme);
  if (installs.size === 0) return ["it has no install line before its first example"];
  if (code === undefined && commands.length === 0) return ["it has no first example"];
  // npm may lay a package where the example finds it that nobody named: a peer, or a dependency's own.
  const unnamed = uses
    .filter((name) => !installs.has(name))
    .map((name) => `its first example uses ${name}, which its install line does not name`);
  if (unnamed.length > 0) return unnamed;

  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), manifestOf(project, installs, packed));
  const env = { ...environmentForPnpm(), ...environmentOutside() };
  const install = { cwd: project, env: environmentForPnpm(), timeout: 300_000 };
  if (!quietly(`Installing ${[...installs.keys()].join(" ")}`, installing(), install))
    return ["its install line cannot be installed"];
  const strays = notFromTarballs(project, packed);
  if (strays.length > 0) return strays;
  if (code === undefined) {
    const failed = commands.filter((line) => {
      const command = [...npm(), "exec", "--offline", "--", ...line.split(" ")];
      return !quietly(line, command, { cwd: project, env, timeout: deadline });
    });
    return failed.map((line) => `${line} fails`);
  }
  const end = announce("Running its first example");
  writeFileSync(join(project, "example.mjs"), code);
  const run = { cwd: project, env: environmentOutside(), timeout: deadline };
  const { ended, stdout, stderr } = await runNode(["example.mjs"], run);
  const problems =
    ended === "exit code 0"
      ? promises
          .filter((promise) => !wasPrinted(stdout, promise))
          .map((promise) => `its first example does not print ${promise}, but\n${stdout}`)
      : [`its first example ends with ${ended}\n${stdout}${stderr}`];
  end(problems.length === 0);
  return problems;
}

/**
 * What npm would have written, with tarballs in place of what no registry has yet.
 *
 * @param {string} project
 * @param {ReadonlyMap<string, string>} installs
 * @param {readonly Tarball[]} packed
 */
function manifestOf(project, installs, packed) {
  const overrides = Object.fromEntries(
    packed.map(({ name, tarball }) => [name, fromFile(project, tarball)]),
  );
  const dependencies = Object.fromEntries(
    [...installs].map(([name, range]) => [name, overrides[name] ?? range]),
  );
  return `${JSON.stringify({ private: true, dependencies, overrides }, null, 2)}\n`;
}
