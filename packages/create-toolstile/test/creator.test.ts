import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { type Creator, runCreator, type World } from "create-toolstile";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let workingFolder: string;
beforeEach(() => {
  workingFolder = mkdtempSync(join(tmpdir(), "toolstile-create-"));
});
afterEach(() => rmSync(workingFolder, { recursive: true }));

const creator: Creator = {
  program: "create-tea",
  help: "Usage: create-tea\n",
  defaultName: "tea",
  question: {
    option: "leaf",
    text: "Which leaf?",
    answers: [
      { name: "green", summary: "light" },
      { name: "black", summary: "strong" },
    ],
  },
  filesFor: (name, leaf) =>
    new Map([
      ["package.json", JSON.stringify({ name })],
      ["src/leaf.txt", `${leaf}\n`],
    ]),
  next: ["npm install"],
};

async function run(argv: readonly string[], typed?: string) {
  const said = { out: "", err: "" };
  const input = typed === undefined ? Readable.from([]) : new PassThrough().end(typed);
  const world: World = {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    input: Object.assign(input, { isTTY: typed !== undefined }),
    workingFolder,
  };
  return { code: await runCreator(creator, argv, world), ...said };
}

function made(...path: readonly string[]): string {
  return readFileSync(join(workingFolder, ...path), "utf8");
}

describe("a creator", () => {
  it("writes the files of a package into a folder of its name, without the scope", async () => {
    const { code, out, err } = await run(["--name", "@shop/tea-1", "--leaf", "black"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(made("tea-1", "package.json")).toBe('{"name":"@shop/tea-1"}');
    expect(made("tea-1/src/leaf.txt")).toBe("black\n");
    expect(out).toBe("Made @shop/tea-1 in tea-1: 2 files. Next:\n\n  cd tea-1\n  npm install\n");
  });

  it("takes the folder's name for the package's", async () => {
    expect((await run(["Cup"])).code).toBe(0);
    expect(made("Cup", "package.json")).toBe('{"name":"cup"}');
  });

  it("takes the defaults with --yes, at a terminal too", async () => {
    expect(await run(["--yes"], "")).toMatchObject({ code: 0, err: "" });
    expect(made("tea/src/leaf.txt")).toBe("green\n");
  });

  it("prints what it made as JSON, and nothing else", async () => {
    const { out, err } = await run(["--name", "cup", "--json"]);
    expect(err).toBe("");
    expect(JSON.parse(out)).toEqual({
      name: "cup",
      folder: join(workingFolder, "cup"),
      files: ["package.json", "src/leaf.txt"],
      next: ["npm install"],
    });
  });

  it("writes into no folder that has anything in it", async () => {
    writeFileSync(join(workingFolder, "mine.txt"), "mine");
    const { code, err } = await run([".", "--name", "tea"]);
    expect(code).toBe(1);
    expect(err).toContain("the folder is not empty");
    expect(existsSync(join(workingFolder, "package.json"))).toBe(false);
  });

  it("says that a file stands where the folder would be", async () => {
    writeFileSync(join(workingFolder, "tea"), "mine");
    const { code, err } = await run(["--yes"]);
    expect(code).toBe(1);
    expect(err).toContain("there is a file where the folder would be");
  });

  it("asks at a terminal for what was not given, by number or name, until it is an answer", async () => {
    const { code, err } = await run([], "cup\n7\n2\n");
    expect(code).toBe(0);
    expect(made("cup/src/leaf.txt")).toBe("black\n");
    expect(err).toContain("Name of the package (tea): Which leaf?\n  1  green  light\n");
    expect(err).toContain("That is none of them.");
  });

  it("takes the suggestions where nothing is typed, also where the input ends", async () => {
    expect((await run([], "\n")).code).toBe(0);
    expect(made("tea/src/leaf.txt")).toBe("green\n");
  });

  it.each([
    ["no name and no terminal", [], "'--name' is missing"],
    ["a name that npm refuses", ["--name", "Big Tea"], "'--name' must be a name for npm"],
    ["a name that leaves the folder", ["--name", "../tea"], "'--name' must be a name for npm"],
    [
      "an answer that there is not",
      ["--yes", "--leaf", "red"],
      "'--leaf' must be one of green, black",
    ],
    ["an unknown option", ["--nmae", "tea"], "Unknown option '--nmae'"],
    ["two folders", ["one", "two"], "only one folder can be named"],
  ])("refuses %s, with the usage", async (_, argv, problem) => {
    const { code, err } = await run(argv);
    expect(code).toBe(2);
    expect(err).toContain(problem);
    expect(err).toContain("Usage: create-tea");
  });

  it("prints its help, and makes nothing", async () => {
    expect(await run(["--help", "--yes"])).toEqual({ code: 0, out: creator.help, err: "" });
    expect(existsSync(join(workingFolder, "tea"))).toBe(false);
  });
});
