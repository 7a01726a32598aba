import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const block = (language: string) => readme.split(`\`\`\`${language}\n`)[1]?.split("```")[0];

describe("README.md", () => {
  it("shows the example that is in examples/first-denial, to the letter", () => {
    expect(block("js")).toBe(readFileSync(join(root, "examples/first-denial/index.mjs"), "utf8"));
  });

  it("shows what that example prints", () => {
    const printed = execFileSync(process.execPath, ["index.mjs"], {
      cwd: join(root, "examples/first-denial"),
      encoding: "utf8",
    });
    expect(block("text")).toBe(printed);
  });

  it("links to files that are there", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link as string);
    expect(links.filter((link) => !existsSync(join(root, dirname("README.md"), link)))).toEqual([]);
  });
});
