// Lets a child process run this workspace's sources: Node 20 strips no types.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export async function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
  return next(isOurs ? specifier.replace(/\.js$/, ".ts") : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), "utf8"), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return { format: "module", source: outputText, shortCircuit: true };
}
