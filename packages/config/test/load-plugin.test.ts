import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type LoadPluginOptions, loadPlugin } from "../src/index.js";
import { importPluginModule } from "../src/plugins/plugin-module.js";
import { folderWith, messageOf, pluginSource } from "./packages.js";

const where = "rails.tool_output.providers[0]";
const nameOf = async (
  use: string,
  base: string,
  options: Partial<LoadPluginOptions> = {},
  given?: JsonObject,
): Promise<string> => (await loadPlugin({ use, with: given }, { base, where, ...options })).name;
const fails = (use: string, base: string): Promise<string> =>
  messageOf(() => loadPlugin({ use }, { base, where }));

/** The error of an import by Node itself, and not by what runs these tests. */
function imported(use: string, base: string): Promise<string> {
  const file = join(
    folderWith({ "import.cjs": "module.exports = (name) => import(name);" }),
    "import.cjs",
  );
  const native = createRequire(import.meta.url)(file) as (name: string) => Promise<unknown>;
  return messageOf(() => loadPlugin({ use }, { base, where, import: native }));
}

describe("a plugin is loaded", () => {
  it("from a package that only import can see", async () => {
    const base = folderWith({
      "./node_modules/p/package.json": { type: "module", exports: { import: "./i.js" } },
      "node_modules/p/i.js": pluginSource("by import"),
    });
    expect(await nameOf("p", base)).toBe("by import");
  });

  it("from a scoped package's subpath", async () => {
    const base = folderWith({
      "./node_modules/@s/p/package.json": { type: "module", exports: { "./sub": "./i.js" } },
      "node_modules/@s/p/i.js": pluginSource("sub"),
    });
    expect(await nameOf("@s/p/sub", base)).toBe("sub");
  });

  it("from the import side of a package that has two", async () => {
    const base = folderWith({
      "./node_modules/p/package.json": { exports: { require: "./r.cjs", import: "./i.mjs" } },
      "node_modules/p/r.cjs": pluginSource("by require", "exports.plugin ="),
      "node_modules/p/i.mjs": pluginSource("by import"),
    });
    expect(await nameOf("p", base)).toBe("by import");
  });

  it("from a CommonJS package", async () => {
    const base = folderWith({
      "./node_modules/p/package.json": { main: "main.js" },
      "node_modules/p/main.js": pluginSource("old", "exports.plugin ="),
    });
    expect(await nameOf("p", base)).toBe("old");
  });

  it("from a file, relative to the folder, by path or by URL", async () => {
    const base = folderWith({ "guards/mine.mjs": pluginSource("mine"), "rails/config.yml": "" });
    const file = join(base, "guards/mine.mjs");
    expect(await nameOf("./guards/mine.mjs", base)).toBe("mine");
    expect(await nameOf("../guards/mine.mjs", join(base, "rails"))).toBe("mine");
    expect(await nameOf(file, base)).toBe("mine");
    expect(await nameOf(pathToFileURL(file).href, base)).toBe("mine");
  });

  it.each([
    ["a folder's URL", (base: string) => pathToFileURL(`${base}/rails/`).href],
    ["a folder's URL without a slash", (base: string) => pathToFileURL(`${base}/rails`).href],
    ["the URL of a file in it", (base: string) => pathToFileURL(`${base}/rails/config.yml`).href],
    [
      "the URL of a file that is not there",
      (base: string) => pathToFileURL(`${base}/rails/x`).href,
    ],
  ])("from a base given as %s", async (_, baseOf) => {
    const base = folderWith({ "rails/mine.mjs": pluginSource("mine"), "rails/config.yml": "" });
    expect(await nameOf("./mine.mjs", baseOf(base))).toBe("mine");
  });

  it("with its options, which are a frozen copy", async () => {
    const base = folderWith({
      "p.mjs": `export const plugin = {
        name: "p",
        optionsSchema: { type: "object", properties: { inner: { type: "object" } } },
        create: (options) => ({ name: String(Object.isFrozen(options.inner)), evaluate() {}, options }),
      };`,
    });
    const given = { inner: { a: 1 } };
    const made = await loadPlugin({ use: "./p.mjs", with: given }, { base });
    expect(made.name).toBe("true");
    expect(Object.isFrozen(given.inner)).toBe(false);
    expect(made).toHaveProperty("options", given);
  });

  it("through a function that imports in Node's place, which gets names as written", async () => {
    const base = folderWith({ "p.mjs": "" });
    const asked: string[] = [];
    const port = async (specifier: string): Promise<unknown> => {
      asked.push(specifier);
      return {
        plugin: { name: "x", optionsSchema: {}, create: () => ({ name: "x", evaluate() {} }) },
      };
    };
    await nameOf("@nowhere/p/sub", base, { import: port });
    await nameOf("./p.mjs", base, { import: port });
    expect(asked).toEqual(["@nowhere/p/sub", pathToFileURL(join(base, "p.mjs")).href]);
  });
});

