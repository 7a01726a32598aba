import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolvePackage } from "../src/plugins/resolve-package.js";
import { folderWith } from "./packages.js";

const folders: readonly (readonly [name: string, files: Record<string, string | object>])[] = [
  ["main", { "index.cjs": "", "package.json": { main: "./index.cjs" } }],
  ["main-without-ending", { "lib.js": "", "package.json": { main: "lib" } }],
  ["index-only", { "index.js": "", "package.json": {} }],
  ["no-manifest", { "index.js": "" }],
  ["import-only", { "i.js": "", "package.json": { exports: { import: "./i.js" } } }],
  [
    "dual",
    {
      "r.cjs": "",
      "i.mjs": "",
      "package.json": { exports: { ".": { require: "./r.cjs", import: "./i.mjs" } } },
    },
  ],
  ["text", { "a.js": "", "package.json": { exports: "./a.js" } }],
  [
    "list",
    { "a.js": "", "package.json": { exports: ["../no.js", { browser: "./b.js" }, "./a.js"] } },
  ],
  ["empty-list", { "package.json": { exports: [] } }],
  [
    "nested",
    {
      "n.js": "",
      "d.js": "",
      "package.json": {
        exports: { node: { worker: "./w.js" }, types: "./t.ts", default: "./d.js" },
      },
    },
  ],
  [
    "subpaths",
    {
      "a.js": "",
      "s/x.js": "",
      "s/deep/y.js": "",
      "s/special.js": "",
      "package.json": {
        exports: {
          ".": "./a.js",
          "./sub": "./s/x.js",
          "./s/*": "./s/*.js",
          "./s/spec*": "./s/deep/y.js",
          "./s/*.js": "./s/*.js",
          "./private/*": null,
          "./gone": "./gone.js",
          "./up/*": "./s/../*.js",
        },
      },
    },
  ],
  ["ruled-out", { "d.js": "", "package.json": { exports: { node: null, default: "./d.js" } } }],
  ["require-only", { "r.cjs": "", "package.json": { exports: { require: "./r.cjs" } } }],
  ["outside", { "package.json": { exports: "../main/index.cjs" } }],
  ["in-modules", { "package.json": { exports: "./node_modules/x.js" } }],
  ["mixed", { "package.json": { exports: { ".": "./a.js", import: "./a.js" } } }],
  ["numbered", { "a.js": "", "package.json": { exports: { 0: "./a.js", default: "./a.js" } } }],
  ["escaped", { "a b.js": "", "package.json": { exports: "./a%20b.js" } }],
  ["escaped-slash", { "package.json": { exports: "./a%2fb.js" } }],
  ["broken", { "package.json": "{" }],
  ["@scope/name", { "a.js": "", "package.json": { exports: { ".": "./a.js", "./b": "./a.js" } } }],
  ["missing-main", { "package.json": { main: "./gone.js" } }],
];

const names = [
  ...folders.map(([name]) => name),
  "absent",
  "@scope/absent",
  "self",
  "self/extra",
  "subpaths/sub",
  "subpaths/s/x",
  "subpaths/s/x.js",
  "subpaths/s/deep/y",
  "subpaths/s/special",
  "subpaths/s/node_modules/y",
  "subpaths/private/x",
  "subpaths/gone",
  "subpaths/up/a",
  "subpaths/none",
  "@scope/name/b",
  "index-only/index.js",
  "main/none.js",
];

it("resolves every name to the module that Node's import takes, and no other", () => {
  const files: Record<string, string | object> = {
    "package.json": { name: "self", exports: { ".": "./self.js", "./extra": "./self.js" } },
    "self.js": "",
    // Node's own answer, from the folder in question.
    "deep/ask.mjs": `
      import { existsSync } from "node:fs";
      const answers = JSON.parse(process.argv[2]).map((name) => {
        try {
          const url = import.meta.resolve(name);
          return existsSync(new URL(url)) ? url : "no file";
        } catch (error) {
          return error.code;
        }
      });
      console.log(JSON.stringify(answers));`,
  };
  for (const [name, content] of folders) {
    for (const [path, text] of Object.entries(content))
      files[`node_modules/${name}/${path}`] = text;
  }
  files["./store/linked/package.json"] = { exports: "./l.js" };
  files["store/linked/l.js"] = "";
  const folder = folderWith(files);
  symlinkSync(join(folder, "store/linked"), join(folder, "node_modules/linked"));
  const all = [...names, "linked"];
  const asked = execFileSync(process.execPath, [join(folder, "deep/ask.mjs"), JSON.stringify(all)]);
  const answers = JSON.parse(asked.toString()) as string[];
  const kinds: Record<string, string> = {
    ERR_MODULE_NOT_FOUND: "not installed",
    ERR_PACKAGE_PATH_NOT_EXPORTED: "not exported",
    ERR_INVALID_PACKAGE_TARGET: "malformed manifest",
    ERR_INVALID_PACKAGE_CONFIG: "malformed manifest",
    ERR_INVALID_MODULE_SPECIFIER: "malformed manifest",
  };
  const expected = all.map((name, index) => {
    const answer = answers[index] as string;
    return [name, kinds[answer] ?? answer];
  });
  const resolved = all.map((name) => {
    const found = resolvePackage(name, join(folder, "deep"));
    return [name, "url" in found ? found.url : found.fault];
  });
  // Node says of a package whose main file is missing that it was not found.
  expect(resolved).toEqual(
    expected.map(([name, kind]) => (name === "missing-main" ? [name, "no file"] : [name, kind])),
  );
  expect(resolved.filter(([, kind]) => kind?.startsWith("file:")).length).toBeGreaterThan(18);
});

it("takes the nearest of two installed copies", () => {
  const folder = folderWith({
    "node_modules/p/index.js": "",
    "inner/node_modules/p/index.js": "",
  });
  const found = resolvePackage("p", join(folder, "inner"));
  expect("url" in found && found.url).toContain("/inner/node_modules/p/index.js");
});
