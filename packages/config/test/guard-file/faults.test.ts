import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { GuardFileError, loadGuardFile, loadToolDefinitions } from "../../src/index.js";
import { faultLines, faultsOf, guardYaml } from "./guard-yaml.js";

const guard = "guards: [{ use: ./allow.mjs }]\n";

describe("P5 a guard.yaml that is wrong is an error", () => {
  it("with every fault at once, from top to bottom, each with line, column and path", async () => {
    const file = guardYaml(`version: 2
gaurds: []
guards:
  - use: ./allow.mjs
    with:
      nmae: x
    tools: []
    failOpen: yes
  - use: ./alow.mjs
    mode: off
  - just text
  - use: ./limit.mjs
    with: { limit: 0 }
    timeoutMs: -1
agents:
  support: [x]
tools: 7
`);
    expect(await faultLines(file)).toEqual([
      "1:1 version: must be 1",
      "2:1 gaurds: there is no key 'gaurds' here. Did you mean 'guards'?",
      "7:5 guards[0].tools: names no tool: the guard would be off",
      "8:5 guards[0].failOpen: must be true or false",
      "10:5 guards[1].mode: must be 'enforce' or 'shadow'",
      "11:5 guards[2]: must be a mapping",
      "14:5 guards[3].timeoutMs: must be a positive number of milliseconds",
      "16:3 agents.support: must be a mapping",
      "17:1 tools: must be the path of a JSON file, or a list of tool definitions",
    ]);
  });

  it("with the plugins' faults beside those of the file's own keys", async () => {
    const file = guardYaml(`version: 1
mod: shadow
guards:
  - use: ./allow.mjs
    with:
      nmae: x
  - use: ./alow.mjs
  - use: ./limit.mjs
    with: { limit: 0 }
  - use: "@toolstile/no-such"
  - use: ./record.mjs
observers:
  - use: ./record.mjs
    with: { path: 7 }
`);
    expect(await faultLines(file)).toEqual([
      "2:1 mod: there is no key 'mod' here. Did you mean 'mode'?",
      "6:7 guards[0].with.nmae: there is no option 'nmae'. Did you mean 'name'?",
      "7:5 guards[1]: the plugin './alow.mjs' is not a file. Its path is relative to the configuration's folder.",
      "9:13 guards[2].with.limit: expected a number >= 1",
      "10:5 guards[3]: the plugin '@toolstile/no-such' is not installed. Install it: npm install @toolstile/no-such",
      "14:13 observers[0].with.path: expected string",
    ]);
  });

  it("with the place of each option that a plugin refuses by itself, also with another copy of core", async () => {
    const own = `
      class OptionFaults extends Error {
        name = "OptionFaults";
        faults = [
          { path: ["rules", 1, "when"], text: "must be right" },
          { path: ["name"], text: "must be another" },
        ];
      }
      class ToolstileError extends Error { code = "ERR_INVALID_OPTION"; }
      export const plugin = { name: "own", optionsSchema: { type: "object" }, create() {
        const error = new ToolstileError("two are wrong", { cause: new OptionFaults() });
        Object.defineProperty(error, Symbol.for("toolstile.error"), { value: true });
        throw error;
      } };`;
    const file = guardYaml(
      `version: 1
guards:
  - use: ./own.mjs
    with:
      name: x
      rules:
        - when: 1
        - id: b
          when: 2
`,
      { "own.mjs": own },
    );
    expect(await faultLines(file)).toEqual([
      "5:7 guards[0].with.name: must be another",
      "9:11 guards[0].with.rules[1].when: must be right",
    ]);
  });

  it("once where a process ends with them", async () => {
    const { path } = guardYaml("version: 2\nguards: []\n");
    const error = await loadGuardFile(path).catch((caught) => caught);
    expect(inspect(error).split("must be 1")).toHaveLength(2);
    expect(error.faults).toHaveLength(1);
  });

  it("whose message has a line for each, with the file", async () => {
    const { path } = guardYaml("version: 2\nguards: 3\n");
    const error = await loadGuardFile(path).catch((caught) => caught);
    expect(error).toBeInstanceOf(GuardFileError);
    expect([error.code, error.message]).toEqual([
      "ERR_CONFIG",
      `${path}:1:1: version: must be 1\n${path}:2:1: guards: must be a list of guards`,
    ]);
  });

  it.each<[string, string, string]>([
    [
      "an observer among the guards",
      "guards: [{ use: ./record.mjs }]",
      "2:10 guards[0]: makes an observer, which belongs under observers",
    ],
    [
      "a guard among the observers",
      `${guard}observers: [{ use: ./allow.mjs, with: { name: b } }]`,
      "3:13 observers[0]: makes a guard, which belongs under guards",
    ],
    [
      "two guards of one name",
      "guards: [{ use: ./allow.mjs }, { use: ./deny.mjs, with: { name: allow } }]",
      "2:32 guards[1]: makes a second one named 'allow', as guards[0] does. Give one of them another name, where its options have one: with: { name: … }",
    ],
    ["a key that is missing", "mode: shadow", "1:1 guards: is missing"],
    ["an agent without guards", `${guard}agents: { a: {} }`, "3:11 agents.a.guards: is missing"],
    [
      "an agent without a name",
      `${guard}agents: { "": { guards: [] } }`,
      "3:11 agents['']: must be a name that is not empty",
    ],
    [
      "a guard whose options are null",
      "guards: [{ use: ./allow.mjs, with: }]",
      "2:30 guards[0].with: must be a mapping of options",
    ],
    [
      "a tool that is not declared",
      `guards: [{ use: ./allow.mjs, tools: [serch] }]\ntools: [{ name: search }]`,
      "2:38 guards[0].tools[0]: no tool 'serch' is declared. Did you mean 'search'?",
    ],
    [
      "a tool that is declared twice",
      `${guard}tools: [{ name: search }, { name: search }]`,
      "3:27 tools[1]: is a second tool named 'search'",
    ],
    [
      "a declaration without a name",
      `${guard}tools: [{ title: Search }]`,
      "3:9 tools[0]: must be a tool definition, and has no name",
    ],
  ])("of %s", async (_, text, fault) => {
    expect(await faultLines(guardYaml(`version: 1\n${text}\n`))).toEqual([fault]);
  });

  it("that quotes no value of an option", async () => {
    const file = guardYaml(`version: 1
guards:
  - { use: ./limit.mjs, with: { limit: hunter2, hunter: hunter2, name: [hunter2] } }
  - { use: ./limit.mjs, with: "hunter2" }
  - { use: ./limit.mjs, timeoutMs: hunter2, mode: hunter2, failOpen: hunter2 }
policyVersion: [hunter2]
`);
    const faults = await faultsOf(file);
    expect(faults.length).toBeGreaterThan(6);
    expect(JSON.stringify(faults)).not.toContain("hunter2");
  });
});

