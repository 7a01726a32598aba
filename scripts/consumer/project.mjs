import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { environmentForPnpm, npm, quietly } from "../processes.mjs";

/**
 * @typedef {{ name: string, tarball: string }} Tarball
 *
 * @typedef {object} Manifest
 * @property {string} name
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, unknown>} [exports]
 * @property {string | Record<string, string>} [bin]
 * @property {Record<string, string>} [scripts]
 */

const installDeadline = 300_000;

/**
 * Lists the packages that a user of Toolstile has besides it: the peers of its packages and what its examples use, each
 * in the one version that the workspace tests, and what compiles TypeScript for Node.
 *
 * @param {string} repository
 * @returns {Record<string, string>}
 * @throws {Error} Where a version is not known, or two are.
 */
export function frameworks(repository) {
  /** @type {Map<string, { version: string, by: string }>} */
  const needed = new Map();
  /**
   * @param {string} by
   * @param {string} name
   * @param {string | undefined} version
   */
  const need = (by, name, version) => {
    if (version === undefined) {
      throw new Error(`${by} has no devDependency on its peer ${name}, so no version is tested`);
    }
    const other = needed.get(name) ?? { version, by };
    if (other.version !== version) {
      const both = `${by} needs ${name} ${version} and ${other.by} ${other.version}`;
      throw new Error(`${both}: one project cannot have both`);
    }
    needed.set(name, other);
  };
  const { devDependencies: tools = {} } = readManifest(repository);
  for (const name of ["typescript", "@types/node"]) need("the workspace", name, tools[name]);
  for (const { name: by, peerDependencies, devDependencies } of manifestsIn(
    repository,
    "packages",
  )) {
    for (const [name, range] of Object.entries(peerDependencies ?? {})) {
      if (!range.startsWith("workspace:")) need(by, name, devDependencies?.[name]);
    }
  }
  for (const { name: by, dependencies } of manifestsIn(repository, "examples")) {
    for (const [name, version] of Object.entries(dependencies ?? {})) {
      if (!version.startsWith("workspace:")) need(by, name, version);
    }
  }
  return Object.fromEntries([...needed].map(([name, { version }]) => [name, version]));
}

/**
 * Make a project that has the tarballs and these frameworks, as npm installs them for a user, but that
 * no script of a package runs, and that it has no processor: what is made for one, such as the
 * programs of the Claude Agent SDK, is optional, large, and stays out.
 *
 * @param {string} project Its folder, which is made.
 * @param {readonly Tarball[]} packed
 * @param {Record<string, string>} others
 * @returns {boolean} Whether it could be installed. If not, the reason has been shown.
 */
export function installProject(project, packed, others) {
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), manifestOf(project, packed, others));
  const command = installing();
  const environment = { cwd: project, env: environmentForPnpm(), timeout: installDeadline };
  if (quietly("Installing a fresh project", command, environment)) return true;
  const names = Object.entries(others).map(([name, version]) => `${name}@${version}`);
  console.error(
    `npm could not install the fresh project. Besides the ${packed.length} tarballs it needs the npm ` +
      `registry, for these and their dependencies: ${names.join(", ")}`,
  );
  return false;
}

/** The command that installs what a manifest names, as above. */
export function installing() {
  const options = ["--ignore-scripts", "--cpu=none", "--no-audit", "--no-fund"];
  return [...npm(), "install", ...options, "--prefer-offline", "--loglevel=error"];
}

/**
 * The packages of Toolstile that were installed from anywhere but their tarball.
 *
 * @param {string} project
 * @param {readonly Tarball[]} packed
 * @returns {string[]}
 */
export function notFromTarballs(project, packed) {
  const { packages } = /** @type {{ packages: Record<string, { resolved?: string }> }} */ (
    readJson(join(project, "node_modules", ".package-lock.json"))
  );
  const sources = new Map(packed.map(({ name, tarball }) => [name, fromFile(project, tarball)]));
  return Object.entries(packages).flatMap(([path, { resolved = "a folder" }]) => {
    const wanted = sources.get(path.split("node_modules/").at(-1) ?? "");
    return wanted === undefined || resolved === wanted ? [] : [`${path} comes from ${resolved}`];
  });
}

/**
 * @param {string} project
 * @param {readonly Tarball[]} packed
 * @param {Record<string, string>} others
 */
function manifestOf(project, packed, others) {
  const tarballs = packed.map(({ name, tarball }) => [name, fromFile(project, tarball)]);
  const manifest = {
    private: true,
    type: "module",
    dependencies: { ...Object.fromEntries(tarballs), ...others },
    // What the packages want of each other is in the tarballs too, and is asked of no registry.
    overrides: Object.fromEntries(packed.map(({ name }) => [name, `$${name}`])),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/**
 * @param {string} project
 * @param {string} tarball
 */
export function fromFile(project, tarball) {
  return `file:${relative(project, tarball).replaceAll("\\", "/")}`;
}

/**
 * @param {string} repository
 * @param {string} group
 */
function manifestsIn(repository, group) {
  return readdirSync(join(repository, group)).map((each) =>
    readManifest(join(repository, group, each)),
  );
}

/**
 * @param {string} folder
 * @returns {Manifest}
 */
export function readManifest(folder) {
  return readJson(join(folder, "package.json"));
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
