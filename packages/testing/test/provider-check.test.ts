import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { main } from "../src/provider-check/main.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const manifest = {
  name: "tea-guard",
  description: "A guard.",
  license: "MIT",
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.19.0" },
  files: ["dist"],
  exports: {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./package.json": "./package.json",
  },
  peerDependencies: { "@toolstile/core": "^0.1.0" },
};
const readme = `# tea-guard

\`\`\`sh
npm install @toolstile/core tea-guard
\`\`\`

\`\`\`ts
import { tea } from "tea-guard";
\`\`\`

## Options

\`leaves\`

## What it does not do
`;
const plugin = `{
  name: "tea",
  optionsSchema: {
    type: "object",
    properties: { leaves: { type: "integer" } },
    additionalProperties: false,
  },
  create: () => ({}),
}`;
const kitTest = 'import { testProvider } from "@toolstile/testing";\ntestProvider(it, tea, {});\n';

interface Parts {
  readonly manifest?: object;
  readonly readme?: string;
  readonly plugin?: string;
  readonly test?: string;
}

async function check(parts: Parts, argv: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "toolstile-shape-"));
  folders.push(folder);
  const files = {
    "package.json": JSON.stringify({ ...manifest, ...parts.manifest }),
    "README.md": parts.readme ?? readme,
    "dist/index.js": `export const plugin = ${parts.plugin ?? plugin};\n`,
    "test/tea.test.ts": parts.test ?? kitTest,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return run([folder, ...argv]);
}

async function run(argv: readonly string[]) {
  const said = { out: "", err: "" };
  const code = await main(argv, {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
  });
  return { code, ...said };
}

describe("toolstile-provider-check", () => {
  it("finds nothing in a package of the right shape", async () => {
    expect(await check({})).toEqual({
      code: 0,
      out: "tea-guard has the shape of a provider.\n",
      err: "",
    });
  });

  it.each<[string, Parts, string]>([
    [
      "a package that wants one version of core",
      { manifest: { peerDependencies: { "@toolstile/core": "0.1.0" } } },
      "must be wanted by a range",
    ],
    [
      "a package that does not want core",
      { manifest: { peerDependencies: {} } },
      "must name @toolstile/core",
    ],
    ["side effects", { manifest: { sideEffects: true } }, "'sideEffects' must be false"],
    [
      "published tests",
      { manifest: { files: ["dist", "test"] } },
      "'files' must not publish tests",
    ],
    [
      "everything published",
      { manifest: { files: undefined } },
      "'files' must list what is published",
    ],
    [
      "an entry without types",
      { manifest: { exports: { ...manifest.exports, "./more": "./dist/more.js" } } },
      'exports["./more"] must have "types"',
    ],
    [
      "types that come too late",
      {
        manifest: {
          exports: {
            ...manifest.exports,
            ".": { default: "./dist/index.js", types: "./dist/index.d.ts" },
          },
        },
      },
      'exports["."] must have "types"',
    ],
    [
      "an entry that was not built",
      {
        manifest: {
          exports: { ...manifest.exports, ".": { types: "./a.d.ts", default: "./a.js" } },
        },
      },
      "./a.js is not there. Build the package first.",
    ],
    ["no licence", { manifest: { license: "" } }, "'license' must be a text"],
    [
      "another title",
      { readme: readme.replace("# tea", "# Tea") },
      'its first line must be "# tea-guard"',
    ],
    [
      "no line that installs it",
      { readme: readme.replace("npm install", "get") },
      "must say how to install it",
    ],
    ["no example", { readme: readme.replace("```ts", "```yaml") }, "must have an example"],
    ["no options", { readme: readme.replace("## Options", "## More") }, 'must have "## Options"'],
    [
      "no limits",
      { readme: readme.replace("does not do", "does") },
      'must have "## What it does not do"',
    ],
    [
      "an option that is not explained",
      { readme: readme.replace("`leaves`", "") },
      "must explain the option `leaves`",
    ],
    [
      "an option whose name only stands in a sentence",
      { readme: readme.replace("`leaves`", "how many leaves") },
      "must explain the option `leaves`",
    ],
    [
      "options that may be misspelt",
      { plugin: plugin.replace("additionalProperties: false,", "") },
      "must have additionalProperties: false",
    ],
    [
      "a schema that is no JSON",
      { plugin: plugin.replace('"integer"', "undefined") },
      "must be plain JSON",
    ],
    ["no plugin", { plugin: "undefined" }, "must export a `plugin`"],
    [
      "a plugin that makes nothing",
      { plugin: plugin.replace("create", "make") },
      "`plugin.create` must be a function",
    ],
    ["code that does not load", { plugin: "missing" }, "does not load: missing is not defined"],
    ["no test with the kit", { test: "" }, "a test must run the conformance kit"],
  ])("finds %s", async (_, parts, fault) => {
    const { code, out } = await check(parts);
    expect(code).toBe(1);
    expect(out).toContain(fault);
    expect(out.trim().split("\n")).toHaveLength(1);
  });

  it("asks no test of the kit of an observer", async () => {
    expect((await check({ test: "" }, ["--kind", "observer"])).code).toBe(0);
  });

  it("prints what it found as JSON", async () => {
    const { code, out } = await check({ test: "" }, ["--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ name: "tea-guard", faults: [expect.any(String)] });
  });

  it.each([
    ["an unknown kind", ["--kind", "tool"], "'--kind' must be one of guard, observer, approver"],
    ["an unknown option", ["--knd"], "Unknown option '--knd'"],
    ["a folder without a package", [tmpdir()], "the folder has no package.json"],
  ])("ends with 2 for %s", async (_, argv, problem) => {
    const { code, err } = await run(argv);
    expect(code).toBe(2);
    expect(err).toContain(problem);
  });
});