describe("YAML that is read in more than one way is an error:", () => {
  const deep = "[".repeat(200) + "]".repeat(200);
  const abyss = "[".repeat(30_000);
  const bomb = Array.from({ length: 12 }, (_, level) =>
    level === 0 ? "a0: &a0 [x, x]" : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`,
  ).join("\n");
  const many = `l: [${"&x 1, ".repeat(1)}${Array.from({ length: 101 }, () => "*x").join(", ")}]`;
  it.each<[string, string, string]>([
    ["a key that stands twice", `${guard}${guard}`, "3:1 : a key stands twice in one mapping"],
    [
      "a key that stands twice in options",
      "guards: [{ use: ./allow.mjs, with: { name: a, name: b } }]",
      "2:47 : a key stands twice in one mapping",
    ],
    [
      "a merge key",
      "base: &b { use: ./allow.mjs }\nguards: [{ <<: *b }]",
      "3:12 : merge keys are not supported",
    ],
    [
      "the key __proto__",
      "guards: [{ use: ./allow.mjs, with: { __proto__: { name: x } } }]",
      "2:38 : the key '__proto__' cannot be used",
    ],
    ["a key that is no text", "? [a]\n: b", "2:3 : cannot be read as YAML: a key is not text"],
    [
      "a package's name without quotes",
      "guards:\n  - use: @toolstile/schema",
      "3:10 : cannot be read as YAML: a text that begins with a sign such as @ or ` needs quotes",
    ],
    [
      "a tag",
      "guards: !list []",
      "2:9 : cannot be read as YAML: tags of your own are not supported",
    ],
    [
      "a tag of YAML for what is not JSON",
      "guards: !!binary aGk=",
      "2:9 : cannot be read as YAML: tags of your own are not supported",
    ],
    [
      "more than one document",
      `${guard}---\nguards: []`,
      "3:1 : cannot be read as YAML: there is more than one document",
    ],
    [
      "a tab that indents",
      "guards:\n\t- use: x",
      "3:1 : cannot be read as YAML: a tab is used to indent; YAML takes spaces only",
    ],
    [
      "an alias without an anchor",
      "guards: *nobody",
      "2:9 : an alias names no anchor: a text that begins with * needs quotes",
    ],
    ["a number that is not finite", "guards: .inf", "2:9 : a number is not finite"],
    [
      "a number that cannot be held exactly",
      "guards: 9007199254740993",
      "2:9 : a number is too large to be held exactly; write it as text",
    ],
    ["half a character", 'policyVersion: "\\uD800"', "2:16 : a text holds half a character"],
    ["too many aliases", many, "it has more than 100 aliases"],
    [
      "aliases that stand for very much",
      bomb,
      "its aliases stand for too much, or it is nested too deeply",
    ],
    ["what is nested deeply", `guards: ${deep}`, "it is nested too deeply"],
    ["what is nested without end", `guards: ${abyss}`, "nested too deeply"],
  ])("%s", async (_, text, fault) => {
    const lines = await faultLines(guardYaml(`version: 1\n${text}\n`));
    expect(lines[0]).toContain(fault);
  });

  it.each(["%YAML 1.1\n---\n", "%TAG ! tag:x,2000:\n---\n"])("the directive %j", async (start) => {
    const lines = await faultLines(guardYaml(`${start}version: 1\n${guard}`));
    expect(lines[0]).toContain("directives are not supported");
  });

  it("and yes, no, on and off are texts", async () => {
    const file = guardYaml("version: 1\nguards: [{ use: ./allow.mjs, failOpen: on }]\n");
    expect(await faultLines(file)).toEqual(["2:30 guards[0].failOpen: must be true or false"]);
  });

  it("but anchors and aliases in bounds are taken", async () => {
    const file = guardYaml(`version: 1
guards:
  - { use: ./allow.mjs, tools: &both [a, b] }
  - { use: ./deny.mjs, tools: *both }
`);
    expect(await faultLines(file)).toEqual([]);
  });

  it("and what is wrong behind an alias is shown in its place", async () => {
    const file = guardYaml(`version: 1
guards:
  - { use: ./allow.mjs, with: &with { nmae: x } }
  - { use: ./deny.mjs, with: *with }
`);
    expect((await faultLines(file)).map((line) => line.slice(0, 4))).toEqual(["3:39", "3:39"]);
  });
});

