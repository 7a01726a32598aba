import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../src/yaml/index.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const pages = [
  ...readdirSync(join(root, "docs")).map((name) => join("docs", name)),
  ...readdirSync(join(root, "packages")).map((name) => join("packages", name, "README.md")),
].filter((path) => path.endsWith(".md"));
const examples = pages.flatMap((path) =>
  [...readFileSync(join(root, path), "utf8").matchAll(/^```yaml\n(.*?)^```/gms)]
    .map(([, text = ""]) => text)
    .filter((text) => /^version: 1$/m.test(text))
    .map((text, index) => ({ path, text, index })),
);

// conformance/test/guard-schema.test.ts holds it to the schemas of the file and of all plugins.
describe("guard.schema.json, as it is published", () => {
  const file = fileURLToPath(new URL("../../guard.schema.json", import.meta.url));
  const validate = new Ajv({ allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(file, "utf8")),
  );
  const guard = { use: "./a.js" };
  const withGuard = (use: string, options: object) => ({
    version: 1,
    guards: [{ use, with: options }],
  });

  it.each(examples)("fits the guard.yaml of $path, $index", ({ text }) => {
    expect([validate(readYaml(text).data), validate.errors]).toEqual([true, null]);
  });

  const variable = `\${env:ANY}`;

  it.each<[string, object]>([
    ["a misspelt option", withGuard("@toolstile/allowlist", { alow: [] })],
    [
      "a misspelt option of a rule",
      withGuard("@toolstile/rules", { rules: [{ id: "a", dney: "x" }] }),
    ],
    [
      "a misspelt key of a condition in another",
      withGuard("@toolstile/rules", {
        rules: [{ id: "a", deny: "x", when: { any: [{ at: "/a", hostsIn: ["a"] }] } }],
      }),
    ],
    [
      "an option of another store",
      withGuard("@toolstile/rate-limit", { redis: { url: "redis://x" } }),
    ],
    ["no options where some are required", { version: 1, guards: [{ use: "@toolstile/rules" }] }],
    [
      "half a variable",
      withGuard("@toolstile/rate-limit/redis", { redis: { url: `x${variable}` } }),
    ],
    [
      "a misspelt option in an agent's guard",
      {
        version: 1,
        guards: [],
        agents: { a: { guards: [{ use: "@toolstile/schema", with: { coerce: true } }] } },
      },
    ],
    [
      "a misspelt option of an observer",
      {
        version: 1,
        guards: [],
        observers: [{ use: "@toolstile/audit-log", with: { folder: { paht: "x" } } }],
      },
    ],
    [
      "a misspelt option of the approver",
      {
        version: 1,
        guards: [],
        approver: { use: "@toolstile/approval", with: { folder: { path: "x" }, expires: 1 } },
      },
    ],
  ])("refuses %s", (_, data) => {
    expect(validate(data)).toBe(false);
  });

  it("takes any options of a plugin that is not Toolstile's, and variables for texts", () => {
    const files = [
      withGuard("some-package/guard", { alow: 1 }),
      withGuard("@toolstile/rate-limit/redis", { limit: 1, windowMs: 1, redis: { url: variable } }),
      withGuard("@toolstile/rate-limit", { limit: 1, windowMs: 1, algorithm: variable }),
    ];
    for (const file of files) expect([validate(file), validate.errors]).toEqual([true, null]);
  });

  it.each<[string, object]>([
    ["the least", { version: 1, guards: [] }],
    [
      "everything",
      {
        version: 1,
        policyVersion: "1",
        mode: "shadow",
        guards: [
          {
            ...guard,
            with: { x: [1] },
            tools: ["a"],
            mode: "enforce",
            failOpen: true,
            timeoutMs: 1,
          },
        ],
        agents: { a: { guards: [guard] } },
        observers: [{ use: "b", with: {} }],
        tools: "./tools.json",
      },
    ],
    ["tools in place", { version: 1, guards: [], tools: [{ name: "x" }] }],
  ])("takes %s", (_, data) => {
    expect(validate(data)).toBe(true);
  });

  it.each<[string, object]>([
    ["another version", { version: 2, guards: [] }],
    ["no guards", { version: 1 }],
    ["an unknown key", { version: 1, guards: [], guard: [] }],
    ["an unknown key of a guard", { version: 1, guards: [{ ...guard, tool: "x" }] }],
    ["no tools of a guard", { version: 1, guards: [{ ...guard, tools: [] }] }],
    ["an unknown mode", { version: 1, guards: [], mode: "off" }],
    ["no time at all", { version: 1, guards: [{ ...guard, timeoutMs: 0 }] }],
    [
      "an observer with a mode",
      { version: 1, guards: [], observers: [{ ...guard, mode: "shadow" }] },
    ],
  ])("refuses %s", (_, data) => {
    expect(validate(data)).toBe(false);
  });
});
