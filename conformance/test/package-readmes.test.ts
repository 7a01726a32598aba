import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const libraries = readdirSync(join(root, "packages")).filter((name) => name !== "toolstile");

/** The first example of a README that stands on its own. */
function example(name: string): string | undefined {
  const readme = readFileSync(join(root, "packages", name, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```(?:js|ts)\n(.*?)^```/gms)].map(([, code]) => code ?? "");
  return blocks.find((code) => code.startsWith("import "));
}

describe("the example in the README of", () => {
  it.each(libraries)("%s runs as it stands", (name) => {
    const code = example(name);
    expect(code).toBeDefined();
    const { outputText } = ts.transpileModule(code ?? "", {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const folder = mkdtempSync(join(tmpdir(), "toolstile-readme-"));
    try {
      // From conformance, where every package is a dependency; what the example writes goes elsewhere.
      const script = `process.chdir(${JSON.stringify(folder)});\n${outputText}`;
      const printed = execFileSync(process.execPath, ["--input-type=module"], {
        cwd: join(root, "conformance"),
        input: script,
        encoding: "utf8",
      });
      for (const [, promised] of (code ?? "").matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)) {
        expect(printed).toContain(promised?.replace(/^"|"$/g, ""));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
