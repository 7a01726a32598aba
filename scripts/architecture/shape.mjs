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

/**
 * Packages of others are pinned to one version, under whichever name; our own are taken from the
 * workspace. What the user brings (a peer) may be a range.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function versionsArePinned({ manifest, packages, others, byName }) {
  const all = [{ path: ".", manifest }, ...packages, ...others];
  return all.flatMap(({ path, manifest: { dependencies, devDependencies } }) =>
    [...Object.entries(dependencies ?? {}), ...Object.entries(devDependencies ?? {})]
      .filter(([name, version]) =>
        byName.has(name)
          ? !version.startsWith("workspace:")
          : !/^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
      )
      .map(([name, version]) => {
        const wanted = byName.has(name) ? "workspace:^" : "one exact version";
        return `${path}/package.json: ${name} is ${version}, not ${wanted}`;
      }),
  );
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