describe("a file that cannot be read is an error:", () => {
  it.each<[string, string | Buffer, string]>([
    ["an empty one", "", "it is empty"],
    ["one of comments", "# nothing\n", "it is empty"],
    ["one that is not UTF-8", Buffer.from([0x76, 0xe9, 0x3a]), "it is not UTF-8"],
    ["one in UTF-16", Buffer.from("\ufeffversion: 1", "utf16le"), "it is not UTF-8"],
    ["one of more than 1 MiB", `#${"x".repeat(1024 * 1024)}`, "it is larger than 1 MiB"],
    ["a list", "- version: 1", "must be a mapping"],
    ["mere text", "guards", "must be a mapping"],
  ])("%s", async (_, content, message) => {
    const file = guardYaml("");
    writeFileSync(file.path, content);
    expect((await faultLines(file)).join()).toContain(message);
  });

  it("one that is not there, and a folder", async () => {
    const { path } = guardYaml("");
    await expect(loadGuardFile(`${path}.none`)).rejects.toThrow("there is no such file");
    await expect(loadGuardFile(dirname(path))).rejects.toThrow("it is a folder");
  });

  it("and a byte order mark is none", async () => {
    expect(await faultLines(guardYaml(`\ufeffversion: 1\n${guard}`))).toEqual([]);
  });
});

