import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isData } from "./names.mjs";
import { environmentOutside, runNode } from "./node.mjs";

/** @typedef {import("./names.mjs").Entry} Entry */
/** @typedef {{ file: string, text: string }} CompilerError `file` is empty where no file is to blame. */

const compileDeadline = 300_000;

/** The ways in which users have their compiler find modules. */
export const resolutions = /** @type {const} */ (["nodenext", "bundler"]);

/**
 * The strictest of what a user may set, declarations of others checked too.
 *
 * @param {resolutions[number]} resolution
 */
export function compilerOptions(resolution) {
  return {
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
    target: "es2022",
    lib: ["es2024", "esnext.disposable"],
    types: ["node"],
    module: resolution === "bundler" ? "esnext" : resolution,
    moduleResolution: resolution,
    resolveJsonModule: true,
  };
}

/**
 * TypeScript that imports every name of every entry point.
 *
 * @param {readonly Entry[]} entries
 */
export function consumerOf(entries) {
  return entries.map(importAll).join("\n");
}

/**
 * @param {Entry} entry
 * @param {number} index
 */
function importAll({ specifier, values, types }, index) {
  const whole = `whole${index}`;
  if (isData(specifier)) {
    return `import ${whole} from "${specifier}" with { type: "json" };\nvoid ${whole};\n`;
  }
  const locals = values.map((name) => `${name}_${index}`);
  const names = [
    ...values.map((name) => `  ${name} as ${name}_${index},\n`),
    ...types.map((name) => `  type ${name} as ${name}_${index},\n`),
  ];
  return [
    `import * as ${whole} from "${specifier}";\n`,
    `import {\n${names.join("")}} from "${specifier}";\n`,
    `void [${[whole, ...locals].join(", ")}];\n`,
    `export type { ${types.map((name) => `${name}_${index}`).join(", ")} };\n`,
  ].join("");
}

/**
 * Returns the messages of the project's own compiler about one file.
 *
 * @param {string} project
 * @param {string} file
 * @param {resolutions[number]} resolution
 * @returns {Promise<CompilerError[]>}
 */
export async function compile(project, file, resolution) {
  const config = join(project, `tsconfig.${resolution}.json`);
  const content = { compilerOptions: compilerOptions(resolution), files: [file] };
  writeFileSync(config, `${JSON.stringify(content, null, 2)}\n`);
  const compiler = join(project, "node_modules", "typescript", "bin", "tsc");
  const { ended, stdout, stderr } = await runNode([compiler, "-p", config, "--pretty", "false"], {
    cwd: project,
    env: environmentOutside(),
    timeout: compileDeadline,
  });
  const errors = readErrors(stdout);
  if (ended === "exit code 0" || errors.length > 0) return errors;
  return [{ file: "", text: `the compiler failed with ${ended}\n${stdout}${stderr}` }];
}

/**
 * @param {string} output
 * @returns {CompilerError[]}
 */
export function readErrors(output) {
  const messages = output.split(/\n(?=\S)/).filter((each) => each.trim() !== "");
  return messages.map((text) => {
    const [, file = ""] = /^(.+?)\(\d+,\d+\): error /.exec(text) ?? [];
    return { file, text: text.trim() };
  });
}

/**
 * Tell errors that are ours to mend, which are all but those in packages of others, and count those.
 *
 * @param {readonly CompilerError[]} errors
 * @param {readonly { name: string }[]} packed
 */
export function sortErrors(errors, packed) {
  /** @type {CompilerError[]} */
  const own = [];
  /** @type {Map<string, number>} */
  const others = new Map();
  for (const error of errors) {
    const inPackage = error.file.split("node_modules/").slice(1).at(-1);
    const [, owner] = /^((?:@[^/]+\/)?[^/]+)\//.exec(inPackage ?? "") ?? [];
    if (owner === undefined || packed.some(({ name }) => name === owner)) own.push(error);
    else others.set(owner, (others.get(owner) ?? 0) + 1);
  }
  return { own, others };
}
