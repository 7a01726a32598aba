import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { application } from "../../packages/create-toolstile/src/application.js";
import { frameworks } from "../../packages/create-toolstile/src/frameworks.js";
import { provider } from "../../packages/create-toolstile-provider/src/provider.js";
import {
  importsOf,
  isNodeBuiltin,
  isRelative,
  packageOf,
} from "../../scripts/architecture/imports.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
// In conformance, where every package and every framework is a dependency.
const folder = join(root, "conformance", ".templates");

const templates = new Map([
  ["provider", provider.filesFor("toolstile-provider-tea", undefined)],
  ...frameworks.map(({ name }) => [name, application.filesFor("tea-shop", name)] as const),
]);
const names = [...templates.keys()];

function filesOf(name: string): [string, string][] {
  return [...(templates.get(name) ?? [])];
}

function manifestOf(name: string) {
  return JSON.parse(templates.get(name)?.get("package.json") ?? "");
}

describe("a template", () => {
  beforeAll(() => {
    for (const name of names) {
      for (const [path, text] of filesOf(name)) write(join(name, path), text);
      for (const [path, text] of filesOf(name)) {
        if (!path.endsWith(".ts")) continue;
        const { outputText } = ts.transpileModule(text, {
          compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
        });
        write(join(name, "dist", path.replace(/\.ts$/, ".js")), outputText);
        // Where the provider's package.json has its entry, which the example of its README imports.
        const [, source] = /^src\/(.+)\.ts$/.exec(path) ?? [];
        if (name === "provider" && source !== undefined)
          write(join(name, "dist", `${source}.js`), outputText);
      }
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(names)("for %s wants the packages that it imports, and no other", (name) => {
    const { dependencies, peerDependencies, devDependencies } = manifestOf(name);
    const imported = filesOf(name)
      .filter(([path]) => path.endsWith(".ts"))
      .flatMap(([path, text]) => importsOf(path, text))
      .filter((specifier) => !isRelative(specifier) && !isNodeBuiltin(specifier))
      .map(packageOf);
    const inData = [...(templates.get(name)?.get("guard.yaml") ?? "").matchAll(/use: "([^"]+)"/g)];
    const used = [...new Set([...imported, ...inData.map(([, use = ""]) => packageOf(use))])];
    const wanted = Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies });
    expect(used.filter((each) => !wanted.includes(each))).toEqual([]);
    // Packages that others of the list want as peers, or that all applications have.
    const unused = Object.keys({ ...dependencies }).filter((each) => !used.includes(each));
    expect(unused.filter((each) => !/^@(?:langchain\/|toolstile\/core$)/.test(each))).toEqual([]);
  });

  it.each(names)("for %s wants versions that this repository is tested with", (name) => {
    const { dependencies, devDependencies } = manifestOf(name);
    const tested = testedVersions();
    const wanted = Object.entries<string>({ ...dependencies, ...devDependencies });
    const others = wanted.filter(([each]) => !/^(?:@toolstile\/|toolstile$)/.test(each));
    expect(others).not.toEqual([]);
    for (const [each, range] of others) {
      const versions = [...(tested.get(each) ?? [])];
      const met = versions.some((version) =>
        range.split(" || ").some((part) => meets(version, part)),
      );
      expect(`${each} ${range} is ${met ? "" : `not met by ${versions}`}`).toBe(
        `${each} ${range} is `,
      );
    }
  });

  // Those of the frameworks run where each is installed: npm run check:consumer.
  it.each(["provider", "none"])(
    "for %s passes its own tests, offline",
    { tags: "long" },
    (name) => {
      const tests = readdirSync(join(folder, name, "dist", "test")).filter((each) =>
        each.endsWith(".test.js"),
      );
      const files = tests.map((each) => join("dist", "test", each));
      const cwd = join(folder, name);
      const printed = execFileSync(process.execPath, ["--test", ...files], {
        cwd,
        encoding: "utf8",
      });
      expect(printed).toMatch(/^# fail 0$/m);
      expect(printed).not.toMatch(/^# pass 0$/m);
    },
  );
});

function write(path: string, text: string): void {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

/** Every version of a package that a manifest of the workspace names. */
function testedVersions(): Map<string, Set<string>> {
  const tested = new Map<string, Set<string>>();
  const groups = ["packages", "examples"].flatMap((group) =>
    readdirSync(join(root, group)).map((each) => join(group, each)),
  );
  for (const path of ["", "conformance", ...groups]) {
    const manifest = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [name, version] of Object.entries<string>(all)) {
      tested.set(name, (tested.get(name) ?? new Set()).add(version.replace(/^npm:.*@/, "")));
    }
  }
  return tested;
}

/** True if a version meets `^1.2.3` or `~1.2.3`. */
function meets(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const [least = 0, leastMinor = 0, leastPatch = 0] = range.slice(1).split(".").map(Number);
  const isTilde = range.startsWith("~") || least === 0;
  if (major !== least || (isTilde && minor !== leastMinor)) return false;
  return minor > leastMinor || (minor === leastMinor && patch >= leastPatch);
}
