import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compilerFaults } from "./compiled-examples.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { unscoped } = JSON.parse(readFileSync(join(root, "architecture.json"), "utf8"));
/** Those that are no program. */
const libraries = readdirSync(join(root, "packages")).filter((name) => !unscoped.includes(name));

/** Every block of TypeScript or JavaScript of a README that stands on its own. */
function examples(name: string): { language: string; code: string }[] {
  const readme = readFileSync(join(root, "packages", name, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```(js|ts)\n(.*?)^```/gms)];
  return blocks
    .map(([, language = "", code = ""]) => ({ language, code }))
    .filter(({ code }) => code.startsWith("import "));
}

describe("the examples in the READMEs", () => {
  it("compile as they stand, in the strictest mode", { tags: "long" }, () => {
    // From conformance, where every package is a dependency.
    const folder = join(root, "conformance", ".readme-types");
    mkdirSync(folder, { recursive: true });
    try {
      const files = libraries.flatMap((name) =>
        examples(name).map(({ language, code }, index) => {
          const file = join(folder, `${name}-${index}.${language === "js" ? "mjs" : "ts"}`);
          writeFileSync(file, code);
          return file;
        }),
      );
      expect(files.length).toBeGreaterThanOrEqual(libraries.length);
      expect(compilerFaults(folder, files)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
