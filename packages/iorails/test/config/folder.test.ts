import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quoted } from "@toolstile/core/provider";
import { describe, expect, it } from "vitest";
import { RailsConfig, unsupportedReason } from "../../src/engine/rails-config.js";
import { folder } from "./folder.js";
import { problemsOf, problemsOfPath } from "./load.js";

const model = (type: string) => `models: [{type: ${type}, engine: nim, model: m}]\n`;

async function typesIn(path: string): Promise<readonly string[]> {
  return (await RailsConfig.fromPath(path)).data.models.map(({ type }) => type);
}

describe("a folder", () => {
  it("is read with all below it, in the order of the names", async () => {
    const path = await folder({
      "z.yml": model("z"),
      "sub/deep/b.yaml": model("sub"),
      "a.yml": model("a"),
      "readme.md": "models: [",
      "config.py": "models: [",
    });
    expect(await typesIn(path)).toEqual(["a", "sub", "z"]);
  });

  it("gives its Colang files' names, sorted", async () => {
    const path = await folder({ "config.yml": "", "b.co": "", "a/c.co": "define flow x" });
    const config = await RailsConfig.fromPath(path);
    expect(config.data.colangFiles).toEqual(["a/c.co", "b.co"]);
    expect(unsupportedReason(config)).toBe(
      "config has Colang files, which IORails would ignore: a/c.co, b.co",
    );
  });

  it("has no configuration in its kb folder, and has in kb.yml and sub/kb", async () => {
    const path = await folder({
      "kb/config.yml": model("no"),
      "kb/x.co": "",
      "kb.yml": model("file"),
      "sub/kb/config.yml": model("sub"),
    });
    expect(await typesIn(path)).toEqual(["file", "sub"]);
  });

  it.each([
    ["a name", "b.yml", ["a", "c"]],
    ["a star", "*.yml", []],
    ["comments and blank lines", "# a.yml\n\n  c.yml  \r\n", ["a", "b"]],
    ["a set", "[ab].yml", ["c"]],
    ["a path, which fits no file's name", "sub/c.yml", ["a", "b", "c"]],
  ])("leaves out what .railsignore says by %s", async (_, railsignore, types) => {
    const path = await folder({
      ".railsignore": railsignore,
      "a.yml": model("a"),
      "b.yml": model("b"),
      "sub/c.yml": model("c"),
      "keep.yaml": "",
    });
    expect(await typesIn(path)).toEqual(types);
  });

  it("finds the nearest .railsignore above it", async () => {
    const path = await folder({
      ".railsignore": "a.yml",
      "one/two/a.yml": model("a"),
      "one/two/b.yml": model("b"),
      "other/.railsignore": "b.yml",
      "other/a.yml": model("a"),
      "other/b.yml": model("b"),
    });
    expect(await typesIn(join(path, "one", "two"))).toEqual(["b"]);
    expect(await typesIn(join(path, "other"))).toEqual(["a"]);
  });

  it("is followed through links, around no circle, each file once", async () => {
    const path = await folder({ "config/real/a.yml": model("a"), "outside/b.yml": model("b") });
    const config = join(path, "config");
    await symlink(config, join(config, "circle"));
    await symlink(join(path, "outside"), join(config, "linked"));
    await symlink(join(config, "real", "a.yml"), join(config, "again.yml"));
    expect(await typesIn(config)).toEqual(["a", "b"]);
  });

  it("with a link to nowhere is an error", async () => {
    const path = await folder({ "a.yml": "" });
    await symlink(join(path, "nowhere"), join(path, "rails.yml"));
    expect(await problemsOfPath(path)).toEqual(["rails.yml: cannot be read"]);
  });

  it("with a file that is not UTF-8 is an error", async () => {
    const path = await folder({});
    await writeFile(join(path, "a.yml"), Buffer.from([0x61, 0x3a, 0xff]));
    expect(await problemsOfPath(path)).toEqual(["a.yml: it is not UTF-8"]);
  });

  it("names file and place of every problem", async () => {
    const path = await folder({
      "config.yml":
        "models:\n  - {type: main, engine: nim, model: m}\nrails:\n  output:\n    streaming:\n      chunk_size: 0\n",
      "more/prompts.yml": `${model("main")}prompts:\n  - task: self_check_input\n    content: x\n    odd: 1\n`,
      "x.yml": "a: [",
    });
    expect(await problemsOfPath(path)).toEqual([
      "x.yml: cannot be read as YAML: a quote, bracket or colon is missing (line 1, column 5)",
      "config.yml: rails.output.streaming.chunk_size must be a whole number from 1 on (line 6, column 7)",
      "more/prompts.yml: models[0].type repeats the model type 'main' (line 1, column 11)",
      "more/prompts.yml: prompts[0] has no key 'odd'. Did you mean 'mode'? (line 5, column 5)",
    ]);
  });

  it("without configuration, or that is none, is an error", async () => {
    const path = await folder({ "readme.md": "", "config.yml.bak": "" });
    await mkdir(join(path, "folder.yml"));
    expect(await problemsOfPath(path)).toEqual([`${quoted(path)} holds no .yml or .yaml file.`]);
    for (const name of ["readme.md", "nothing"]) {
      expect((await problemsOfPath(join(path, name))).join()).toContain(
        "is neither a folder that can be read nor a .yml or .yaml file.",
      );
    }
  });
});

