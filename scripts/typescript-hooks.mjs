// Lets a child process of a test run this workspace's sources: Node 20 strips no types. What was
// translated once is kept, or was by the build, since the compiler alone takes longer to load than most tests take.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const kept = new URL("../node_modules/.cache/toolstile-typescript/", import.meta.url);

/** @type {import("node:module").ResolveHook} */
export async function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
  return next(isOurs ? specifier.replace(/\.js$/, ".ts") : specifier, context);
}

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const path = fileURLToPath(url);
  const source = built(path) ?? (await translated(readFileSync(path, "utf8")));
  return { format: "module", source, shortCircuit: true };
}

/**
 * What the build has made of a package's source since that was last changed.
 *
 * @param {string} path
 */
function built(path) {
  const file = path.replace(/([\\/])src([\\/].*)\.ts$/, "$1dist$2.js");
  if (file === path || !existsSync(file)) return undefined;
  return statSync(file).mtimeMs > statSync(path).mtimeMs ? readFileSync(file, "utf8") : undefined;
}

/** @param {string} text */
async function translated(text) {
  const file = new URL(`${createHash("sha256").update(text).digest("hex")}.mjs`, kept);
  try {
    return readFileSync(file, "utf8");
  } catch {
    const { default: ts } = await import("typescript");
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    mkdirSync(kept, { recursive: true });
    const unfinished = new URL(`${file}.${process.pid}`);
    writeFileSync(unfinished, outputText);
    renameSync(unfinished, file);
    return outputText;
  }
}
