import { posix } from "node:path";
import { fileMeant, isNodeBuiltin, isRelative, packageOf } from "./imports.mjs";
import { nameFor } from "./workspace.mjs";

/** @typedef {import("./workspace.mjs").Package} Package */
/** @typedef {import("./workspace.mjs").SourceFile} SourceFile */
/** @typedef {import("./workspace.mjs").Workspace} Workspace */

/**
 * Every package stands in the table once, under the name that its folder gives it.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function everyPackageHasAFloor({ packages, table }) {
  const listed = table.floors.flatMap((floor) => floor.packages);
  const twice = listed.filter((folder, index) => listed.indexOf(folder) !== index);
  return [
    ...twice.map((folder) => `architecture.json lists ${folder} twice`),
    ...packages
      .filter(({ floor }) => floor === undefined)
      .map(({ path }) => `${path} is on no floor of architecture.json`),
    ...packages
      .filter(({ folder, manifest }) => manifest.name !== nameFor(table, folder))
      .map(({ path, folder }) => `${path}/package.json is not named ${nameFor(table, folder)}`),
  ];
}

/**
 * Imports and dependencies point to a lower floor; only tests may use the packages made for tests.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function dependenciesPointDown(workspace) {
  return workspace.packages.flatMap((from) => {
    const { dependencies, peerDependencies, devDependencies } = from.manifest;
    const manifest = `${from.path}/package.json`;
    const run = Object.keys({ ...dependencies, ...peerDependencies });
    const uses = [
      ...run.map((name) => ({ where: manifest, name, forTests: false })),
      ...Object.keys(devDependencies ?? {}).map((name) => ({
        where: manifest,
        name,
        forTests: true,
      })),
      ...packageImports(from.sources).map((use) => ({ ...use, forTests: false })),
      ...packageImports(from.tests).map((use) => ({ ...use, forTests: true })),
    ];
    return uses.flatMap((use) => {
      const problem = wrongUse(workspace, from, use.name, use.forTests);
      return problem === undefined ? [] : [`${use.where}: ${problem}`];
    });
  });
}

/**
 * @param {Workspace} workspace
 * @param {Package} from
 * @param {string} name
 * @param {boolean} forTests
 */
function wrongUse({ byName, table }, from, name, forTests) {
  const to = byName.get(name);
  if (to === undefined) {
    const ours = name.startsWith(table.scope) || table.unscoped.includes(name);
    return ours ? `${name} is not a package of this repository` : undefined;
  }
  if (to === from) return forTests ? undefined : `imports its own package by name`;
  if (forTests && table.forTestsOnly.includes(to.folder)) return undefined;
  if (table.forTestsOnly.includes(to.folder)) return `${name} is for tests only`;
  if (to.floor === undefined || from.floor === undefined || to.floor < from.floor) return undefined;
  return `floor ${from.floor} may not use ${name}, which is on floor ${to.floor}`;
}

/**
 * No package depends on itself by way of others, development dependencies included.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function noCycles({ packages, byName }) {
  /** @type {Set<Package>} */
  const finished = new Set();
  return packages.flatMap((start) => walk(start, []));

  /**
   * @param {Package} each
   * @param {readonly Package[]} trail
   * @returns {string[]}
   */
  function walk(each, trail) {
    if (trail.includes(each)) {
      const cycle = [...trail.slice(trail.indexOf(each)), each];
      return [
        `the packages depend on each other in a circle: ${cycle.map(({ folder }) => folder).join(" → ")}`,
      ];
    }
    if (finished.has(each)) return [];
    const { dependencies, peerDependencies, devDependencies } = each.manifest;
    const names = Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies });
    const problems = names.flatMap((name) => {
      const next = byName.get(name);
      return next === undefined ? [] : walk(next, [...trail, each]);
    });
    finished.add(each);
    return problems;
  }
}

/**
 * Every import of the source is declared, every declared package is imported, and no relative path leaves a
 * package's own folder. A peer that is optional may go without: its objects are read, not its code.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function importsAreDeclared({ packages, manifest: top }) {
  return packages.flatMap(({ path, manifest, sources, tests }) => {
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const forTests = [
      manifest.name,
      ...declared,
      ...Object.keys({ ...manifest.devDependencies, ...top.devDependencies }),
    ];
    const imported = packageImports(sources);
    const mayGoWithout = manifest.peerDependenciesMeta ?? {};
    return [
      ...imported
        .filter(({ name }) => !declared.includes(name))
        .map(({ where, name }) => `${where}: ${name} is not in the package's dependencies`),
      ...packageImports(tests)
        .filter(({ name }) => !forTests.includes(name))
        .map(({ where, name }) => `${where}: ${name} is in no manifest`),
      ...declared
        .filter((name) => mayGoWithout[name]?.optional !== true)
        .filter((name) => !imported.some((use) => use.name === name))
        .map((name) => `${path}/package.json: nothing in src imports ${name}`),
      ...[...sources, ...tests].flatMap((file) => strayPaths(path, file)),
    ];
  });
}

/**
 * @param {string} folder
 * @param {SourceFile} file
 */
function strayPaths(folder, file) {
  return file.imports
    .filter((specifier) => isRelative(specifier))
    .filter(
      (specifier) => !posix.join(posix.dirname(file.path), specifier).startsWith(`${folder}/`),
    )
    .map((specifier) => `${file.path}: '${specifier}' leaves the package's folder`);
}

/**
 * The entries listed as such, and everything of their package that they reach, run without Node.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function entriesNeedNoNode({ packages, table }) {
  const sources = new Map(
    packages.flatMap((each) => each.sources).map((file) => [file.path, file]),
  );
  return table.withoutNodeBuiltins.flatMap((entry) => {
    if (!sources.has(entry)) return [`${entry} is listed in architecture.json and does not exist`];
    const reached = [entry];
    for (const path of reached) {
      for (const specifier of sources.get(path)?.imports ?? []) {
        const next = fileMeant(path, specifier, sources);
        if (next !== undefined && !reached.includes(next)) reached.push(next);
      }
    }
    return reached.flatMap((path) =>
      (sources.get(path)?.imports ?? [])
        .filter(isNodeBuiltin)
        .map((specifier) => `${path}: ${entry} reaches it, so it may not import ${specifier}`),
    );
  });
}

/** @param {readonly SourceFile[]} files */
function packageImports(files) {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => !isRelative(specifier) && !isNodeBuiltin(specifier))
      .map((specifier) => ({ where: path, name: packageOf(specifier) })),
  );
}
