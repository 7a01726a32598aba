import { builtinModules } from "node:module";
import { posix } from "node:path";
import ts from "typescript";

const builtins = new Set(builtinModules);
const packagedJson = /^@?[a-z][\w.-]*\/[\w./-]+\.json$/;

/**
 * Every module that a source file names: import, export, import type, `import()` and `require()`.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function importsOf(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  /** @type {Set<string>} */
  const found = new Set(file.typeReferenceDirectives.map(({ fileName }) => fileName));
  visit(file);
  return [...found];

  /** @param {ts.Node} node */
  function visit(node) {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.add(specifier.text);
    // A JSON file of a package, as what createRequire() makes loads it.
    if (ts.isStringLiteralLike(node) && packagedJson.test(node.text)) found.add(node.text);
    ts.forEachChild(node, visit);
  }
}

/**
 * @param {ts.Node} node
 * @returns {ts.Node | undefined}
 */
function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  }
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  const loads =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === "require");
  return loads ? node.arguments[0] : undefined;
}

/** @param {string} specifier */
export function isRelative(specifier) {
  return specifier.startsWith("./") || specifier.startsWith("../");
}

/**
 * The source file that a relative specifier means, where it is one of these.
 *
 * @param {string} from The file that imports.
 * @param {string} specifier
 * @param {{ has: (path: string) => boolean }} files
 * @returns {string | undefined}
 */
export function fileMeant(from, specifier, files) {
  if (!isRelative(specifier)) return undefined;
  const path = posix.join(posix.dirname(from), specifier);
  return [path, path.replace(/\.([cm]?)js$/, ".$1ts"), path.replace(/\.js$/, ".tsx")].find((each) =>
    files.has(each),
  );
}

/** @param {string} specifier */
export function isNodeBuiltin(specifier) {
  return specifier.startsWith("node:") || builtins.has(specifier);
}

/**
 * The package that a bare specifier belongs to: `@scope/name/sub` is `@scope/name`.
 *
 * @param {string} specifier
 */
export function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
