import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspectGuardFile } from "@toolstile/config";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
// From conformance, where every package is a dependency.
const folder = join(root, "conformance", ".toolstile-guard-files");

const pages = [
  ...["docs", "docs/operate", "docs/providers"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  ),
  ...readdirSync(join(root, "packages")).map((name) => join("packages", name, "README.md")),
].filter((path) => path.endsWith(".md"));

const examples = pages.flatMap((path) => {
  const blocks = readFileSync(join(root, path), "utf8").matchAll(/^```yaml\n(.*?)^```/gms);
  return [...blocks]
    .map(([, text = ""]) => text)
    .filter((text) => /^version: 1$/m.test(text))
    .map((text, index) => ({ path, text, index }));
});

/** The things that the examples name beside packages: a guard of the reader's own, and the tools there are. */
const ownGuard = `export const plugin = {
  name: "own", optionsSchema: { type: "object" },
  create: () => ({ name: "own", evaluate: () => ({ decision: "allow" }) }),
};
`;
const tools = ["search", "read_file", "send_mail", "read_text_file", "list_directory"];
/** The variables that the examples name. Nothing listens there. */
const env = {
  REDIS_URL: "redis://127.0.0.1:1",
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
  APPROVAL_KEY: "/nowhere/key",
};

describe("the guard.yaml files in the documentation", () => {
  beforeAll(() => {
    for (const inner of ["guards", "dist"]) mkdirSync(join(folder, inner), { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    for (const file of ["guards/own.js", "dist/index.js"]) {
      writeFileSync(join(folder, file), ownGuard);
    }
    const definitions = tools.map((name) => ({ name, inputSchema: { type: "object" } }));
    writeFileSync(join(folder, "tools.json"), JSON.stringify(definitions));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are there", () => {
    expect(new Set(examples.map(({ path }) => path))).toContain("docs/guard-file.md");
    expect(new Set(examples.map(({ path }) => path))).toContain("docs/mcp-proxy.md");
  });

  it.each(examples)("P5 can be loaded as they stand: $path, $index", async ({ text, index }) => {
    const file = join(folder, `guard-${index}.yaml`);
    writeFileSync(file, text);
    await using inspected = await inspectGuardFile(file, { env });
    expect(inspected.guardrails.length).toBeGreaterThan(0);
  });
});
