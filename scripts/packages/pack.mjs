import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { environmentForPnpm, inView, quietly, root, withPnpm } from "../processes.mjs";

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} tarball
 * @property {string} folder Where its content lies, as if installed.
 * @property {string} source Its folder in the repository.
 * @property {readonly string[]} files
 * @property {readonly string[]} entries What can be imported: the name, or the name and a subpath.
 */

/**
 * Pack every public package as for publishing.
 *
 * @param {string} folder Where the tarballs go.
 * @returns {{ name: string, tarball: string, source: string }[]}
 */
export function pack(folder) {
  const options = { env: environmentForPnpm() };
  const command = ["pnpm", "-r", "--filter", "./packages/*", "pack", "--pack-destination", folder];
  if (!quietly("Packing", withPnpm(command), options)) process.exit(1);
  return readdirSync(join(root, "packages")).flatMap((each) => {
    const source = join(root, "packages", each);
    const { name, version, private: isPrivate } = readManifest(source);
    const tarball = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
    return isPrivate ? [] : [{ name, tarball: join(folder, tarball), source }];
  });
}

/**
 * Pack every public package, and lay out what comes of it as if a user had installed all of them in
 * one folder.
 *
 * @param {string} folder
 * @returns {Packed[]}
 */
export function packAndInstall(folder) {
  const packed = pack(folder).map((each) => unpack(folder, each));
  for (const each of packed) linkDependencies(folder, each, packed);
  return packed;
}

/**
 * @param {string} folder
 * @param {{ name: string, tarball: string, source: string }} packed
 * @returns {Packed}
 */
function unpack(folder, { name, tarball, source }) {
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  if (inView(["tar", "-xzf", tarball, "-C", place, "--strip-components=1"]) !== 0) process.exit(1);
  const { exports = {} } = readManifest(place);
  return {
    name,
    tarball,
    folder: place,
    source,
    files: readdirSync(place, { recursive: true, encoding: "utf8" }),
    entries: Object.keys(exports)
      .filter((key) => !key.endsWith(".json"))
      .map((key) => name + key.slice(1)),
  };
}

/**
 * Give a package the dependencies of others that the workspace has for it.
 *
 * @param {string} folder
 * @param {Packed} each
 * @param {readonly Packed[]} all
 */
function linkDependencies(folder, each, all) {
  const manifest = readManifest(each.folder);
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  for (const name of names) {
    if (all.some((other) => other.name === name)) continue;
    link(join(each.source, "node_modules", name), join(each.folder, "node_modules", name));
  }
  link(
    join(root, "node_modules", "@types", "node"),
    join(folder, "node_modules", "@types", "node"),
  );
}

/**
 * @param {string} from
 * @param {string} to
 */
function link(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  try {
    symlinkSync(from, to, "junction");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
  }
}

/** @param {string} folder */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
