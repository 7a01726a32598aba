import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { it } from "node:test";

it("the example in the README prints what it says", () => {
  const readme = readFileSync("README.md", "utf8");
  const [, example = ""] = /^```js\n(.*?)^```/ms.exec(readme) ?? [];
  const promised = [...example.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(
    ([, text]) => text,
  );
  // It imports this package by name, as it was built.
  const command = ["--input-type=module", "--eval", example];
  const printed = execFileSync(process.execPath, command, { encoding: "utf8" });
  assert.deepEqual(printed.trimEnd().split("\n"), promised);
});
