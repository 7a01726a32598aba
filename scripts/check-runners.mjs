import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFlags } from "./flags.mjs";
import { pack } from "./packages/pack.mjs";
import { environmentForPnpm, npm, quietly, root } from "./processes.mjs";
import { build, install } from "./setup.mjs";

const usage = `Usage: node scripts/check-runners.mjs

Packs core and the conformance kit, and runs the kit with vitest, node:test and jest in a project
outside the workspace: a good guard passes with each, and a guard with a planted fault fails.
Needs the npm registry. Exits with 1 if anything of it is otherwise.

Options:
  --help   this text
`;

if (readFlags(usage, { help: { type: "boolean" } }).help) {
  process.stdout.write(usage);
  process.exit(0);
}

/**
 * A test runner: its command, and what its tests import.
 *
 * @typedef {object} Runner
 * @property {string} name
 * @property {string} folder
 * @property {string} imports
 * @property {string} afterAll
 * @property {readonly [string, ...string[]]} command
 * @property {Record<string, string>} [environment]
 */

const programs = join("node_modules", ".bin");
/** @type {readonly Runner[]} */
const runners = [
  {
    name: "vitest",
    folder: "vitest",
    imports: 'import { afterAll, describe, it } from "vitest";',
    afterAll: "afterAll",
    command: [join(programs, "vitest"), "run", "--root", "vitest"],
  },
  {
    name: "node:test",
    folder: "node-test",
    imports: 'import { after, describe, it } from "node:test";',
    afterAll: "after",
    command: [process.execPath, "--test", "node-test/"],
  },
  {
    name: "jest",
    folder: "jest",
    imports: 'import { afterAll, describe, it } from "@jest/globals";',
    afterAll: "afterAll",
    command: [join(programs, "jest"), "--rootDir=jest", "--testMatch=**/*.test.mjs"],
    environment: { NODE_OPTIONS: "--experimental-vm-modules" },
  },
];

/** A guard. Its planted fault is a reason that quotes an argument, which the model reads back. */
const guard = `import { allow, deny } from "@toolstile/core";
import { call } from "@toolstile/testing";

const quotes = process.env.TOOLSTILE_PLANTED_FAULT === "1";
const reason = ({ path }) => (quotes ? "not " + path : "only reading is allowed");

export const readOnly = () => ({
  name: "read-only",
  evaluate: ({ toolName, args }) => (toolName.startsWith("get_") ? allow() : deny(reason(args))),
});
export const cases = {
  allowed: call({ city: "Ulm" }, "get_weather"),
  denied: call({ path: "/etc/passwd" }, "delete_file"),
};
`;

/** @param {Runner} runner */
const testOf = ({ imports, afterAll }) => `${imports}
import { fileURLToPath } from "node:url";
import { conformancePage, testProvider } from "@toolstile/testing";
import { cases, readOnly } from "../read-only.mjs";

const page = conformancePage({ name: "read-only" });
describe("read-only", () => {
  testProvider(page.record(it, "read-only"), readOnly, cases);
});
${afterAll}(() => page.write(fileURLToPath(new URL("../conformance", import.meta.url))));
`;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-runners-")));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
install();
if (!build()) process.exit(1);
mkdirSync(join(folder, "tarballs"));
const packed = pack(join(folder, "tarballs")).filter(({ name }) =>
  ["@toolstile/core", "@toolstile/testing"].includes(name),
);
const project = join(folder, "project");
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
mkdirSync(project);
const manifest = {
  private: true,
  type: "module",
  dependencies: Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`])),
  devDependencies: { jest: "30.5.2", "@jest/globals": "30.5.2", vitest: devDependencies.vitest },
};
writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
const installing = [
  ...npm(),
  "install",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--prefer-offline",
];
const settings = { cwd: project, env: environmentForPnpm(), timeout: 600_000 };
if (!quietly("Installing the test runners", installing, settings)) process.exit(1);
writeFileSync(join(project, "read-only.mjs"), guard);
for (const runner of runners) {
  mkdirSync(join(project, runner.folder));
  writeFileSync(join(project, runner.folder, "read-only.test.mjs"), testOf(runner));
}

const problems = runners.flatMap((runner) => [...good(runner), ...faulty(runner)]);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(
    "The kit passes a good guard, and fails a faulty one, with vitest, node:test and jest.",
  );

/** @param {Runner} runner @returns {string[]} */
function good(runner) {
  const { status, printed, report } = run(runner, {});
  const { conforms, guards } = report ?? {};
  const counted = guards?.[0]?.results.length ?? 0;
  console.log(`${runner.name}: exit ${status}, conforms ${conforms}, ${counted} tests`);
  return status === 0 && conforms === true && counted > 10
    ? []
    : [`${runner.name} fails a good guard:\n${printed}`];
}

/** @param {Runner} runner @returns {string[]} */
function faulty(runner) {
  const { status, printed, report } = run(runner, { TOOLSTILE_PLANTED_FAULT: "1" });
  const failed = report?.guards[0]?.results.filter(
    (/** @type {{ status: string }} */ each) => each.status === "failed",
  );
  console.log(`${runner.name}, with a planted fault: exit ${status}, ${failed?.length} failed`);
  return status !== 0 && report?.conforms === false && failed?.length > 0
    ? []
    : [`${runner.name} does not fail a faulty guard:\n${printed}`];
}

/**
 * @param {Runner} runner
 * @param {Record<string, string>} more
 */
function run({ command, environment }, more) {
  const page = join(project, "conformance");
  rmSync(page, { recursive: true, force: true });
  const [program = "", ...rest] = command;
  const env = { ...process.env, ...environment, ...more, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(program, rest, {
    cwd: project,
    env,
    encoding: "utf8",
  });
  const written = join(page, "conformance.json");
  const report = existsSync(written) ? JSON.parse(readFileSync(written, "utf8")) : undefined;
  return { status, printed: `${stdout}${stderr}`, report };
}