/** How a file means a variable. */
const variable = (name: string): string => ["$", "{env:", name, "}"].join("");

describe("an environment variable", () => {
  const file = (value: string) =>
    guardYaml(`version: 1\nguards: [{ use: ./allow.mjs, with: { name: "${value}" } }]\n`);

  it("stands for a whole text of an option", async () => {
    const env = { NAME: "from: [outside]" };
    await using loaded = await loadGuardFile(file(variable("NAME")).path, { env });
    expect(loaded.guards.map(({ name }) => name)).toEqual(["from: [outside]"]);
  });

  it.each([
    ["that is not set", variable("NAME"), "the environment variable 'NAME' is not set"],
    ["that everything inherits", variable("toString"), "variable 'toString' is not set"],
    ["that is a part of a text", `x${variable("NAME")}`, "stands for a whole text"],
    ["whose name is none", variable("NA ME"), "stands for a whole text"],
  ])("is an error %s", async (_, value, message) => {
    const [fault] = await faultLines(file(value));
    expect(fault).toContain("2:38 guards[0].with.name: ");
    expect(fault).toContain(message);
  });

  it("is read from nowhere else but options", async () => {
    const text = `version: 1\npolicyVersion: "${variable("NAME")}"\nguards: []\n`;
    await using loaded = await loadGuardFile(guardYaml(text).path, { env: { NAME: "x" } });
    expect(loaded.policyVersion).toBe(variable("NAME"));
  });
});

describe("declared tools", () => {
  const text = "version: 1\nguards: [{ use: ./allow.mjs, tools: [search] }]\ntools: ./tools.json\n";

  it.each<[string, unknown]>([
    ["MCP's list", [{ name: "search", inputSchema: { type: "object" }, annotations: { x: 1 } }]],
    [
      "what an MCP server answers",
      { tools: [{ name: "search", inputSchema: { type: "object" } }] },
    ],
    [
      "OpenAI's",
      [{ type: "function", function: { name: "search", parameters: { type: "object" } } }],
    ],
    ["OpenAI's flat form", [{ type: "function", name: "search", parameters: { type: "object" } }]],
  ])("are read in the form of %s", async (_, tools) => {
    await using file = await loadGuardFile(guardYaml(text, { "tools.json": tools as object }).path);
    expect(file.tools).toMatchObject([{ name: "search", parameters: { type: "object" } }]);
  });

  it.each<[string, string, string]>([
    ["no JSON", "[{]", ": it cannot be read as JSON"],
    ["depths", "[".repeat(200) + "]".repeat(200), "JSON: it is nested too deeply"],
    ["more than one value", '[], "x": []', "there is more than one value"],
    ["a key twice", '[{ "name": "a", "name": "b" }]', "it cannot be read as JSON"],
    ["no list", '{ "name": "search" }', "it holds no list of tool definitions"],
    ["no names", '[{ "title": "x" }]', "[0]: must be a tool definition, and has no name"],
  ])("are an error in their own file where that has %s", async (_, content, message) => {
    const file = guardYaml("version: 1\nguards: []\ntools: ./tools.json\n", {
      "tools.json": content,
    });
    const faults = await faultsOf(file);
    expect(faults.map(({ file, path, message }) => [file, `${path}: ${message}`])).toEqual([
      ["./tools.json", expect.stringContaining(message)],
    ]);
  });

  it("are read by themselves, for those who only look at them", async () => {
    const tools = [
      { name: "a", description: "A.", outputSchema: { type: "object" } },
      { name: "b" },
    ];
    const { path } = guardYaml("", { "tools.json": tools });
    const file = path.replace("guard.yaml", "tools.json");
    expect(await loadToolDefinitions(file)).toEqual(tools);
    await expect(loadToolDefinitions(path)).rejects.toThrow("it cannot be read as JSON");
  });

  it("are an error where their file is not there", async () => {
    expect((await faultsOf(guardYaml(text)))[0]).toMatchObject({
      file: "./tools.json",
      message: "there is no such file",
    });
  });
});
