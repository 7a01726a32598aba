// Holds the packages whose root entry exports a plugin to the shape of a provider, by the program
// that others hold theirs to.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inView, root } from "./processes.mjs";

/** What the plugin of a package makes, where it is no guard. */
const kinds = new Map([
  ["approval", "approver"],
  ["audit-log", "observer"],
]);
const program = join(root, "packages", "testing", "dist", "provider-check.js");

const providers = [];
for (const name of readdirSync(join(root, "packages"))) {
  if (await hasPlugin(join(root, "packages", name))) providers.push(name);
}
if (providers.length === 0) throw new Error("no package exports a plugin: are they built?");
const failed = providers.filter((name) => {
  const kind = kinds.get(name) ?? "guard";
  return inView([process.execPath, program, join("packages", name), "--kind", kind]) !== 0;
});
if (failed.length > 0) process.exitCode = 1;

/** @param {string} folder */
async function hasPlugin(folder) {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entry = exports["."]?.default;
  if (entry === undefined) return false;
  return "plugin" in (await import(pathToFileURL(join(folder, entry)).href));
}
