import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [, example = ""] = /^```js\n(import .*?)^```/ms.exec(readme) ?? [];

describe("the first example of the README", () => {
  it.each([
    ["6, which npm installs on Node 20", "ai6"],
    ["7", "ai"],
  ])("prints what it promises with ai %s", async (_, name) => {
    expect(example).toContain('from "ai"');
    const code = example
      .replace('from "ai"', `from "${name}"`)
      .replace('"@toolstile/ai-sdk"', '"../src/index.js"')
      .replace('"@toolstile/allowlist"', '"../../allowlist/src/index.js"');
    const file = fileURLToPath(new URL(`./readme-${name}.tmp.ts`, import.meta.url));
    writeFileSync(file, code);
    onTestFinished(() => rmSync(file));
    const printed = vi.spyOn(console, "log").mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    await import(file);
    const [, promised] = /console\.log\(.*\); \/\/ (.+)$/m.exec(code) ?? [];
    expect(printed.mock.calls).toEqual([[promised]]);
  });
});