it("P5 is an error where a module has waited at its top for 30 seconds, and leaves no timer that would hold up the process", async () => {
  const base = folderWith({ "./g.js": `await new Promise(() => {});\n${pluginSource("late")}` });
  // The worker's own timers are not held still: libraries that other tests have loaded use them too.
  const clock = fakeClock();
  const failed = messageOf(() => importPluginModule("./g.js", base, undefined, where, clock));
  clock.advance(29_999);
  expect(clock.waiting()).toBe(1);
  clock.advance(1);
  expect(await failed).toBe(
    `ERR_PLUGIN ${where}: the plugin './g.js' was found, but importing it has not ended after 30 s`,
  );
  expect(clock.waiting()).toBe(0);
});

it("leaves no timer where the module was imported in time", async () => {
  const clock = fakeClock();
  const base = folderWith({ "./g.js": pluginSource("early") });
  await importPluginModule("./g.js", base, undefined, where, clock);
  expect(clock.waiting()).toBe(0);
});

describe("P5 a plugin that cannot be loaded is an error that names the place and", () => {
  it("how to install the package", async () => {
    expect(await fails("@some/guard/sub", folderWith({}))).toBe(
      `ERR_PLUGIN ${where}: the plugin '@some/guard/sub' is not installed. Install it: npm install @some/guard`,
    );
  });

  it.each([
    ["@toolstile/alowlist", "Did you mean '@toolstile/allowlist'?"],
    ["@toolstyle/schema", "Did you mean '@toolstile/schema'?"],
    ["rate-limit", "Did you mean '@toolstile/rate-limit'?"],
    ["@toolstile/schema", "Install it: npm install @toolstile/schema"],
    ["@acme/schema", "Install it: npm install @acme/schema"],
    ["rate-limits", "Install it: npm install rate-limits"],
  ])("for %s, which package of ours was meant, or how to install it", async (use, advice) => {
    const message = await fails(use, folderWith({}));
    expect(message).toMatch(/ is not installed\. /);
    expect(message.split("is not installed. ")[1]).toBe(advice);
  });

  it("that the file is not there", async () => {
    const base = folderWith({ "folder/x": "" });
    for (const use of ["./none.js", "./folder", pathToFileURL(`${base}/none.js`).href]) {
      expect(await fails(use, base)).toContain("is not a file");
    }
  });

  it.each([
    "https://example.com/p.js",
    "http:p",
    "data:text/javascript,export const plugin = 1",
    "node:fs",
    "npm:p",
    "#internal",
    "..",
    ".",
    "p/../q",
    "p/./q",
    "p/%2e%2e/q",
    "p\\q",
    "p?x",
    "p#x",
    "p/",
    "@scope",
    "@scope/",
    ".hidden",
    " p",
    "a".repeat(1025),
    "__proto__/..",
  ])("that %j is neither a name nor a path", async (use) => {
    expect(await fails(use, folderWith({}))).toMatch(
      /^ERR_PLUGIN .* is neither the name of a package nor a path/,
    );
  });

  it("that a module of Node's own holds none", async () => {
    expect(await fails("fs/promises", folderWith({}))).toContain("built-in module of Node");
  });

  it("that the package exports no such path", async () => {
    const base = folderWith({ "./node_modules/p/package.json": { exports: { "./a": "./a.js" } } });
    expect(await fails("p/b", base)).toContain("does not export this path");
  });

  it("that the package is not built", async () => {
    const base = folderWith({ "./node_modules/p/package.json": { exports: "./dist/index.js" } });
    expect(await fails("p", base)).toContain("may not be built");
  });

  it("what importing threw, without its words", async () => {
    const base = folderWith({
      "throws.mjs": "throw new RangeError('hunter2')",
      "needs.mjs": "import 'absent-package'",
    });
    const threw = await fails("./throws.mjs", base);
    expect(threw).toContain("importing it failed with 'RangeError'");
    expect(threw).not.toContain("hunter2");
    expect(await fails("./needs.mjs", base)).toContain("ERR_MODULE_NOT_FOUND");
  });

  it("which module is missing that it imports, and how to install it", async () => {
    const base = folderWith({
      "package.mjs": "import '@absent/package/sub'",
      "file.mjs": "import './near.js'",
    });
    expect(await imported("./package.mjs", base)).toContain(
      "it imports '@absent/package', which is not there. Install it: npm install @absent/package",
    );
    expect(await imported("./file.mjs", base)).toMatch(
      /it imports '.*near\.js', which is not there\./,
    );
  });

  it("that a module's own error says nothing, whatever code and words it bears", async () => {
    const text = "Cannot find the key hunter2";
    const base = folderWith({
      "p.mjs": `throw Object.assign(new Error("${text}"), { code: "ERR_MODULE_NOT_FOUND" })`,
    });
    const message = await imported("./p.mjs", base);
    expect(message).toMatch(/failed with 'Error' \(ERR_MODULE_NOT_FOUND\)$/);
  });

  it("that TypeScript must be compiled where Node cannot read it", async () => {
    const base = folderWith({ "p.ts": "export enum Kind { One }" });
    expect(await imported("./p.ts", base)).toContain(
      "this Node cannot read this TypeScript. Compile it",
    );
  });

  it("the nearest export", async () => {
    const base = folderWith({
      "near.mjs": "export const plugins = 1, other = 2;",
      "far.mjs": "export const something = 1;",
      "default.mjs": "export default { name: 'x', optionsSchema: {}, create() {} };",
    });
    expect(await fails("./near.mjs", base)).toContain(
      "exports no 'plugin'. Its export 'plugins' is the nearest.",
    );
    expect(await fails("./far.mjs", base)).toMatch(/exports no 'plugin'\.$/);
    expect(await fails("./default.mjs", base)).toContain("export it as 'plugin'");
  });

  it("the member of the reference that nobody reads", async () => {
    const base = folderWith({ "p.mjs": pluginSource("p") });
    const attempt = () => loadPlugin({ use: "./p.mjs", wtih: { a: 1 } } as never, { base, where });
    expect(await messageOf(attempt)).toBe(
      `ERR_UNKNOWN_OPTION ${where} has no option 'wtih'. Did you mean 'with'? It takes: use, with.`,
    );
  });
});

