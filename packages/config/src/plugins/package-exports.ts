import { fileURLToPath, pathToFileURL } from "node:url";

/** The `exports` of a package.json do not say what Node's documentation asks of them. */
export class MalformedExports extends Error {}

const conditions: ReadonlySet<string> = new Set([
  "node",
  "import",
  // Where require() takes modules, Node looks for this one, too.
  ...("require_module" in process.features ? ["module-sync"] : []),
]);

/**
 * The file that a package exports under a subpath such as "." or "./sub", for
 * `import`. Nothing when it exports none.
 *
 * PACKAGE_EXPORTS_RESOLVE of Node's documentation ("Modules: ECMAScript
 * modules", resolution algorithm): Node 20 offers the algorithm from another
 * folder than one's own only behind a flag.
 *
 * @throws MalformedExports
 */
export function exportedFile(
  folder: string,
  subpath: string,
  exports: unknown,
): string | undefined {
  const map = subpaths(exports);
  const root = pathToFileURL(`${folder}/`);
  const plain = map.get(subpath);
  if (plain !== undefined && !subpath.includes("*") && !subpath.endsWith("/")) {
    return fileOf(plain, "", root) ?? undefined;
  }
  let best: string | undefined;
  for (const key of map.keys()) {
    if (matches(key, subpath) && (best === undefined || isCloser(key, best))) best = key;
  }
  if (best === undefined) return undefined;
  const star = best.indexOf("*");
  const matched = subpath.slice(star, subpath.length - (best.length - star - 1));
  return fileOf(map.get(best), matched, root) ?? undefined;
}

/** `exports` as a map from subpaths; what is given without any is that of ".". */
function subpaths(exports: unknown): ReadonlyMap<string, unknown> {
  if (typeof exports !== "object" || exports === null || Array.isArray(exports)) {
    return new Map([[".", exports]]);
  }
  const entries = Object.entries(exports);
  const dotted = entries.filter(([key]) => key.startsWith(".")).length;
  if (dotted === 0) return new Map([[".", exports]]);
  if (dotted < entries.length) throw new MalformedExports();
  return new Map(entries);
}

function matches(key: string, subpath: string): boolean {
  const star = key.indexOf("*");
  if (star < 0 || star !== key.lastIndexOf("*")) return false;
  const [before, after] = [key.slice(0, star), key.slice(star + 1)];
  return (
    subpath !== before &&
    subpath.startsWith(before) &&
    subpath.length >= key.length &&
    subpath.endsWith(after)
  );
}

/** PATTERN_KEY_COMPARE: the longer beginning wins, then the longer key. */
function isCloser(key: string, other: string): boolean {
  const [length, otherLength] = [key.indexOf("*"), other.indexOf("*")];
  return length > otherLength || (length === otherLength && key.length > other.length);
}

/** PACKAGE_TARGET_RESOLVE: `null` is a target that is ruled out, `undefined` one that no condition chose. */
function fileOf(target: unknown, matched: string, root: URL): string | null | undefined {
  if (typeof target === "string") return fileAt(target, matched, root);
  if (target === null) return null;
  if (Array.isArray(target)) return firstOf(target, matched, root);
  if (typeof target !== "object") throw new MalformedExports();
  for (const [condition, inner] of Object.entries(target as object)) {
    if (/^(?:0|[1-9]\d*)$/.test(condition)) throw new MalformedExports();
    if (condition !== "default" && !conditions.has(condition)) continue;
    const file = fileOf(inner, matched, root);
    if (file !== undefined) return file;
  }
  return undefined;
}

function firstOf(
  targets: readonly unknown[],
  matched: string,
  root: URL,
): string | null | undefined {
  let last: null | undefined | MalformedExports = targets.length === 0 ? null : undefined;
  for (const target of targets) {
    try {
      const file = fileOf(target, matched, root);
      if (typeof file === "string") return file;
      if (file === null) last = null;
    } catch (error) {
      if (!(error instanceof MalformedExports)) throw error;
      last = error;
    }
  }
  if (last instanceof MalformedExports) throw last;
  return last;
}

const ruledOut = /(?:^|[\\/])(?:|\.|\.\.|%2e|%2e%2e|\.%2e|%2e\.|node_modules)(?:[\\/]|$)/i;

function fileAt(target: string, matched: string, root: URL): string {
  if (!target.startsWith("./") || ruledOut.test(target.slice(2))) throw new MalformedExports();
  if (matched !== "" && ruledOut.test(matched)) throw new MalformedExports();
  try {
    return fileURLToPath(
      new URL(
        target.replaceAll("*", () => matched),
        root,
      ),
    );
  } catch {
    // An escaped slash or backslash.
    throw new MalformedExports();
  }
}
