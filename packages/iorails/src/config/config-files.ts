import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

export interface ConfigFile {
  /** Relative to the folder, with `/`. */
  readonly name: string;
  readonly path: string;
}

export interface ConfigFiles {
  /** Sorted by name. */
  readonly yaml: readonly ConfigFile[];
  readonly colang: readonly ConfigFile[];
  /** Names of what is there and cannot be followed. */
  readonly unreadable: readonly string[];
}

/** In whatever case: a file of rails that is passed over is a rail that is off. */
const isYaml = (name: string): boolean => /\.ya?ml$/i.test(name);

/**
 * The files of a configuration: one YAML file, or those in a folder and below.
 *
 * In a folder `kb` at its top only documents are looked for, which this engine
 * does not read. Links are followed, each real file and folder once.
 *
 * @returns nothing where the path is neither.
 */
export async function findConfigFiles(path: string): Promise<ConfigFiles | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true && isYaml(path)) {
    return { yaml: [{ name: basename(path), path }], colang: [], unreadable: [] };
  }
  return found?.isDirectory() === true ? await walk(resolve(path)) : undefined;
}

async function walk(root: string): Promise<ConfigFiles> {
  const ignored = await ignorePatterns(root);
  const yaml: ConfigFile[] = [];
  const colang: ConfigFile[] = [];
  const unreadable: string[] = [];
  const seen = new Set<string>([await realpath(root)]);

  const visit = async (folder: string, prefix: string): Promise<void> => {
    // Sorted here too: which of two links to one file counts must not hang on the file system.
    for (const entry of (await readdir(folder)).sort()) {
      const name = `${prefix}${entry}`;
      const path = join(folder, entry);
      if (name === "kb" && (await stat(path).catch(() => undefined))?.isDirectory()) continue;
      const target = await realpath(path).catch(() => undefined);
      const found = target === undefined ? undefined : await stat(target).catch(() => undefined);
      const isFolder = found?.isDirectory() === true;
      const list = isYaml(entry) ? yaml : /\.co$/i.test(entry) ? colang : undefined;
      if (!isFolder && (list === undefined || ignored.some((fits) => fits(entry)))) continue;
      if (target === undefined || found === undefined) {
        unreadable.push(name);
        continue;
      }
      if (seen.has(target)) continue;
      seen.add(target);
      if (isFolder) await visit(path, `${name}/`);
      else list?.push({ name, path });
    }
  };
  await visit(root, "");
  const byName = (a: ConfigFile, b: ConfigFile): number => (a.name < b.name ? -1 : 1);
  return { yaml: yaml.sort(byName), colang: colang.sort(byName), unreadable };
}

/** The patterns of the nearest `.railsignore`, in the folder or above it. */
async function ignorePatterns(root: string): Promise<readonly ((name: string) => boolean)[]> {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, ".railsignore");
    if ((await stat(path).catch(() => undefined))?.isFile() === true) {
      const lines = (await readFile(path, "utf8")).split(/\r?\n/).map((line) => line.trim());
      const { shellPattern } = await import("./file-pattern.js");
      return lines.filter((line) => line !== "" && !line.startsWith("#")).map(shellPattern);
    }
    if (dirname(folder) === folder) return [];
  }
}
