import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import ts from "typescript";
import { packAndInstall } from "./packages/pack.mjs";
import { root } from "./processes.mjs";

/** @typedef {import("./packages/pack.mjs").Packed} Packed */

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-packages-")));
try {
  const packed = packAndInstall(folder);
  const problems = [
    ...packed.flatMap(strayFiles),
    ...(await Promise.all(packed.map(askPublint))).flat(),
    ...packed.flatMap(askAreTheTypesWrong),
    ...compileAsUsersDo(packed),
    ...loadEveryEntry(packed),
    ...loadWithoutNode(),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${packed.length} packages are fit to publish.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {Packed} packed */
function strayFiles({ name, files }) {
  // What a package makes has tests of its own.
  const stray =
    /^(?!dist\/template\/).*(?:(?:^|\/)(?:test|node_modules)\/|\.test\.|\.tsbuildinfo$)/;
  const needed = ["LICENSE", "README.md", "package.json"];
  return [
    ...files.filter((file) => stray.test(file)).map((file) => `${name} would publish ${file}`),
    ...needed.filter((file) => !files.includes(file)).map((file) => `${name} lacks ${file}`),
  ];
}

/** @param {Packed} packed */
async function askPublint({ name, folder: pkgDir }) {
  const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true });
  // A template's package.json is a root one in the package that is made of it.
  const meant = messages.filter(({ code }) => code !== "NESTED_PACKAGE_JSON_FIELD_IGNORED");
  return meant.map((message) => `${name}: publint: ${formatMessage(message, pkg)}`);
}

/** @param {Packed} packed */
function askAreTheTypesWrong({ name, tarball, entries }) {
  if (entries.length === 0) return [];
  const options = ["--profile", "esm-only", "--format", "ascii", "--no-color", "--no-emoji"];
  const command = join(root, "node_modules", "@arethetypeswrong", "cli", "dist", "index.js");
  return run(`${name}: attw`, [command, tarball, ...options]);
}

/**
 * Compile a file that imports everything, checking our declarations and not trusting them.
 *
 * @param {readonly Packed[]} packed
 */
function compileAsUsersDo(packed) {
  const entries = packed.flatMap((each) => each.entries);
  const text = entries.map(
    (entry, index) => `import * as entry${index} from "${entry}";\nvoid entry${index};\n`,
  );
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const browser = 'import * as core from "@toolstile/core";\nvoid core;\n';
  return [
    ...compile("the packages do not compile for a user", "user.ts", text.join(""), {
      lib: ["es2024", "esnext.disposable"],
      types: ["node"],
    }),
    ...compile("core does not compile for a browser", "browser.ts", browser, {
      lib: ["es2024", "esnext.disposable", "dom"],
      types: [],
    }),
  ];
}

/**
 * Only our own files are checked: a framework's declarations, which are linked from outside the folder, are not ours to
 * mend, and take several times as long.
 *
 * @param {string} problem
 * @param {string} file
 * @param {string} text
 * @param {{ lib: string[], types: string[] }} world
 */
function compile(problem, file, text, world) {
  writeFileSync(join(folder, file), text);
  const strict = { strict: true, noEmit: true, skipLibCheck: false };
  const json = { ...strict, target: "es2022", module: "nodenext", ...world };
  const { options } = ts.convertCompilerOptionsFromJson(json, folder);
  const host = { ...ts.createCompilerHost(options), getCurrentDirectory: () => folder };
  const program = ts.createProgram([join(folder, file)], options, host);
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  const said = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((each) => [
      ...program.getSyntacticDiagnostics(each),
      ...program.getSemanticDiagnostics(each),
    ]),
  ];
  return said.length === 0 ? [] : [`${problem}:\n${ts.formatDiagnostics(said, host)}`];
}

/** @param {readonly Packed[]} packed */
function loadEveryEntry(packed) {
  const entries = packed.flatMap((each) => each.entries);
  const text = entries.map((entry) => `import "${entry}";`).join("\n");
  return run("the packages do not load", ["--input-type=module", "--eval", text]);
}

function loadWithoutNode() {
  const hook = new URL("./packages/without-node-builtins.mjs", import.meta.url).href;
  const entries = /** @type {{ withoutNodeBuiltins: string[] }} */ (
    JSON.parse(readFileSync(join(root, "architecture.json"), "utf8"))
  ).withoutNodeBuiltins;
  return entries.flatMap((entry) => {
    const [, name = "", source] = /^packages\/([^/]+)\/(.+)$/.exec(entry) ?? [];
    const { exports } = JSON.parse(
      readFileSync(join(root, "packages", name, "package.json"), "utf8"),
    );
    const subpath = Object.keys(exports).find(
      (key) => exports[key]["@toolstile/source"] === `./${source}`,
    );
    if (subpath === undefined) return [`${entry} must be an entry of its package, and is none`];
    writeFileSync(join(folder, "entry.mjs"), `import "@toolstile/${name}${subpath.slice(1)}";\n`);
    return run(`${entry} needs Node`, ["--import", hook, "entry.mjs"]);
  });
}

/**
 * @param {string} problem
 * @param {readonly string[]} arguments_
 */
function run(problem, arguments_) {
  const { status, stdout, stderr } = spawnSync(process.execPath, arguments_, {
    cwd: folder,
    encoding: "utf8",
  });
  return status === 0 ? [] : [`${problem}:\n${stdout}${stderr}`];
}
