import "./node-version.mjs";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inView, root } from "./processes.mjs";
import { install } from "./setup.mjs";

install();
const typedoc = join(root, "node_modules", "typedoc", "bin", "typedoc");
process.exit(inView([process.execPath, typedoc, ...importablePackages()]));

/** The packages that export something: a package that is only a command has no reference. */
function importablePackages() {
  return readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}`)
    .filter((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
      return Object.keys(manifest.exports ?? {}).some((key) => key !== "./package.json");
    });
}
