import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** @typedef {import("./source.mjs").Source} Source */

/** @typedef {{ readonly files: number, readonly functions: number, readonly calls: number }} Entered */

const probe = fileURLToPath(new URL("one-call-probe.mjs", import.meta.url));
/** Below the package, so that what core depends on is found from there. */
const beneath = fileURLToPath(new URL("../../packages/core/node_modules/.cache/", import.meta.url));

/**
 * Counts the files and functions of core that one call enters, if one guard allows it at once and one
 * tool answers at once. The engine counts, over the source as it stands, translated file by file.
 *
 * @param {readonly Source[]} sources
 * @returns {Entered}
 */
export function enteredByOneCall(sources) {
  mkdirSync(beneath, { recursive: true });
  const folder = mkdtempSync(join(beneath, "structure-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    for (const source of sources.filter((each) => each.package === "core")) {
      const place = join(folder, source.path.replace(/\.ts$/, ".js"));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, translated(source.text));
    }
    const entry = join(folder, "packages/core/src/index.js");
    const result = spawnSync(process.execPath, [probe, entry], { encoding: "utf8" });
    if (result.status !== 0) throw new Error(`One call could not be counted:\n${result.stderr}`);
    return JSON.parse(result.stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} text */
function translated(text) {
  return ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      verbatimModuleSyntax: true,
    },
  }).outputText;
}
