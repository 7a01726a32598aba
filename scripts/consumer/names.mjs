import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { environmentOutside, runNode } from "./node.mjs";
import { readManifest } from "./project.mjs";

/**
 * @typedef {object} Entry Something that can be imported, and what of it.
 * @property {string} specifier
 * @property {readonly string[]} values The names that are there when it runs.
 * @property {readonly string[]} types The other names that its declarations have.
 */

/**
 * Every entry point of these packages, by the `exports` that were installed.
 *
 * @param {string} project
 * @param {readonly { name: string }[]} packed
 */
export function specifiersOf(project, packed) {
  return packed.flatMap(({ name }) => {
    const { exports = {} } = readManifest(join(project, "node_modules", name));
    return Object.keys(exports).map((key) => name + key.slice(1));
  });
}

const loadDeadline = 60_000;

/** @param {string} specifier */
export function isData(specifier) {
  return specifier.endsWith(".json");
}

/**
 * Lists the exports of modules, by the modules themselves and by their declarations.
 *
 * @param {string} project
 * @param {readonly string[]} specifiers
 * @param {object} compilerOptions As in a tsconfig.json.
 * @returns {Promise<{ entries: Entry[], problems: string[] }>}
 */
export async function readEntries(project, specifiers, compilerOptions) {
  /** @type {string[]} */
  const problems = [];
  const loaded = await load(project, specifiers);
  const declared = declaredNames(project, specifiers, compilerOptions);
  const entries = specifiers.map((specifier, index) => {
    const { values = [], failure } = loaded[index] ?? {};
    const names = [...(declared[index] ?? [])];
    const absent = names.filter(([name, isValue]) => isValue && !values.includes(name));
    if (failure !== undefined) problems.push(`${specifier} does not load: ${failure}`);
    else problems.push(...absent.map(([name]) => `${specifier} declares ${name}, but lacks it`));
    const types = names.map(([name]) => name).filter((name) => !values.includes(name));
    return { specifier, values, types };
  });
  return { entries, problems };
}

/**
 * @param {string} project
 * @param {readonly string[]} specifiers
 * @returns {Promise<{ values?: string[], failure?: string }[]>}
 */
async function load(project, specifiers) {
  const text = `
    const loaded = ${JSON.stringify(specifiers)}.map((specifier) =>
      import(specifier).then(
        (module) => ({ values: Object.keys(module) }),
        (error) => ({ failure: String(error.message) }),
      ),
    );
    console.log(JSON.stringify(await Promise.all(loaded)));
  `;
  const options = { cwd: project, env: environmentOutside(), timeout: loadDeadline };
  const { ended, stdout, stderr } = await runNode(["--input-type=module", "-e", text], options);
  if (ended === "exit code 0") return JSON.parse(stdout);
  return specifiers.map(() => ({ failure: `${ended}\n${stderr}` }));
}

/**
 * The names that the declarations of each module have, and whether each is a value.
 *
 * @param {string} project
 * @param {readonly string[]} specifiers
 * @param {object} compilerOptions
 */
function declaredNames(project, specifiers, compilerOptions) {
  /** @type {typeof import("typescript")} */
  const ts = createRequire(join(project, "package.json"))("typescript");
  const file = join(project, "names.ts");
  const imports = specifiers.map((each, index) => `import * as entry${index} from "${each}";\n`);
  writeFileSync(file, imports.join(""));
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, project);
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();

  return (program.getSourceFile(file)?.statements ?? []).map((statement) => {
    if (!ts.isImportDeclaration(statement)) return new Map();
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    return new Map(symbols.map((symbol) => [symbol.name, isValue(symbol)]));
  });

  /** @param {import("typescript").Symbol} symbol */
  function isValue(symbol) {
    const isTypeOnly = (symbol.declarations ?? []).some(ts.isTypeOnlyExportDeclaration);
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const { flags } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    return !isTypeOnly && (flags & ts.SymbolFlags.Value) !== 0;
  }
}
