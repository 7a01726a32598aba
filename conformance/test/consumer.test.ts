import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  compilerOptions,
  consumerOf,
  readErrors,
  sortErrors,
} from "../../scripts/consumer/compile.mjs";
import { readEntries, specifiersOf } from "../../scripts/consumer/names.mjs";
import { environmentOutside, runNode } from "../../scripts/consumer/node.mjs";
import { frameworks, notFromTarballs } from "../../scripts/consumer/project.mjs";
import { differences } from "../../scripts/consumer/runs.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-consumer-test-")));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, content: string | object): string {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, typeof content === "string" ? content : JSON.stringify(content));
  return place;
}

describe("the frameworks of a fresh project", () => {
  const tools = { typescript: "6.0.3", "@types/node": "20.0.0" };
  const gate = { name: "gate", peerDependencies: { frame: "^2.0.0" } };

  function repository(name: string, gate: object, example: Record<string, string>): string {
    write(`${name}/package.json`, { devDependencies: tools });
    write(`${name}/packages/gate/package.json`, gate);
    write(`${name}/examples/story/package.json`, { name: "story", dependencies: example });
    return join(folder, name);
  }

  it("are the peers as they are tested, what examples use, and the compiler", () => {
    const devDependencies = { frame: "2.1.0", "only-for-tests": "1.0.0" };
    const example = { frame: "2.1.0", model: "3.0.0", gate: "workspace:^" };
    const place = repository("good", { ...gate, devDependencies }, example);
    expect(frameworks(place)).toEqual({ ...tools, frame: "2.1.0", model: "3.0.0" });
  });

  it("are refused where two versions of one are wanted, by whom", () => {
    const devDependencies = { frame: "2.1.0" };
    const place = repository("torn", { ...gate, devDependencies }, { frame: "2.2.0" });
    expect(() => frameworks(place)).toThrow("story needs frame 2.2.0 and gate 2.1.0");
  });

  it("are refused where no version of a peer is tested", () => {
    const place = repository("untested", gate, {});
    expect(() => frameworks(place)).toThrow("gate has no devDependency on its peer frame");
  });
});

it("A package of Toolstile that did not come from its tarball is named, wherever it lies", () => {
  write("installed/node_modules/.package-lock.json", {
    packages: {
      "node_modules/gate": { resolved: "file:../gate.tgz" },
      "node_modules/frame": { resolved: "a registry" },
      "node_modules/frame/node_modules/gate": { resolved: "a registry" },
    },
  });
  const packed = [{ name: "gate", tarball: join(folder, "gate.tgz") }];
  expect(notFromTarballs(join(folder, "installed"), packed)).toEqual([
    "node_modules/frame/node_modules/gate comes from a registry",
  ]);
});

describe("what a package exports", () => {
  const project = join(folder, "project");
  const entry = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
  beforeAll(() => {
    write("project/package.json", { type: "module" });
    mkdirSync(join(project, "node_modules"));
    symlinkSync(
      join(root, "node_modules", "typescript"),
      join(project, "node_modules", "typescript"),
    );
    const exports = {
      ".": entry("index"),
      "./broken": entry("broken"),
      "./data.json": "./data.json",
    };
    write("project/node_modules/gate/package.json", { name: "gate", type: "module", exports });
    write("project/node_modules/gate/index.js", "export const open = 1;\n");
    write(
      "project/node_modules/gate/index.d.ts",
      "export declare const open: number;\nexport declare const shut: number;\n" +
        'export type { Bolt } from "./bolt.js";\n',
    );
    write("project/node_modules/gate/bolt.d.ts", "export declare class Bolt {}\n");
    write("project/node_modules/gate/broken.js", 'import "absent";\n');
    write("project/node_modules/gate/broken.d.ts", "export type Part = 1;\n");
    write("project/node_modules/gate/data.json", "{}");
  });

  it("is every key of its exports, data too", () => {
    const specifiers = ["gate", "gate/broken", "gate/data.json"];
    expect(specifiersOf(project, [{ name: "gate" }])).toEqual(specifiers);
  });

  it("is told with the values that are declared and lacking, and the entries that do not load", async () => {
    const options = { ...compilerOptions("nodenext"), types: [] };
    const { entries, problems } = await readEntries(project, ["gate", "gate/broken"], options);
    expect(entries).toEqual([
      { specifier: "gate", values: ["open"], types: ["shut", "Bolt"] },
      { specifier: "gate/broken", values: [], types: ["Part"] },
    ]);
    expect(problems).toEqual([
      "gate declares shut, but lacks it",
      expect.stringContaining("gate/broken does not load: Cannot find package 'absent'"),
    ]);
  });

  it("is imported whole, name by name, types as types", () => {
    const data = { specifier: "gate/data.json", values: [], types: [] };
    expect(consumerOf([{ specifier: "gate", values: ["open"], types: ["Bolt"] }, data])).toBe(
      [
        'import * as whole0 from "gate";',
        "import {",
        "  open as open_0,",
        "  type Bolt as Bolt_0,",
        '} from "gate";',
        "void [whole0, open_0];",
        "export type { Bolt_0 };",
        "",
        'import whole1 from "gate/data.json" with { type: "json" };',
        "void whole1;",
        "",
      ].join("\n"),
    );
  });
});

