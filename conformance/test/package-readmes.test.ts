import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { unscoped } = JSON.parse(readFileSync(join(root, "architecture.json"), "utf8"));
/** Those that are no program. */
const libraries = readdirSync(join(root, "packages")).filter((name) => !unscoped.includes(name));

function readmeOf(name: string): string {
  return readFileSync(join(root, "packages", name, "README.md"), "utf8");
}

/** The first example of a README that stands on its own. */
function example(name: string): string | undefined {
  const readme = readmeOf(name);
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

/** The packages that a README has installed before its first example. */
function installed(name: string): string[] {
  const readme = readmeOf(name);
  const before = readme.slice(0, readme.indexOf(example(name) ?? ""));
  return [...before.matchAll(/^npm install (.*)$/gm)].flatMap(([, line = ""]) =>
    line
      .replace(/ #.*$/, "")
      .split(" ")
      .map((word) => word.replace(/(?<=.)@[\^~]?[0-9].*$/, "")),
  );
}

/** The packages that the code or the data before the end of the first example names. */
function named(name: string): string[] {
  const readme = readmeOf(name);
  const code = example(name) ?? "";
  const through = readme.slice(0, readme.indexOf(code) + code.length);
  const specifiers = [
    ...code.matchAll(/^(?:import|\} from) .*?"([^".][^"]*)";/gm),
    ...through.matchAll(/\buse: "([^".][^"]*)"/g),
  ].map(([, specifier = ""]) => specifier);
  const packages = specifiers.flatMap(
    (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.slice(0, 1) ?? [],
  );
  return [...new Set(packages.filter((each) => !each.startsWith("node:")))].sort();
}

describe("the install line in the README of", () => {
  it.each(libraries)("%s has every package that its first example names", (name) => {
    expect(named(name)).not.toEqual([]);
    expect(named(name).filter((each) => !installed(name).includes(each))).toEqual([]);
  });
});

describe("every entry of a package", () => {
  it.each(libraries)("of %s is named in its README", (name) => {
    const manifest = readFileSync(join(root, "packages", name, "package.json"), "utf8");
    const entries = Object.keys(JSON.parse(manifest).exports)
      .filter((entry) => entry !== "." && !entry.endsWith(".json"))
      .map((entry) => `@toolstile/${name}${entry.slice(1)}`);
    const readme = readmeOf(name);
    expect(entries.filter((entry) => !readme.includes(entry))).toEqual([]);
  });
});
