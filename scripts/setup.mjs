import "./node-version.mjs";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { environmentForPnpm, packageManager, quietly, root, withPnpm } from "./processes.mjs";

const stamp = join(root, "node_modules", ".setup-stamp");
const workspaceFolders = ["packages", "examples"];
const workspacePackages = ["benchmarks", "conformance", "site"];

/** Install what is missing. Ends the process, with the reason shown, where that fails. */
export function install() {
  const manifests = findManifests();
  const wanted = fingerprint(manifests);
  if (isInstalled(wanted, manifests)) return;
  const arguments_ = ["--frozen-lockfile", "--prod=false", "--config.confirm-modules-purge=false"];
  const command = withPnpm(["pnpm", "install", "--reporter=append-only", ...arguments_]);
  // A terminal sees it begin; whoever reads a log must not wonder for a minute, either.
  if (process.stderr.isTTY !== true) process.stderr.write("Installing packages, once …\n");
  if (!quietly("Installing packages", command, { env: environmentForPnpm() })) {
    process.stderr.write(
      "The packages could not be installed. If a package.json has changed, write the lock file anew:\n" +
        `  npm exec --yes --package=${packageManager} -- pnpm install\n`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

/** Compile what is stale. Whether that succeeded; if not, the compiler's words have been shown. */
export function build() {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  return quietly("Building", [process.execPath, compiler, "-b"]);
}

function findManifests() {
  const folders = workspaceFolders.filter((folder) => existsSync(join(root, folder)));
  const packages = folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  );
  return ["", ...packages.sort(), ...workspacePackages]
    .map((folder) => join(root, folder, "package.json"))
    .filter((path) => existsSync(path));
}

/** @param {readonly string[]} manifests */
function fingerprint(manifests) {
  const hash = createHash("sha256").update(process.platform).update(process.arch);
  for (const path of [
    join(root, "pnpm-lock.yaml"),
    join(root, "pnpm-workspace.yaml"),
    ...manifests,
  ]) {
    hash.update(path).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} wanted
 * @param {readonly string[]} manifests
 */
function isInstalled(wanted, manifests) {
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) return false;
  return manifests.every((path) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, "utf8"));
    const hasNone = Object.keys(dependencies).length + Object.keys(devDependencies).length === 0;
    return hasNone || existsSync(join(dirname(path), "node_modules"));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  install();
  if (!build()) process.exit(1);
}
