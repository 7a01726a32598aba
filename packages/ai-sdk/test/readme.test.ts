import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [, example = ""] = /^```js\n(import .*?)^```/ms.exec(readme) ?? [];
const recipe = readFileSync(new URL("../../../docs/recipes/ai-sdk.md", import.meta.url), "utf8");
const versions = [
  ["6, which npm installs on Node 20", "ai6"],
  ["7", "ai"],
] as const;

/** The lines that an example prints with a version of the SDK. */
async function printedBy(code: string, file: string, name: string): Promise<readonly unknown[]> {
  expect(code).toContain('from "ai"');
  const path = fileURLToPath(new URL(`./${file}-${name}.tmp.ts`, import.meta.url));
  writeFileSync(
    path,
    code
      .replaceAll(/from "ai(?=["/])/g, `from "${name}`)
      .replace('"@toolstile/ai-sdk"', '"../src/index.js"')
      .replace('"@toolstile/allowlist"', '"../../allowlist/src/index.js"'),
  );
  onTestFinished(() => rmSync(path));
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  await import(path);
  return printed.mock.calls.flat();
}

describe("the first example of the README", () => {
  it.each(versions)("prints what it promises with ai %s", async (_, name) => {
    const [, promised] = /console\.log\(.*\); \/\/ (.+)$/m.exec(example) ?? [];
    expect(await printedBy(example, "readme", name)).toEqual([promised]);
  });
});

describe("the recipe for the AI SDK", () => {
  it.each(versions)(
    "has a loop in which the model reads the denial, with ai %s",
    async (_, name) => {
      const [, code = ""] = /^```js\n(import .*?)^```/ms.exec(recipe) ?? [];
      const [, promised = ""] = /^```text\n(.*?)\n```/ms.exec(recipe) ?? [];
      expect(promised).toContain("I read: Tool call denied");
      expect(await printedBy(code, "recipe", name)).toEqual([promised]);
    },
  );
});
