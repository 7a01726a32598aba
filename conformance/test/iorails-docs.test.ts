import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { compilerFaults } from "./compiled-examples.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = ["iorails.md", "iorails-limits.md"].map((name) =>
  readFileSync(join(root, "docs", name), "utf8"),
);
const page = pages.join("\n");
const examples = page.split(/^## /m).flatMap((section) => {
  const title = section.split("\n", 1)[0] ?? "";
  const blocks = section.matchAll(/^```ts\n(.*?)^```/gms);
  return [...blocks].map(([, code = ""]) => ({ title, code }));
});

// From conformance, where every package is a dependency.
const folder = join(root, "conformance", ".toolstile");
const fileOf = (index: number) => join(folder, `example-${index}.ts`);

describe("the examples in docs/iorails.md and docs/iorails-limits.md", () => {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    for (const [index, { code }] of examples.entries()) writeFileSync(fileOf(index), code);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are there", () => {
    expect(examples.length).toBe(page.match(/^```ts$/gm)?.length);
  });

  it("compile as they stand, in the strictest mode", { tags: "long" }, () => {
    const files = examples.map((_, index) => fileOf(index));
    expect(compilerFaults(folder, files)).toEqual([]);
  });

  const printing = examples
    .map(({ title, code }, index) => ({ title, code, index }))
    .filter(({ code }) => code.includes("console.log("));

  it("say what they print, on each page", () => {
    expect(printing.length).toBeGreaterThan(pages.length);
  });

  it.each(printing)("print what they promise: $title", async ({ code, index }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      await import(pathToFileURL(fileOf(index)).href);
      const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(
        ([, text]) => text,
      );
      expect(promised).not.toEqual([]);
      expect(log.mock.calls.map(([text]) => String(text))).toEqual(promised);
    } finally {
      log.mockRestore();
    }
  });
});

describe("examples/iorails-weather", () => {
  it("finds everything as it expects it, and says what was blocked", () => {
    const printed = execFileSync(process.execPath, ["index.mjs"], {
      cwd: join(root, "examples", "iorails-weather"),
      encoding: "utf8",
    });
    expect(printed).toContain("tool call 'delete_database' is not an allowed tool");
    expect(printed).toContain("tool result for call_id 'call_7' does not correspond to a prior");
  });
});
