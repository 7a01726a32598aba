import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { announce, environmentForPnpm, npm, quietly } from "../processes.mjs";
import { environmentOutside, runNode } from "./node.mjs";
import { installing } from "./project.mjs";

/** @typedef {import("./project.mjs").Tarball} Tarball */

/**
 * @typedef {object} Template Something that a program of ours makes.
 * @property {string} name
 * @property {string} program
 * @property {readonly string[]} options
 * @property {readonly string[]} tests Compiled, as its own script names them.
 */

const deadline = 120_000;

/** @type {Template} */
const provider = {
  name: "provider",
  program: "create-toolstile-provider",
  options: ["--name", "toolstile-provider-tea"],
  tests: ["build-test/test/tea.test.js", "build-test/test/plugin.test.js"],
};
const frameworks = [
  "none",
  "openai-agents",
  "ai-sdk",
  "langchain",
  "mastra",
  "claude-agent",
  "mcp",
];

/** @param {string} framework */
function application(framework) {
  const options = ["--name", `tea-${framework}`, "--framework", framework];
  const tests = ["dist/test/agent.test.js"];
  return { name: framework, program: "create-toolstile", options, tests };
}

/**
 * Makes an application for each framework in the project, which has all that they need, and compiles,
 * tests and runs it.
 *
 * @param {string} project
 * @returns {Promise<string[]>} What is wrong.
 */
export async function tryApplications(project) {
  const problems = [];
  for (const framework of frameworks) {
    const template = application(framework);
    const end = announce(`Making an application for ${framework}`);
    const folder = join(project, "made", framework);
    const compiler = join(project, "node_modules", "typescript", "bin", "tsc");
    const found =
      (await make(project, template, folder)) ??
      (await failureOf(folder, [compiler])) ??
      (await failureOf(folder, ["--test", ...template.tests])) ??
      (await failureOf(folder, ["dist/src/main.js"]));
    end(found === undefined);
    if (found === undefined)
      console.log(`npm create toolstile, ${framework}: compiles, passes, runs`);
    else problems.push(`npm create toolstile, ${framework}: ${found}`);
  }
  return problems;
}

/**
 * Makes a provider and an application, installs each by npm with nothing but what its manifest names, and
 * runs its scripts.
 *
 * @param {string} project Where the programs are installed.
 * @param {string} folder Where they go.
 * @param {readonly Tarball[]} packed
 * @returns {Promise<string[]>} What is wrong.
 */
export async function tryAlone(project, folder, packed) {
  const tried = [
    { template: provider, scripts: ["build", "test", "check"] },
    { template: application("none"), scripts: ["start", "test", "check"] },
  ];
  const problems = [];
  for (const { template, scripts } of tried) {
    const place = join(folder, `alone-${template.name}`);
    const unmade = await make(project, template, place);
    if (unmade !== undefined) {
      problems.push(`${template.program}: ${unmade}`);
      continue;
    }
    if (!installAlone(place, packed))
      return [`${template.program}: what it made cannot be installed`];
    const env = { ...environmentForPnpm(), ...environmentOutside() };
    const failed = scripts.filter((script) => {
      const command = [...npm(), "run", "--silent", script];
      return !quietly(`npm run ${script}`, command, { cwd: place, env, timeout: deadline });
    });
    problems.push(...failed.map((script) => `${template.program}: npm run ${script} fails`));
    if (failed.length === 0) {
      console.log(`npm create ${template.program.replace("create-", "")}: ${scripts.join(", ")}`);
    }
  }
  return problems;
}

/**
 * @param {string} project
 * @param {Template} template
 * @param {string} folder
 */
async function make(project, { program, options }, folder) {
  const command = join(project, "node_modules", ".bin", program);
  return await failureOf(project, [command, folder, ...options]);
}

/**
 * Nothing, or how a program failed.
 *
 * @param {string} cwd
 * @param {readonly string[]} arguments_
 */
async function failureOf(cwd, arguments_) {
  const run = { cwd, env: environmentOutside(), timeout: deadline };
  const { ended, stdout, stderr } = await runNode(arguments_, run);
  return ended === "exit code 0" ? undefined : `${ended}\n${stdout}${stderr}`;
}

/**
 * Install with tarballs in place of what no registry has yet; the manifest is then as it was made.
 *
 * @param {string} folder
 * @param {readonly Tarball[]} packed
 */
function installAlone(folder, packed) {
  const path = join(folder, "package.json");
  const made = readFileSync(path, "utf8");
  const manifest = JSON.parse(made);
  const files = new Map(packed.map(({ name, tarball }) => [name, `file:${tarball}`]));
  for (const group of ["dependencies", "devDependencies", "peerDependencies"]) {
    for (const name of Object.keys(manifest[group] ?? {})) {
      manifest[group][name] = files.get(name) ?? manifest[group][name];
    }
  }
  writeFileSync(path, JSON.stringify({ ...manifest, overrides: Object.fromEntries(files) }));
  try {
    return quietly("Installing what was made", installing(), {
      cwd: folder,
      env: environmentForPnpm(),
      timeout: deadline,
    });
  } finally {
    writeFileSync(path, made);
  }
}