it.each([
  ["no use", {}, {}, "'use' must be the name of a package"],
  ["a number as use", { use: 5 }, {}, "'use' must be the name of a package"],
  ["a list as reference", [], {}, "the options must be an object, received an empty array"],
  ["no base", { use: "p" }, { base: undefined }, "'base' must be a string, received undefined"],
  [
    "a base that is not there",
    { use: "p" },
    { base: "/no/such/folder" },
    "'/no/such/folder' is none",
  ],
  ["another scheme as base", { use: "p" }, { base: "https://example.com/" }, "is none"],
  [
    "no function as import",
    { use: "p" },
    { import: "x" },
    "'import' must be a function, received string",
  ],
])("refuses %s", async (_, reference, options, text) => {
  const base = folderWith({});
  const attempt = () => loadPlugin(reference as never, { base, ...options } as never);
  expect(await messageOf(attempt)).toMatch(/^ERR_INVALID_OPTION /);
  expect(await messageOf(attempt)).toContain(text);
});

it("P8 takes no reference and no plugin from a polluted prototype", async () => {
  const base = folderWith({ "p.mjs": "export const other = 1;" });
  const planted = Object.prototype as Record<string, unknown>;
  planted["plugin"] = {
    name: "x",
    optionsSchema: {},
    create: () => ({ name: "x", evaluate() {} }),
  };
  planted["use"] = "./p.mjs";
  try {
    const port = { base, import: async () => ({ other: 1 }) };
    expect(await messageOf(() => loadPlugin({ use: "p" }, port))).toContain("exports no 'plugin'");
    expect(await messageOf(() => loadPlugin({} as never, { base }))).toContain("'use' must be");
  } finally {
    delete planted["plugin"];
    delete planted["use"];
  }
});
