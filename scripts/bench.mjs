import "./node-version.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readOptions, UsageError, usage } from "../benchmarks/options.mjs";
import { environmentForPnpm, inView, npm, quietly, root } from "./processes.mjs";
import { build, install } from "./setup.mjs";

const folder = join(root, "benchmarks");
const words = process.argv.slice(2);

/** Read before anything is installed or built: a wrong command is told at once. */
function optionsOf() {
  try {
    return readOptions(words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nTry: npm run bench -- --help\n`);
    process.exit(2);
  }
}

/** The neighbours, in the versions that are pinned, in a folder that nothing else reads. */
function installPeers() {
  const peers = join(folder, "peers");
  if (arePeersInstalled(peers)) return true;
  const options = ["--no-package-lock", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  return quietly("Installing the neighbours", [...npm(), "install", ...options], {
    cwd: peers,
    env: environmentForPnpm(),
  });
}

/** @param {string} peers */
function arePeersInstalled(peers) {
  const { dependencies } = JSON.parse(readFileSync(join(peers, "package.json"), "utf8"));
  return Object.entries(dependencies).every(([name, version]) => {
    try {
      const manifest = readFileSync(join(peers, "node_modules", name, "package.json"), "utf8");
      return JSON.parse(manifest).version === version;
    } catch {
      return false;
    }
  });
}

const options = optionsOf();
if (options.help) {
  process.stdout.write(usage);
} else {
  install();
  if (!build() || (options.peers && !installPeers())) process.exit(1);
  process.exit(inView([process.execPath, join(folder, "run.mjs"), ...words]));
}
