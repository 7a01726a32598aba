import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { exportedFile, MalformedExports } from "./package-exports.js";

/** The URL of a package's module, or the reason why there is none. */
export type Resolution =
  | { readonly url: string }
  | { readonly fault: "not installed" | "not exported" | "no file" | "malformed manifest" };

/** "@scope/name/sub" in two: the name, and the subpath as "." or "./sub". */
export function splitName(use: string): { readonly name: string; readonly subpath: string } {
  const end = use.indexOf("/", use.startsWith("@") ? use.indexOf("/") + 1 : 0);
  return end < 0
    ? { name: use, subpath: "." }
    : { name: use.slice(0, end), subpath: `.${use.slice(end)}` };
}

/**
 * The module that `import` would take for a package, were it written in a file
 * of a folder: PACKAGE_RESOLVE of Node's documentation.
 *
 * `createRequire` would choose the package's `require` condition, thus a
 * second copy of a package that has both, and find none in one that has only
 * `import`.
 */
export function resolvePackage(use: string, from: string): Resolution {
  const { name, subpath } = splitName(use);
  try {
    const folder = realpathSync(from);
    const own = ownExports(folder, name);
    if (own !== undefined) return moduleAt(exportedFile(own.folder, subpath, own.exports));
    const installed = installedAt(folder, name);
    if (installed === undefined) return { fault: "not installed" };
    const exports = existsSync(join(installed, "package.json"))
      ? readManifest(installed).get("exports")
      : undefined;
    return exports === undefined || exports === null
      ? moduleAt(legacyFile(installed, subpath))
      : moduleAt(exportedFile(installed, subpath, exports));
  } catch (error) {
    if (error instanceof MalformedExports || error instanceof SyntaxError) {
      return { fault: "malformed manifest" };
    }
    throw error;
  }
}

function moduleAt(file: string | undefined): Resolution {
  if (file === undefined) return { fault: "not exported" };
  if (!isFile(file)) return { fault: "no file" };
  return { url: pathToFileURL(realpathSync(file)).href };
}

/** A package may name itself, where it has `exports`. */
function ownExports(
  folder: string,
  name: string,
): { readonly folder: string; readonly exports: unknown } | undefined {
  for (const scope of upwards(folder)) {
    if (basename(scope) === "node_modules") return undefined;
    if (!existsSync(join(scope, "package.json"))) continue;
    const manifest = readManifest(scope);
    const exports = manifest.get("exports");
    const isOwn = manifest.get("name") === name && exports !== undefined && exports !== null;
    return isOwn ? { folder: scope, exports } : undefined;
  }
  return undefined;
}

function installedAt(from: string, name: string): string | undefined {
  for (const folder of upwards(from)) {
    if (basename(folder) === "node_modules") continue;
    const installed = join(folder, "node_modules", name);
    if (statSync(installed, { throwIfNoEntry: false })?.isDirectory()) return installed;
  }
  return undefined;
}

/** Without `exports`, `main` counts, or the file itself; require() also adds endings, which harms nothing. */
function legacyFile(folder: string, subpath: string): string | undefined {
  try {
    return createRequire(join(folder, "package.json")).resolve(
      subpath === "." ? folder : join(folder, subpath),
    );
  } catch {
    return subpath === "." ? join(folder, "index.js") : join(folder, subpath);
  }
}

function readManifest(folder: string): ReadonlyMap<string, unknown> {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return new Map(Object.entries(Object(manifest) as object));
}

function* upwards(from: string): Generator<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
