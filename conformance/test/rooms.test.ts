import { describe, expect, it } from "vitest";
import { checkArchitecture } from "../../scripts/architecture/check.mjs";
import { FakeRepository } from "./fake-repository.js";

/** A package with two rooms and a file among them, below an entry. */
function withRooms(): FakeRepository {
  const repository = new FakeRepository();
  repository.write("packages/gate/src/names.ts", "export type Name = string;");
  repository.write("packages/gate/src/time/clock.ts", "export const now = 0;");
  repository.write(
    "packages/gate/src/call/head.ts",
    'import { now } from "../time/clock.js";\nimport type { Name } from "../names.js";\nimport "./scope.js";',
  );
  repository.write("packages/gate/src/call/scope.ts", "export const scope = 0;");
  repository.write(
    "packages/gate/src/index.ts",
    'export const core = import("@fake/core");\nexport * from "./call/head.js";',
  );
  list(repository, ["names.ts", "time", "call"]);
  return repository;
}

function list(repository: FakeRepository, rooms: readonly string[], folder = "gate"): void {
  repository.edit("architecture.json", (json) =>
    Object.assign(json, { rooms: { [folder]: rooms } }),
  );
}

describe("the rooms of a package", () => {
  it("may import from themselves and from those before them, and an entry from all", () => {
    using repository = withRooms();
    expect(checkArchitecture(repository.root).problems).toEqual([]);
  });

  const wayOut = "or a room before it, or have it passed in";
  const broken: [string, string, (repository: FakeRepository) => void][] = [
    [
      "an import from a room that comes after",
      `packages/gate/src/time/wait.ts imports '../call/scope.js': the room time may not import from call, which comes after it. Move what both need into time ${wayOut}`,
      (repository) =>
        repository.write("packages/gate/src/time/wait.ts", 'import "../call/scope.js";'),
    ],
    [
      "such an import of a type alone",
      `packages/gate/src/time/wait.ts imports '../call/scope.js': the room time may not import from call, which comes after it. Move what both need into time ${wayOut}`,
      (repository) =>
        repository.write(
          "packages/gate/src/time/wait.ts",
          'type Scope = import("../call/scope.js").Scope;',
        ),
    ],
    [
      "a file among the rooms that imports from one after it",
      `packages/gate/src/names.ts imports './time/clock.js': the room names.ts may not import from time, which comes after it. Move what both need into names.ts ${wayOut}`,
      (repository) =>
        repository.write("packages/gate/src/names.ts", 'export * from "./time/clock.js";'),
    ],
    [
      "a room that imports what stands above all",
      `packages/gate/src/time/wait.ts imports '../options.js': the room time may not import options.ts, which is in no room and so stands above all. Move what both need into time ${wayOut}`,
      (repository) => {
        repository.write("packages/gate/src/options.ts", "");
        repository.write("packages/gate/src/time/wait.ts", 'import "../options.js";');
      },
    ],
    [
      "a folder that is no room",
      "packages/gate/src/run is no room of architecture.json: list it in the rooms of gate, after those that it imports from",
      (repository) => repository.write("packages/gate/src/run/steps.ts", ""),
    ],
    [
      "a room that is gone",
      "architecture.json lists the room time of gate, which is not there",
      (repository) => {
        repository.remove("packages/gate/src/time");
        repository.write("packages/gate/src/call/head.ts", "");
      },
    ],
    [
      "a room listed twice",
      "architecture.json lists the room time of gate twice",
      (repository) => list(repository, ["names.ts", "time", "call", "time"]),
    ],
    [
      "rooms of a package that is gone",
      "architecture.json lists rooms of attic, which is no package",
      (repository) => list(repository, ["time"], "attic"),
    ],
  ];

  it.each(broken)("do not permit %s", (_, problem, breakIt) => {
    using repository = withRooms();
    breakIt(repository);
    expect(checkArchitecture(repository.root).problems).toContain(problem);
  });
});

describe("the files of a package", () => {
  it("may not import each other in a circle, of which the shortest is told, once", () => {
    using repository = new FakeRepository();
    repository.write("packages/gate/src/a.ts", 'import "./b.js";\nimport "./c.js";');
    repository.write("packages/gate/src/b.ts", 'import "./c.js";');
    repository.write("packages/gate/src/c.ts", 'export type A = import("./a.js").A;');
    expect(checkArchitecture(repository.root).problems).toEqual([
      "packages/gate/src/a.ts → packages/gate/src/c.ts → packages/gate/src/a.ts: these import each other in a circle. Move what they share into a file of its own",
    ]);
  });

  it("may not import themselves", () => {
    using repository = new FakeRepository();
    repository.write("packages/gate/src/a.ts", 'import type { A } from "./a.js";');
    expect(checkArchitecture(repository.root).problems).toEqual([
      expect.stringMatching(/^packages\/gate\/src\/a\.ts → packages\/gate\/src\/a\.ts:/),
    ]);
  });

  it("may import the same file by two ways", () => {
    using repository = new FakeRepository();
    repository.write("packages/gate/src/a.ts", 'import "./b.js";\nimport "./c.js";');
    repository.write("packages/gate/src/b.ts", 'import "./c.js";');
    repository.write("packages/gate/src/c.ts", "");
    expect(checkArchitecture(repository.root).problems).toEqual([]);
  });
});