describe("an error of the compiler", () => {
  const output = [
    "consumer.ts(1,2): error TS1: in the file itself",
    "node_modules/gate/index.d.ts(3,4): error TS2: in a package of ours",
    "  with a second line",
    "node_modules/frame/node_modules/gate/index.d.ts(3,4): error TS2: in a second copy of ours",
    "node_modules/@scope/frame/index.d.ts(5,6): error TS3: in one of others",
    "node_modules/gate-keeper/index.d.ts(5,6): error TS3: in one of others that is named alike",
    "error TS4: in no file",
    "",
  ].join("\n");

  it("counts unless it is in a package of others", () => {
    const { own, others } = sortErrors(readErrors(output), [{ name: "gate" }]);
    expect(own.map(({ file }) => file)).toEqual([
      "consumer.ts",
      "node_modules/gate/index.d.ts",
      "node_modules/frame/node_modules/gate/index.d.ts",
      "",
    ]);
    expect(own[1]?.text).toContain("with a second line");
    expect([...others]).toEqual([
      ["@scope/frame", 1],
      ["gate-keeper", 1],
    ]);
  });

  it("is none where the compiler says nothing", () => {
    expect(readErrors("")).toEqual([]);
  });
});

describe("a program of the fresh project", () => {
  const run = (text: string, timeout = 60_000) =>
    runNode([write("program.mjs", text)], { cwd: folder, env: environmentOutside(), timeout });
  const inside = join(root, "scripts", "test-conclusion.mjs");

  it("runs with what lies outside the workspace", async () => {
    const printed = await run('import "node:fs"; console.log("fine");');
    expect(printed).toEqual({ ended: "exit code 0", stdout: "fine\n", stderr: "" });
  });

  it("cannot import from the workspace", async () => {
    const { ended, stderr } = await run(`import "${pathToFileURL(inside)}";`);
    expect(ended).toBe("exit code 1");
    expect(stderr).toContain("resolves into the workspace");
  });

  it("fails if it required something from the workspace, even where a link hid it", async () => {
    symlinkSync(join(root, "node_modules", "typescript"), join(folder, "linked"));
    const { ended, stderr } = await run(`
      import { createRequire } from "node:module";
      createRequire(import.meta.url)("./linked/package.json");
    `);
    expect(ended).toBe("exit code 1");
    expect(stderr).toContain(`required from the workspace: ${root}`);
  });

  it("is ended at its deadline", async () => {
    const { ended } = await run("setInterval(() => {}, 1000);", 1);
    expect(ended).toBe("no end within 0.001 s");
  });
});

describe("a program's run in the fresh project", () => {
  const printed = (stdout: string, ended = "exit code 0") => ({ ended, stdout, stderr: "" });

  it.each([
    ["is the same", printed("a\nb\n"), printed("a\nb\n")],
    ["has other digests", printed("0123456789abcdef…\n"), printed("fedcba9876543210…\n")],
  ])("is right where it %s", (_, wanted, found) => {
    expect(differences(wanted, found)).toEqual([]);
  });

  it.each([
    ["prints something else", printed("a\nb\n"), printed("a\nc\n"), "stdout, line 2"],
    ["prints less", printed("a\nb"), printed("a"), "nothing more"],
    ["prints more", printed("a"), printed("a\nb"), "nothing more"],
    ["fails", printed("a"), printed("a", "exit code 3"), "exit code 3"],
    ["alone succeeds", printed("a", "exit code 3"), printed("a"), "in the workspace: exit code 3"],
    [
      "fails as in the workspace",
      printed("a", "exit code 3"),
      printed("a", "exit code 3"),
      "exit code 3",
    ],
  ])("is wrong where it %s", (_, wanted, found, problem) => {
    expect(differences(wanted, found)).toEqual([expect.stringContaining(problem)]);
  });

  it("is wrong where it warns of something else", () => {
    const warned = { ...printed("a"), stderr: "(node:12) a warning\n" };
    expect(differences({ ...warned, stderr: "(node:34) a warning\n" }, warned)).toEqual([]);
    expect(differences(printed("a"), warned)).toEqual([expect.stringContaining("stderr, line 1")]);
  });
});
