import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentForPnpm, npm, quietly, root } from "./processes.mjs";

/**
 * Install a package by npm, in exactly this version, in a folder that nothing else reads.
 *
 * @param {string} name
 * @param {string} version
 * @param {string} folder in `node_modules`.
 * @returns {string | undefined} Where the package is; nothing, after the reason was shown, where npm failed.
 */
function installAlone(name, version, folder) {
  const prefix = join(root, "node_modules", folder, version);
  const installed = join(prefix, "node_modules", name);
  // An installation that was broken off has left no stamp.
  const stamp = join(prefix, ".installed");
  if (existsSync(stamp)) return installed;
  mkdirSync(prefix, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--no-package-lock", "--no-save"];
  const command = [...npm(), "install", "--prefix", prefix, ...options, `${name}@${version}`];
  const limits = { env: environmentForPnpm(), timeout: 180_000 };
  if (!quietly(`Installing ${name} ${version}`, command, limits)) return undefined;
  writeFileSync(stamp, "");
  return installed;
}

/**
 * The binary of a Node, which npm's `node` package brings.
 *
 * @param {string} version
 */
export function installNode(version) {
  const folder = installAlone("node", version, ".nodes");
  return folder && join(folder, "bin", "node");
}

/**
 * The program of MCP's conformance suite.
 *
 * @param {string} version
 */
export function installSuite(version) {
  const folder = installAlone("@modelcontextprotocol/conformance", version, ".conformance");
  return folder && join(folder, "dist", "index.js");
}
