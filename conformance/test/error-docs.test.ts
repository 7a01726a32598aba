import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCodes } from "@toolstile/core/host";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sections = readFileSync(join(root, "docs", "errors.md"), "utf8")
  .split(/^## /m)
  .slice(1);

describe("docs/errors.md", () => {
  it("has a section for every code, no other section, and both in one order", () => {
    const documented = sections.map((section) => /^`(\w+)`\n/.exec(section)?.[1]);
    expect(documented).toEqual([...errorCodes]);
  });

  it.each(sections.map((section) => [section.split("\n", 1)[0], section]))(
    "says when %s is thrown and the way out",
    (_, section) => {
      expect(section).toMatch(/^- \*\*When\*\*: \S/m);
      expect(section).toMatch(/^- \*\*Way out\*\*: \S/m);
    },
  );
});

describe("the codes of errors", () => {
  const sources = readdirSync(join(root, "packages"))
    .flatMap((name) => filesBelow(join(root, "packages", name, "src")))
    .filter((path) => path !== join(root, "packages", "core", "src", "errors.ts"))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");

  it.each([...errorCodes])("are all in use: %s", (code) => {
    expect(sources.includes(`"${code}"`)).toBe(true);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}
