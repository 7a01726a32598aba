import "./node-version.mjs";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  compile,
  compilerOptions,
  consumerOf,
  resolutions,
  sortErrors,
} from "./consumer/compile.mjs";
import { tryAlone, tryApplications } from "./consumer/made.mjs";
import { isData, readEntries, specifiersOf } from "./consumer/names.mjs";
import { tryNodes } from "./consumer/nodes.mjs";
import { frameworks, installProject, notFromTarballs } from "./consumer/project.mjs";
import { tryReadmes } from "./consumer/readmes.mjs";
import { compareRuns, copyExamples, installedPrograms } from "./consumer/runs.mjs";
import { readFlags } from "./flags.mjs";
import { pack } from "./packages/pack.mjs";
import { announce, root } from "./processes.mjs";
import { build, install } from "./setup.mjs";

const usage = `Usage: node scripts/check-consumer.mjs [--all] [--keep]

Packs every package and makes a project outside the workspace that has nothing of it but the
tarballs. Compiles there what imports every name of every entry point, and runs each example and
command there. Needs the npm registry. Exits with 1 if anything of it fails.

Options:
  --all    make an application for each framework too, and compile, test and run it; make a provider
           and an application that are installed alone; load every entry on the later Nodes, by
           import and by require(); run the first example of each README with exactly what its
           install line names
  --keep   leave the project where it is, and say where
  --help   this text
`;

/** @typedef {ReturnType<typeof pack>} Packed */

const { all, keep, help } = readFlags(usage, {
  all: { type: "boolean" },
  keep: { type: "boolean" },
  help: { type: "boolean" },
});
if (help) {
  process.stdout.write(usage);
  process.exit(0);
}
const folder = makeFolder();
install();
if (!build()) process.exit(1);
mkdirSync(join(folder, "tarballs"));
const packed = pack(join(folder, "tarballs"));
const project = join(folder, "project");
if (!installProject(project, packed, frameworks(root))) process.exit(1);

const problems = [
  ...notFromTarballs(project, packed),
  ...(await compileEverything()),
  ...(await runEverything()),
  ...(all ? await tryMore() : []),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else
  console.log("A fresh project compiles against the tarballs and runs every example and template.");

/** Outside the repository, whose node_modules would be found from inside, and gone at the end. */
function makeFolder() {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-consumer-")));
  process.once("exit", () => {
    if (keep) console.log(`The project is in ${join(made, "project")}`);
    else rmSync(made, { recursive: true, force: true });
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  if (made.startsWith(realpathSync(root))) {
    console.error(`The folder for temporary files, ${tmpdir()}, lies in the workspace.`);
    process.exit(1);
  }
  return made;
}

async function tryMore() {
  return [
    ...(await tryNodes(project, modulesOf())),
    ...(await tryApplications(project)),
    ...(await tryAlone(project, folder, packed)),
    ...(await tryReadmes(folder, packed)),
  ];
}

/** The entries that are code. */
function modulesOf() {
  return specifiersOf(project, packed).filter((each) => !isData(each));
}

async function compileEverything() {
  const end = announce("Compiling");
  const specifiers = specifiersOf(project, packed);
  const options = compilerOptions("nodenext");
  const modules = specifiers.filter((each) => !isData(each));
  const data = specifiers.filter(isData).map((specifier) => ({ specifier, values: [], types: [] }));
  const { entries, problems } = await readEntries(project, modules, options);
  writeFileSync(join(project, "consumer.ts"), consumerOf([...entries, ...data]));
  const compiled = await Promise.all(
    resolutions.map((resolution) => compile(project, "consumer.ts", resolution)),
  );
  const sorted = compiled.map((errors) => sortErrors(errors, packed));
  end(problems.length === 0 && sorted.every(({ own }) => own.length === 0));

  const values = entries.flatMap((each) => each.values).length;
  const types = entries.flatMap((each) => each.types).length;
  console.log(
    `${packed.length} packages, ${specifiers.length} entry points, ${values} values, ${types} types`,
  );
  for (const [index, { own, others }] of sorted.entries()) {
    console.log(`${resolutions[index]}: ${own.length} errors of Toolstile, ${inOthers(others)}`);
    problems.push(...own.map(({ text }) => `${resolutions[index]}: ${text}`));
  }
  return problems;
}

/** @param {ReadonlyMap<string, number>} counts */
function inOthers(counts) {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const list = [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
  return total === 0 ? "none of others" : `${total} of others, which do not count: ${list}`;
}

async function runEverything() {
  const programs = [...copyExamples(project), ...installedPrograms(project, packed)];
  const problems = [];
  for (const program of programs) {
    const end = announce(`Running ${program.name}`);
    const found = await compareRuns(program);
    end(found.length === 0);
    if (found.length === 0) console.log(`${program.name}: as in the workspace`);
    problems.push(...found);
  }
  return problems;
}