describe("a single file", () => {
  it("is read alone, whatever .railsignore says", async () => {
    const path = await folder({
      ".railsignore": "*",
      "a.yaml": model("a"),
      "b.yml": model("b"),
      "c.co": "",
    });
    const { data } = await RailsConfig.fromPath(join(path, "a.yaml"));
    expect(data.models.map(({ type }) => type)).toEqual(["a"]);
    expect(data.colangFiles).toEqual([]);
  });
});

describe("two files", () => {
  it("merge rails key by key, and concatenate lists", async () => {
    const path = await folder({
      "1.yml": `${model("a")}rails:\n  input: {flows: [check one], parallel: true}\n  output: {streaming: {enabled: true}}\n`,
      "2.yml": `${model("b")}rails:\n  input: {flows: [check two], parallel: true}\n  output: {streaming: {chunk_size: 7}}\n`,
    });
    const { data } = await RailsConfig.fromPath(path);
    expect(data.input.flows.map(({ name }) => name)).toEqual(["check one", "check two"]);
    expect(data.input.parallel).toBe(true);
    expect(data.output.streaming).toMatchObject({ enabled: true, chunkSize: 7 });
    expect(data.models.map(({ type }) => type)).toEqual(["a", "b"]);
  });

  it.each([
    [
      "two scalars",
      "rails: {input: {parallel: true}}",
      "rails: {input: {parallel: false}}",
      "rails.input.parallel",
      17,
    ],
    ["a list and a mapping", "models: []", "models: {}", "models", 1],
    ["two versions", 'colang_version: "1.0"', 'colang_version: "2.x"', "colang_version", 1],
    [
      "two settings outside rails",
      "tracing: {enabled: true}",
      "tracing: {enabled: false}",
      "tracing.enabled",
      11,
    ],
  ])(
    "that contradict each other by %s are an error that names both",
    async (_, first, second, at, column) => {
      const path = await folder({ "b.yml": second, "a.yml": first });
      expect(await problemsOfPath(path)).toContain(
        `b.yml: ${at} is not what a.yml says: one of the two must go (line 1, column ${column})`,
      );
    },
  );

  it("may differ in what this engine does not read", async () => {
    const path = await folder({ "a.yml": "streaming: true", "b.yml": "streaming: false" });
    expect(await problemsOfPath(path)).toEqual([]);
  });

  it("leave alone what one of them leaves empty", async () => {
    const path = await folder({
      "a.yml": "models:",
      "b.yml": model("b"),
      "c.yml": "models:\n",
    });
    expect(await typesIn(path)).toEqual(["b"]);
  });
});

describe("content", () => {
  it("is the object first, then the YAML", async () => {
    const { data } = await RailsConfig.fromContent({
      yaml: model("second"),
      config: { models: [{ type: "first", engine: "nim", model: "m" }] },
    });
    expect(data.models.map(({ type }) => type)).toEqual(["first", "second"]);
  });

  it("that contradicts itself is an error", async () => {
    expect(
      await problemsOf({
        yaml: "metrics: {enabled: true}",
        config: { metrics: { enabled: false } },
      }),
    ).toEqual([
      "<yaml>: metrics.enabled is not what <config> says: one of the two must go (line 1, column 11)",
    ]);
  });

  it("leaves the caller's object alone", async () => {
    const config = { models: [{ type: "a", engine: "nim", model: "m" }] };
    await RailsConfig.fromContent({ config, yaml: model("b") });
    expect(config.models).toHaveLength(1);
    expect(Object.isFrozen(config.models)).toBe(false);
  });
});
