import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {import("./workspace.mjs").Manifest} Manifest */
/** @typedef {import("./workspace.mjs").Workspace} Workspace */

/**
 * Every package has the same few files, and the licence is the repository's.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function packagesHaveTheSameFiles({ root, packages, table }) {
  const { required, permitted, entry, entryOf } = table.files;
  return packages.flatMap(({ path, folder, files }) => {
    const main = Object.hasOwn(entryOf, folder) ? entryOf[folder] : entry;
    const licence = join(root, path, "LICENSE");
    const differs =
      existsSync(licence) &&
      readFileSync(licence, "utf8") !== readFileSync(join(root, "LICENSE"), "utf8");
    return [
      ...required.filter((file) => !files.includes(file)).map((file) => `${path} has no ${file}`),
      ...files
        .filter((file) => !required.includes(file) && !permitted.includes(file))
        .map((file) => `${path}/${file}: no package has such a file`),
      ...(existsSync(join(root, path, String(main))) ? [] : [`${path} has no ${main}`]),
      ...(differs ? [`${path}/LICENSE differs from LICENSE`] : []),
    ];
  });
}

/**
 * The compiler's references say the same as the manifests.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function referencesMatchManifests({ packages, byName, references }) {
  const missing = packages
    .filter(({ folder }) => !references.includes(folder))
    .map(({ path }) => `tsconfig.json does not refer to ${path}`);
  const different = packages.flatMap(({ path, manifest, references: own }) => {
    const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const needed = names.flatMap((name) => byName.get(name)?.folder ?? []);
    return [
      ...needed
        .filter((folder) => !own.includes(folder))
        .map((folder) => `${path}/tsconfig.json does not refer to ${folder}`),
      ...own
        .filter((folder) => !needed.includes(folder))
        .map((folder) => `${path}/tsconfig.json refers to ${folder}, which is no dependency`),
    ];
  });
  return [...missing, ...different];
}

const exactVersion = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const versionRange = /^\^\d+\.\d+\.\d+$/;

/**
 * A library states ranges of its run-time dependencies, so that a host with another patch gets no second
 * copy. Tools and development dependencies are pinned to one version, under whichever name; our own
 * packages are taken from the workspace. A peer, which the user brings, may be any range.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function versionsAreRangesOrPinned({ manifest, packages, others, byName, table }) {
  const libraries = packages.filter(({ folder }) => !table.unscoped.includes(folder));
  const tools = packages.filter(({ folder }) => table.unscoped.includes(folder));
  const range = { form: versionRange, wanted: "a range such as ^1.2.3" };
  const pinned = { form: exactVersion, wanted: "one exact version" };
  const own = { form: /^workspace:/, wanted: "workspace:^" };
  /** @type {(path: string, versions: Record<string, string> | undefined, rule: typeof own) => string[]} */
  const wrong = (path, versions, rule) =>
    Object.entries(versions ?? {}).flatMap(([name, version]) => {
      const { form, wanted } = byName.has(name) ? own : rule;
      return form.test(version)
        ? []
        : [`${path}/package.json: ${name} is ${version}, not ${wanted}`];
    });
  return [
    ...libraries.flatMap(({ path, manifest }) => wrong(path, manifest.dependencies, range)),
    ...[{ path: ".", manifest }, ...tools, ...others].flatMap(({ path, manifest }) =>
      wrong(path, manifest.dependencies, pinned),
    ),
    ...[{ path: ".", manifest }, ...packages, ...others].flatMap(({ path, manifest }) =>
      wrong(path, manifest.devDependencies, pinned),
    ),
  ];
}

/**
 * @param {Workspace} workspace
 * @returns {{ problems: string[], warnings: string[] }}
 */
export function filesAreShort({ packages, table: { lines } }) {
  const sources = packages.flatMap((each) => each.sources);
  const above = (/** @type {number} */ limit) =>
    sources
      .filter((file) => file.lines > limit)
      .map((file) => ({
        lines: file.lines,
        text: `${file.path} has ${file.lines} lines, over ${limit}`,
      }));
  return {
    problems: above(lines.neverAbove).map(({ text }) => text),
    warnings: above(lines.warnAbove)
      .filter((file) => file.lines <= lines.neverAbove)
      .map(({ text }) => text),
  };
}
