import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkArchitecture } from "../../scripts/architecture/check.mjs";
import { FakeRepository } from "./fake-repository.js";

const gate = "packages/gate/package.json";

describe("the rules of architecture.json", () => {
  it("find nothing in a repository that keeps them", () => {
    using repository = new FakeRepository();
    expect(checkArchitecture(repository.root)).toEqual({ problems: [], warnings: [] });
  });

  it("are kept by this repository", { tags: "long" }, () => {
    expect(checkArchitecture(fileURLToPath(new URL("../..", import.meta.url))).problems).toEqual(
      [],
    );
  });

  const broken: [string, string, (repository: FakeRepository) => void][] = [
    [
      "a package outside the table",
      "packages/extra is on no floor of architecture.json",
      (repository) => {
        repository.addPackage("extra", {});
        repository.write("packages/extra/src/index.ts", "");
      },
    ],
    [
      "a package listed twice",
      "architecture.json lists core twice",
      (repository) =>
        repository.edit("architecture.json", (json) => {
          (json.floors as unknown as object[]).push({ floor: 9, packages: ["core"] });
        }),
    ],
    [
      "a package whose name is not its folder's",
      "packages/gate/package.json is not named @fake/gate",
      (repository) =>
        repository.edit(gate, (json) => Object.assign(json, { name: "@fake/gatehouse" })),
    ],
    [
      "an import that points up",
      "packages/gate/src/up.ts: floor 1 may not use command, which is on floor 2",
      (repository) => repository.write("packages/gate/src/up.ts", 'export { x } from "command";'),
    ],
    [
      "a type import that points up",
      "packages/core/src/up.ts: floor 0 may not use @fake/gate, which is on floor 1",
      (repository) =>
        repository.write("packages/core/src/up.ts", 'type X = import("@fake/gate").X;'),
    ],
    [
      "a manifest that points sideways",
      "packages/sibling/package.json: floor 1 may not use @fake/gate, which is on floor 1",
      (repository) => {
        repository.addPackage("sibling", { peerDependencies: { "@fake/gate": "workspace:^" } });
        repository.edit("architecture.json", (json) => {
          (json.floors as unknown as { packages: string[] }[])[1]?.packages.push("sibling");
        });
      },
    ],
    [
      "a development dependency that points sideways",
      "packages/testing/package.json: floor 1 may not use @fake/gate, which is on floor 1",
      (repository) =>
        repository.edit("packages/testing/package.json", (json) => {
          json.devDependencies = { "@fake/gate": "workspace:^" };
        }),
    ],
    [
      "source that uses a package made for tests",
      "packages/gate/src/kit.ts: @fake/testing is for tests only",
      (repository) => repository.write("packages/gate/src/kit.ts", 'import "@fake/testing";'),
    ],
    [
      "source that imports its own package by name",
      "packages/gate/src/self.ts: imports its own package by name",
      (repository) => repository.write("packages/gate/src/self.ts", 'import "@fake/gate";'),
    ],
    [
      "an import of a package of ours that does not exist",
      "packages/gate/src/gone.ts: @fake/gone is not a package of this repository",
      (repository) => repository.write("packages/gate/src/gone.ts", 'import "@fake/gone";'),
    ],
    [
      "a circle of dependencies",
      "the packages depend on each other in a circle: core → testing → core",
      (repository) =>
        repository.edit("packages/core/package.json", (json) => {
          json.devDependencies = { "@fake/testing": "workspace:^" };
        }),
    ],
    [
      "an import that no dependency declares",
      "packages/gate/src/other.ts: leftpad is not in the package's dependencies",
      (repository) =>
        repository.write("packages/gate/src/other.ts", 'const x = require("leftpad/sub");'),
    ],
    [
      "a package's JSON file that no dependency declares",
      "packages/gate/src/other.ts: leftpad is not in the package's dependencies",
      (repository) =>
        repository.write("packages/gate/src/other.ts", 'const file = "leftpad/refs/schema.json";'),
    ],
    [
      "a test's import that no manifest declares",
      "packages/gate/test/other.test.ts: leftpad is in no manifest",
      (repository) =>
        repository.write("packages/gate/test/other.test.ts", 'await import("leftpad");'),
    ],
    [
      "a dependency that nothing imports",
      "packages/core/package.json: nothing in src imports queue",
      (repository) => repository.write("packages/core/src/run.ts", "export const run = 1;"),
    ],
    [
      "a relative import out of the package",
      "packages/gate/test/reach.test.ts: '../../core/src/run.js' leaves the package's folder",
      (repository) =>
        repository.write("packages/gate/test/reach.test.ts", 'import "../../core/src/run.js";'),
    ],
    [
      "a Node built-in that core's root entry reaches",
      "packages/core/src/digest.ts: packages/core/src/index.ts reaches it, so it may not import node:crypto",
      (repository) =>
        repository.write("packages/core/src/run.ts", 'import "queue";\nimport "./digest.js";'),
    ],
    [
      "a Node built-in named without its prefix",
      "packages/core/src/run.ts: packages/core/src/index.ts reaches it, so it may not import fs",
      (repository) => repository.write("packages/core/src/run.ts", 'import "queue";\nimport "fs";'),
    ],
    [
      "an entry that is gone",
      "packages/core/src/index.ts is listed in architecture.json and does not exist",
      (repository) => repository.remove("packages/core/src/index.ts"),
    ],
    [
      "a package without a README",
      "packages/gate has no README.md",
      (repository) => repository.remove("packages/gate/README.md"),
    ],
    [
      "a package with a file of its own kind",
      "packages/gate/Makefile: no package has such a file",
      (repository) => repository.write("packages/gate/Makefile", ""),
    ],
    [
      "a package without its entry",
      "packages/command has no src/cli.ts",
      (repository) => repository.remove("packages/command/src/cli.ts"),
    ],
    [
      "a package under another licence",
      "packages/gate/LICENSE differs from LICENSE",
      (repository) => repository.write("packages/gate/LICENSE", "another\n"),
    ],
    [
      "a package that the compiler is not told of",
      "tsconfig.json does not refer to packages/gate",
      (repository) =>
        repository.edit("tsconfig.json", (json) => Object.assign(json, { references: [] })),
    ],
    [
      "a dependency that the compiler is not told of",
      "packages/gate/tsconfig.json does not refer to core",
      (repository) => repository.write("packages/gate/tsconfig.json", "{}"),
    ],
    [
      "a compiler's reference that is no dependency",
      "packages/command/tsconfig.json refers to core, which is no dependency",
      (repository) =>
        repository.edit("packages/command/tsconfig.json", (json) => {
          (json.references as unknown as object[]).push({ path: "../core" });
        }),
    ],
    [
      "a library that takes one version of a dependency only",
      "packages/core/package.json: queue is 1.2.3, not a range such as ^1.2.3",
      (repository) =>
        repository.edit("packages/core/package.json", (json) => {
          json.dependencies = { queue: "1.2.3" };
        }),
    ],
    [
      "a version range of a development dependency",
      "packages/core/package.json: queue is ^1.2.3, not one exact version",
      (repository) =>
        repository.edit("packages/core/package.json", (json) => {
          json.devDependencies = { queue: "^1.2.3" };
        }),
    ],
    [
      "a tool that takes a version range",
      "packages/command/package.json: queue is ^1.2.3, not one exact version",
      (repository) =>
        repository.edit("packages/command/package.json", (json) => {
          json.dependencies = { ...json.dependencies, queue: "^1.2.3" };
        }),
    ],
    [
      "a version range under another name",
      "packages/command/package.json: queue is npm:line@^1.2.3, not one exact version",
      (repository) =>
        repository.edit("packages/command/package.json", (json) => {
          json.dependencies = { ...json.dependencies, queue: "npm:line@^1.2.3" };
        }),
    ],
    [
      "a peer that nothing imports, and that nobody may go without",
      "packages/core/package.json: nothing in src imports frame",
      (repository) =>
        repository.edit("packages/core/package.json", (json) => {
          json.peerDependencies = { frame: "^1.0.0", other: "^1.0.0" };
          json.peerDependenciesMeta = { other: { optional: true } };
        }),
    ],
    [
      "a package of ours taken from a registry",
      "packages/gate/package.json: @fake/core is 1.0.0, not workspace:^",
      (repository) =>
        repository.edit(gate, (json) => {
          json.dependencies = { "@fake/core": "1.0.0" };
        }),
    ],
    [
      "a file over the limit",
      "packages/gate/src/long.ts has 401 lines, over 400",
      (repository) => repository.write("packages/gate/src/long.ts", "\n".repeat(401)),
    ],
    [
      "a lock file that names a host",
      "pnpm-lock.yaml:1 names a place to fetch from",
      (repository) =>
        repository.write("pnpm-lock.yaml", `  resolution: {tarball: ${"https"}://a.example/b.tgz}`),
    ],
    [
      "a file that names a registry's host",
      "docs/install.md:2 names the host of a package registry",
      (repository) =>
        repository.write("docs/install.md", `\nfrom ${["registry", "example", "org"].join(".")}/x`),
    ],
    [
      "a file that names a folder of one machine",
      "docs/install.md:1 names a folder of one machine",
      (repository) => repository.write("docs/install.md", `see ${["", "root", "notes"].join("/")}`),
    ],
  ];

  it.each(broken)("find %s", (_, problem, breakIt) => {
    using repository = new FakeRepository();
    breakIt(repository);
    expect(checkArchitecture(repository.root).problems).toContain(problem);
  });

  it("warn of a file that is long and not yet too long", () => {
    using repository = new FakeRepository();
    repository.write("packages/gate/src/long.ts", "\n".repeat(251));
    expect(checkArchitecture(repository.root)).toEqual({
      problems: [],
      warnings: ["packages/gate/src/long.ts has 251 lines, over 250"],
    });
  });

  it("let a package that the user brings have a range", () => {
    using repository = new FakeRepository();
    repository.edit(gate, (json) => {
      json.peerDependencies = { framework: ">=1" };
    });
    repository.write("packages/gate/src/framework.ts", 'import "framework";');
    expect(checkArchitecture(repository.root).problems).toEqual([]);
  });

  it("leave alone a method of something that is named registry", () => {
    using repository = new FakeRepository();
    repository.write("docs/tools.md", "registry.definitions.map((tool) => tool.name)");
    expect(checkArchitecture(repository.root).problems).toEqual([]);
  });

  it("leave alone what is not committed", () => {
    using repository = new FakeRepository();
    repository.write("packages/gate/dist/index.js", ["", "root", "x"].join("/"));
    repository.write("run.log", ["", "work", "x"].join("/"));
    expect(checkArchitecture(repository.root).problems).toEqual([]);
  });

  it("refuse a line of .gitignore that they cannot read", () => {
    using repository = new FakeRepository();
    repository.write(".gitignore", "dist\n!dist/keep\n");
    expect(() => checkArchitecture(repository.root)).toThrow("'!dist/keep'");
  });
});
