// Imported first by every script a newcomer runs. It uses only what old Nodes have too, so that
// they get this message and not a syntax error.
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const floor = String(manifest.engines.node).replace(/^>=/, "");

if (isOlder(process.versions.node, floor)) {
  console.error(
    `Toolstile needs Node ${floor} or later; this is Node ${process.versions.node} (${process.execPath}).`,
  );
  process.exit(1);
}

/**
 * @param {string} version
 * @param {string} than
 */
function isOlder(version, than) {
  const left = version.split(".").map(Number);
  const right = than.split(".").map(Number);
  for (let index = 0; index < right.length; index++) {
    if (left[index] !== right[index]) return Number(left[index]) < Number(right[index]);
  }
  return false;
}
