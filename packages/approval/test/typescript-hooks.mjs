// Lets child processes run this workspace's sources: Node 20 strips no types. What one of them has
// translated, the others read from TRANSLATED, a folder: the compiler takes a second to load.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.env["TRANSLATED"];

export async function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
  return next(isOurs ? specifier.replace(/\.js$/, ".ts") : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const source = readFileSync(fileURLToPath(url), "utf8");
  return { format: "module", source: await translated(source), shortCircuit: true };
}

async function translated(source) {
  const name = createHash("sha256").update(source).digest("hex");
  const path = folder === undefined ? undefined : join(folder, `${name}.js`);
  if (path !== undefined) {
    try {
      return readFileSync(path, "utf8");
    } catch {}
  }
  const { default: ts } = await import("typescript");
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  if (path !== undefined) {
    writeFileSync(`${path}.${process.pid}`, outputText);
    renameSync(`${path}.${process.pid}`, path);
  }
  return outputText;
}
