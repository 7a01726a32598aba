import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compilerFaults } from "./compiled-examples.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readmes = readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`);
/** It has declarations to read, and no program. */
const reference = "audit-format.md";
const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md") && name !== reference)
  .map((name) => `docs/${name}`);
/** Its JavaScript is strict TypeScript too: a newcomer saves it as either. */
const first = "docs/start.md";

/** The blocks of a page in these languages, each with the line where it begins. */
function blocks(page: string, languages: string): { line: number; code: string }[] {
  const text = readFileSync(join(root, page), "utf8");
  const fenced = new RegExp(`^\`\`\`(?:${languages})\\n(.*?)^\`\`\``, "gms");
  return Array.from(text.matchAll(fenced), ({ index, 1: code = "" }) => ({
    line: text.slice(0, index).split("\n").length,
    code,
  }));
}

/** The blocks that are compiled, by the name of a file that says where each stands. */
function examples(page: string): Map<string, string> {
  const name = page.replace(/\.md$/, "").replaceAll("/", "-");
  const found = new Map<string, string>();
  for (const { line, code } of blocks(page, page === first ? "js|ts" : "ts")) {
    found.set(`${name}-${line}.mts`, code);
  }
  if (!page.startsWith("packages/")) return found;
  for (const { line, code } of blocks(page, "js")) found.set(`${name}-${line}.mjs`, code);
  return found;
}

describe("the examples in the READMEs and the pages", () => {
  it("compile as they stand, in the strictest mode", { tags: "long" }, () => {
    // From conformance, where every package is a dependency.
    const folder = join(root, "conformance", ".readme-types");
    mkdirSync(folder, { recursive: true });
    try {
      const all = [...readmes, ...pages].flatMap((page) => [...examples(page)]);
      const files = all.map(([name, code]) => {
        const file = join(folder, name);
        // Each in a scope of its own, also one that imports nothing.
        writeFileSync(file, `${code}export {};\n`);
        return file;
      });
      expect(files.length).toBeGreaterThanOrEqual(readmes.length);
      expect(compilerFaults(folder, files)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the examples in JavaScript", () => {
  it("have no `await using`, which is a SyntaxError before Node 24", () => {
    const found = ["README.md", ...readmes, ...pages].flatMap((page) =>
      blocks(page, "js|mjs|javascript")
        .filter(({ code }) => /^\s*(?:await )?using /m.test(code))
        .map(({ line }) => `${page}:${line}`),
    );
    expect(found).toEqual([]);
  });
});
