import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Paths with forward slashes, and the text of each. */
export type Files = ReadonlyMap<string, string>;

/**
 * The folder of a package's templates: beside its code where it was installed, else in the repository.
 *
 * @param module The `import.meta.url` of a file at the top of the package's `src` or `dist`.
 * @param name The name of the folder in the repository's `templates`.
 */
export function templateFolder(module: string, name: string): string {
  const packed = fileURLToPath(new URL("./template", module));
  return existsSync(packed) || packed.includes(`${sep}node_modules${sep}`)
    ? packed
    : fileURLToPath(new URL(`../../../templates/${name}`, module));
}

/** Reads all files of a folder. */
export function readTemplate(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  return new Map(
    paths.map((path) => {
      const target = path.replaceAll(sep, "/");
      // npm would not publish a file of its real name.
      return [
        target === "gitignore" ? ".gitignore" : target,
        readFileSync(join(folder, path), "utf8"),
      ];
    }),
  );
}

/** The text of a package.json whose packages of Toolstile are those of this version. */
export function withVersion(manifest: string, version: string): string {
  return manifest.replace(
    /("(?:@toolstile\/[a-z-]+|toolstile)": )"\^[^"]*"/g,
    (_, name: string) => `${name}"^${version}"`,
  );
}
