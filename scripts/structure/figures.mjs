import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { importsOf } from "../architecture/imports.mjs";
import { circlesOf } from "../architecture/rooms.mjs";
import { enteredByOneCall } from "./one-call.mjs";
import { rules } from "./shared.mjs";
import { nodesOf, readSources } from "./source.mjs";

/**
 * @typedef {import("./source.mjs").Source} Source
 *
 * @typedef {object} Figure
 * @property {string} group
 * @property {string} name
 * @property {number} value
 * @property {readonly string[]} [of] What was counted.
 */

/** The files that decide on a call, by the names that they have had. */
const kernel = [
  ["read-decision", "judgement"],
  ["ask"],
  ["guard", "link"],
  ["deliberation", "fold"],
  ["steps", "step"],
  ["decide", "open"],
  ["execute", "dispatch"],
  ["settle", "close"],
  ["stop"],
  ["permit"],
];

const openings = /^(?:What|Whether|Where|How|Of|Who)\b/;

/**
 * @param {string} root
 * @returns {Figure[]}
 */
export function figuresOf(root) {
  const sources = readSources(root);
  return [
    ...sizes(sources),
    ...rooms(sources),
    ...core(root, sources),
    ...shared(sources),
    ...wording(sources),
  ];
}

/**
 * @param {readonly Source[]} sources
 * @returns {Figure[]}
 */
function sizes(sources) {
  const packages = ["all", ...new Set(sources.map((source) => source.package))];
  const of = (/** @type {string} */ name) =>
    sources.filter((source) => name === "all" || source.package === name);
  return [
    ...packages.map((name) => figure("Files of source", name, of(name).length)),
    ...packages.map((name) => figure("Lines of source", name, linesOf(of(name)))),
  ];
}

/**
 * @param {readonly Source[]} sources
 * @returns {Figure[]}
 */
function rooms(sources) {
  const packages = [...new Set(sources.map((source) => source.package))];
  const circles = packages.flatMap((name) =>
    circlesOf({
      sources: sources
        .filter((source) => source.package === name)
        .map(({ path, text }) => ({ path, imports: importsOf(path, text) })),
    }).map((circle) => circle.join(" → ")),
  );
  return [
    ...packages.map((name) => {
      const folders = sources
        .filter((source) => source.package === name)
        .map(({ path }) => path.split("/").slice(3))
        .flatMap(([folder, ...rest]) =>
          folder === undefined || rest.length === 0 ? [] : [folder],
        );
      const found = [...new Set(folders)];
      return figure("Rooms: folders of src", name, found.length, found);
    }),
    figure("Circles of imports", "all", circles.length, circles),
  ];
}

/**
 * @param {string} root
 * @param {readonly Source[]} all
 * @returns {Figure[]}
 */
function core(root, all) {
  const sources = all.filter((source) => source.package === "core");
  const named = (/** @type {readonly string[]} */ names) =>
    sources.filter(({ path }) => names.some((name) => path.endsWith(`/${name}.ts`)));
  const protocol = sources.filter(({ path }) => /\/src\/protocol(?:\.ts$|\/)/.test(path));
  const guardrail = named(["protocol/guardrail", "protocol"]);
  const members = sources.flatMap(({ file }) =>
    nodesOf(file)
      .filter((node) => ts.isClassDeclaration(node) && node.name?.text === "Run")
      .flatMap((node) => /** @type {ts.ClassDeclaration} */ (node).members)
      .filter(ts.isPropertyDeclaration)
      .map(({ name }) => name.getText()),
  );
  const entered = enteredByOneCall(all);
  const exported = exportsOf(join(root, "packages/core/src/index.ts"));
  return [
    figure(
      "Core",
      "lines of the protocol that a guard's author reads",
      linesOf(guardrail),
      guardrail,
    ),
    figure("Core", "lines of all protocols", linesOf(protocol), protocol),
    figure(
      "Core",
      "lines of the decision kernel",
      linesOf(kernel.flatMap(named)),
      kernel.flatMap(named),
    ),
    figure("Core", "members of a run", members.length, members),
    figure("Core", "root exports: values", exported.values.length, exported.values),
    figure("Core", "root exports: types", exported.types.length, exported.types),
    figure("One plain allowed call", "files entered", entered.files),
    figure("One plain allowed call", "functions entered", entered.functions),
    figure("One plain allowed call", "calls made", entered.calls),
  ];
}

/**
 * The names that an entry exports.
 *
 * @param {string} index
 * @returns {{ values: string[], types: string[] }}
 */
export function exportsOf(index) {
  if (!existsSync(index)) return { values: [], types: [] };
  const program = ts.createProgram([index], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(index);
  const module = file && checker.getSymbolAtLocation(file);
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
  /** @param {ts.Symbol} symbol */
  const isValue = (symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const typeOnly = symbol.declarations?.some(ts.isTypeOnlyExportDeclaration) === true;
    const meant = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    return !typeOnly && (meant.flags & ts.SymbolFlags.Value) !== 0;
  };
  return {
    values: symbols.filter(isValue).map(({ name }) => name),
    types: symbols.filter((symbol) => !isValue(symbol)).map(({ name }) => name),
  };
}

/**
 * @param {readonly Source[]} sources
 * @returns {Figure[]}
 */
function shared(sources) {
  return rules.flatMap(({ name, find, isFile }) => {
    const having = sources.filter((source) => find(source).length > 0);
    const of = having.flatMap((source) => find(source).map((each) => `${source.path}: ${each}`));
    const counted = figure("Implementations", name, of.length, of);
    return isFile === true
      ? [counted, figure("Implementations", `${name}, lines`, linesOf(having))]
      : [counted];
  });
}

/**
 * @param {readonly Source[]} sources
 * @returns {Figure[]}
 */
function wording(sources) {
  const casts = sources.map(({ file }) => castsIn(file)).reduce((sum, count) => sum + count, 0);
  const opened = sources.flatMap(({ text }) => openingsOf(text));
  const riddles = opened.filter((opening) => openings.test(opening));
  const mentions = sources.map(({ text }) => text.split("ERR_INVALID_OPTION").length - 1);
  return [
    figure("Wording", "casts", casts),
    figure("Wording", "doc comments", opened.length),
    figure(
      "Wording",
      "doc comments that open with What, Whether, Where, How, Of, Who",
      riddles.length,
    ),
    figure(
      "Wording",
      "mentions of ERR_INVALID_OPTION",
      mentions.reduce((sum, count) => sum + count, 0),
    ),
    figure("Wording", "files that mention it", mentions.filter(Boolean).length),
  ];
}

/**
 * The casts of a file: each `as`, but for `as const`.
 *
 * @param {ts.SourceFile} file
 */
export function castsIn(file) {
  return nodesOf(file).filter((node) => ts.isAsExpression(node) && node.type.getText() !== "const")
    .length;
}

/**
 * The first words of the doc comments of a text.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function openingsOf(text) {
  return [...text.matchAll(/^[ \t]*\/\*\*[\s*]*([^*\n]+)/gm)].map(([, opening]) =>
    String(opening).trim(),
  );
}

/** @param {readonly Source[]} sources */
function linesOf(sources) {
  return sources.reduce((sum, { lines }) => sum + lines, 0);
}

/**
 * @param {string} group
 * @param {string} name
 * @param {number} value
 * @param {readonly (string | Source)[]} [of]
 * @returns {Figure}
 */
function figure(group, name, value, of) {
  if (of === undefined) return { group, name, value };
  return {
    group,
    name,
    value,
    of: of.map((each) => (typeof each === "string" ? each : each.path)),
  };
}
