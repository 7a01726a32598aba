import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * @typedef {object} Source
 * @property {string} path From the repository's top, with forward slashes.
 * @property {string} package The package's folder.
 * @property {number} lines
 * @property {string} text
 * @property {ts.SourceFile} file
 *
 * @typedef {ts.FunctionDeclaration | ts.MethodDeclaration | ts.ArrowFunction | ts.FunctionExpression} Fn
 *
 * @typedef {{ name: string, fn: Fn, body: ts.Node }} NamedFunction
 */

/**
 * The source of all packages of a tree.
 *
 * @param {string} root
 * @returns {Source[]}
 */
export function readSources(root) {
  const packages = join(root, "packages");
  return readdirSync(packages)
    .sort()
    .filter((folder) => existsSync(join(packages, folder, "src")))
    .flatMap((folder) => filesIn(root, `packages/${folder}/src`))
    .map((path) => parse(path, readFileSync(join(root, path), "utf8")));
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {Source}
 */
export function parse(path, text) {
  return {
    path,
    package: path.split("/")[1] ?? "",
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    text,
    file: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  };
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(root, path);
    return /\.[cm]?tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** @type {WeakMap<ts.Node, readonly ts.Node[]>} */
const nodesBelow = new WeakMap();

/**
 * Every node below one, and itself.
 *
 * @param {ts.Node} node
 * @returns {readonly ts.Node[]}
 */
export function nodesOf(node) {
  const known = nodesBelow.get(node);
  if (known !== undefined) return known;
  const nodes = [node];
  for (const each of nodes) ts.forEachChild(each, (child) => void nodes.push(child));
  nodesBelow.set(node, nodes);
  return nodes;
}

/**
 * The functions and methods that have a name, also by the variable that holds them.
 *
 * @param {ts.SourceFile} file
 * @returns {NamedFunction[]}
 */
export function functionsOf(file) {
  return nodesOf(file).flatMap((node) => namedFunction(node) ?? []);
}

/**
 * @param {ts.Node} node
 * @returns {NamedFunction | undefined}
 */
function namedFunction(node) {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) {
    const { name, body } = node;
    if (name === undefined || body === undefined) return undefined;
    return { name: name.getText(), fn: node, body };
  }
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return undefined;
  const { initializer: fn, name } = node;
  if (!ts.isArrowFunction(fn) && !ts.isFunctionExpression(fn)) return undefined;
  return { name: name.getText(), fn, body: fn.body };
}
