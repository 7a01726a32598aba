import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { readRecipe } from "./recipe.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
// From conformance, where every package is a dependency; git takes no folder of this name.
const folder = join(root, "conformance", "dist", "guides");
const program = join(root, "packages", "toolstile", "dist", "cli.js");
const guides = ["start.md", "write-a-provider/index.md"];

function run(line: string, cwd: string): string {
  const command = line
    .replace(/^npx toolstile /, `"${process.execPath}" "${program}" `)
    .replace(/^node /, `"${process.execPath}" `);
  const env = { ...process.env, NO_COLOR: "1", NODE_OPTIONS: "" };
  return execFileSync("sh", ["-c", command], { cwd, env, encoding: "utf8" });
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the guides", () => {
  it.each(guides)("run as they stand, and print what they say: %s", (page) => {
    const text = readFileSync(join(root, "docs", page), "utf8");
    const place = join(folder, page.replaceAll(/\W/g, "-"));
    const { files, commands } = readRecipe(page, text);
    expect(files.size).toBeGreaterThan(0);
    for (const [name, content] of files) {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), content);
    }
    for (const { line, prints } of commands) {
      const printed = run(line, place);
      if (prints !== undefined) expect(printed).toBe(prints);
    }
  });
});

const concepts = readdirSync(join(root, "docs", "concepts")).filter((name) => name.endsWith(".md"));

describe("the examples in the concepts", () => {
  const examples = concepts.flatMap((name) => {
    const text = readFileSync(join(root, "docs", "concepts", name), "utf8");
    return [...text.matchAll(/^```js\n(import .*?)^```/gms)].map(([, code = ""]) => ({
      name,
      code,
    }));
  });

  it.each(examples)("run as they stand: $name", ({ name, code }) => {
    mkdirSync(folder, { recursive: true });
    const printed = execFileSync(process.execPath, ["--input-type=module"], {
      cwd: folder,
      input: code,
      encoding: "utf8",
    });
    const promised = /^\/\/ (.+)$/m.exec(code)?.[1]?.split(", ") ?? [];
    expect(printed.trim().split("\n").filter(Boolean), name).toEqual(promised);
  });

  it("are in a drawing too: each page of a concept has one, with a text in its place", () => {
    const plain = concepts.filter((name) => name !== "index.md");
    const without = plain.filter(
      (name) =>
        !/^!\[.{20,}\]\([\w-]+\.svg\)$/m.test(
          readFileSync(join(root, "docs", "concepts", name), "utf8"),
        ),
    );
    expect(without).toEqual([]);
  });
});
