import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compilerFaults } from "./compiled-examples.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readmes = readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`);
/** It has declarations to read, and no program: its blocks are one file. */
const reference = "docs/audit-format.md";
const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .map((name) => `docs/${name}`)
  // What is made from the code is no page: `docs/reference`, where it is.
  .filter(
    (page) => page.endsWith(".md") && page !== reference && !page.startsWith("docs/reference/"),
  );
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

/** The blocks of the reference, and code that does not compile unless they declare what the package exports. */
function declarations(): string {
  const code = blocks(reference, "ts").map((block) => block.code);
  const names = (kind: string): string[] =>
    Array.from(
      code.join("\n").matchAll(new RegExp(`^${kind} (\\w+)`, "gm")),
      ([, name = ""]) => name,
    );
  return [
    'import * as audit from "@toolstile/audit-log";',
    ...code,
    "type Keys<T> = T extends unknown ? keyof T : never;",
    "type Alike<A, B> = [Keys<A>, Keys<B>] extends [Keys<B>, Keys<A>] ? true : [Keys<A>, Keys<B>];",
    ...names("declare function").map((name) => `audit.${name} satisfies typeof ${name};`),
    ...names("interface").flatMap((name) => [
      `true satisfies Alike<${name}, audit.${name}>;`,
      `((_: audit.${name}) => {}) satisfies (_: ${name}) => void;`,
    ]),
    "",
  ].join("\n");
}

/** Returns the compiler's messages about files of this code, by their names. */
function faultsOf(
  code: Iterable<readonly [string, string]>,
  options?: Parameters<typeof compilerFaults>[2],
): string[] {
  // From conformance, where every package is a dependency.
  const folder = join(root, "conformance", ".readme-types");
  mkdirSync(folder, { recursive: true });
  try {
    const files = Array.from(code, ([name, text]) => {
      const file = join(folder, name);
      // Each in a scope of its own, also one that imports nothing.
      writeFileSync(file, `${text}export {};\n`);
      return file;
    });
    return compilerFaults(folder, files, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the examples in the READMEs and the pages", () => {
  it("compile as they stand, in the strictest mode", { tags: "long" }, () => {
    const all = [...readmes, ...pages].flatMap((page) => [...examples(page)]);
    expect(all.length).toBeGreaterThanOrEqual(readmes.length);
    expect(faultsOf(all)).toEqual([]);
  });
});

describe("the declarations in the reference of audit logs", () => {
  it("are those of the package", { tags: "long" }, () => {
    const code = declarations();
    // A reader takes `member?: string` for one that may be undefined.
    const options = { exactOptionalPropertyTypes: false };
    const said = (text: string) => faultsOf([["reference.mts", text]], options);
    expect(said(code)).toEqual([]);
    expect(said(code.replace("records: number;", "lines: number;"))).not.toEqual([]);
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
