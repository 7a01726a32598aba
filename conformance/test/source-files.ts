import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The TypeScript files in the source of all packages. */
export function sourceFiles(): readonly string[] {
  return readdirSync(`${root}packages`)
    .map((name) => `${root}packages/${name}/src`)
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
    )
    .filter((path) => path.endsWith(".ts"));
}
