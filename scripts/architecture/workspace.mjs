import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { importsOf } from "./imports.mjs";

/**
 * @typedef {object} Table The content of `architecture.json`.
 * @property {readonly { floor: number, packages: readonly string[] }[]} floors
 * @property {Readonly<Record<string, readonly string[]>>} [rooms] Of a package: the folders of its `src`, and files at its top, in order.
 * @property {string} scope
 * @property {readonly string[]} unscoped
 * @property {readonly string[]} forTestsOnly
 * @property {readonly string[]} withoutNodeBuiltins
 * @property {{ required: readonly string[], permitted: readonly string[], entry: string, entryOf: Record<string, string> }} files
 * @property {{ warnAbove: number, neverAbove: number }} lines
 *
 * @typedef {object} SourceFile
 * @property {string} path From the repository's top, with forward slashes.
 * @property {number} lines
 * @property {readonly string[]} imports
 *
 * @typedef {object} Manifest
 * @property {string} [name]
 * @property {boolean} [private]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 *
 * @typedef {object} Package
 * @property {string} folder The name of its folder in `packages/`.
 * @property {string} path `packages/` and the folder.
 * @property {number | undefined} floor
 * @property {Manifest} manifest
 * @property {readonly string[]} files What its folder holds.
 * @property {readonly SourceFile[]} sources Of `src/`.
 * @property {readonly SourceFile[]} tests Of `test/`.
 * @property {readonly string[]} references The folders that its tsconfig.json refers to.
 *
 * @typedef {object} Workspace
 * @property {string} root
 * @property {Table} table
 * @property {Manifest} manifest
 * @property {readonly string[]} references The folders that the top tsconfig.json refers to.
 * @property {readonly Package[]} packages
 * @property {ReadonlyMap<string, Package>} byName
 * @property {readonly { path: string, manifest: Manifest }[]} others Workspace packages outside `packages/`.
 */

/**
 * @param {string} root
 * @returns {Workspace}
 */
export function readWorkspace(root) {
  /** @type {Table} */
  const table = readJson(join(root, "architecture.json"));
  const packages = foldersIn(join(root, "packages")).map((folder) =>
    readPackage(root, table, folder),
  );
  return {
    root,
    table,
    manifest: readJson(join(root, "package.json")),
    references: readReferences(join(root, "tsconfig.json")).map(lastSegment),
    packages,
    byName: new Map(packages.map((each) => [nameFor(table, each.folder), each])),
    others: otherPackages(root),
  };
}

/**
 * The name under which a package's folder is published.
 *
 * @param {Table} table
 * @param {string} folder
 */
export function nameFor(table, folder) {
  return table.unscoped.includes(folder) ? folder : table.scope + folder;
}

/**
 * @param {string} root
 * @param {Table} table
 * @param {string} folder
 * @returns {Package}
 */
function readPackage(root, table, folder) {
  const path = `packages/${folder}`;
  const place = join(root, path);
  return {
    folder,
    path,
    floor: table.floors.find(({ packages }) => packages.includes(folder))?.floor,
    manifest: readJson(join(place, "package.json")),
    files: readdirSync(place),
    sources: readSources(root, `${path}/src`),
    tests: readSources(root, `${path}/test`),
    references: readReferences(join(place, "tsconfig.json")).map(lastSegment),
  };
}

/** @param {string} root */
function otherPackages(root) {
  const examples = foldersIn(join(root, "examples")).map((folder) => `examples/${folder}`);
  return ["benchmarks", "conformance", "site", ...examples]
    .filter((path) => existsSync(join(root, path, "package.json")))
    .map((path) => ({ path, manifest: readJson(join(root, path, "package.json")) }));
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {SourceFile[]}
 */
function readSources(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return readSources(root, path);
    if (!/\.[cm]?[jt]sx?$/.test(entry.name)) return [];
    const text = readFileSync(join(root, path), "utf8");
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return [{ path, lines, imports: importsOf(path, text) }];
  });
}

/** @param {string} path */
function foldersIn(path) {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(path, entry.name, "package.json")))
    .map((entry) => entry.name);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function readReferences(path) {
  if (!existsSync(path)) return [];
  const { config } = ts.parseConfigFileTextToJson(path, readFileSync(path, "utf8"));
  const references = /** @type {{ path: string }[]} */ (config?.references ?? []);
  return references.map((reference) => reference.path);
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** @param {string} path */
function lastSegment(path) {
  return path.split("/").filter(Boolean).at(-1) ?? "";
}
