import { existsSync, readFileSync } from "node:fs";
import { readYaml } from "@toolstile/config/yaml";
import type { Clock } from "@toolstile/core";
import { systemClock } from "@toolstile/core/provider";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { guardYaml } from "../src/init/guard-yaml.js";
import { initCommand } from "../src/init/init.js";
import { kindOfTool } from "../src/init/tool-kind.js";
import { main } from "../src/main.js";
import { UsageError } from "../src/terminal/command-line.js";
import { capturedTerminal } from "./captured-terminal.js";
import { folderWithPackages, packagesAreBuilt } from "./installed-packages.js";

const object = (properties: object) => ({ type: "object", properties });
const text = { type: "string" };
const tools = [
  {
    name: "read_file",
    description: "Reads a file.",
    inputSchema: object({ path: text }),
    annotations: { readOnlyHint: true },
  },
  {
    name: "write_file",
    description: "Writes.\nNot twice.",
    inputSchema: object({ path: text, text }),
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
  {
    name: "make_folder",
    inputSchema: object({ path: text }),
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  { name: "delete_file", inputSchema: object({ path: text }), annotations: { readOnlyHint: true } },
  { name: "send_mail", inputSchema: object({ to: text, url: text }) },
];

const variable = (name: string) => `\${env:${name}}`;

async function init(argv: readonly string[], clock: Clock = systemClock) {
  const terminal = capturedTerminal();
  let code: number | string;
  try {
    code = await initCommand({ clock, onSignal: () => () => {} }).run(argv, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    code = error.message;
  }
  return { code, ...terminal.written() };
}

function folderWith(list: unknown = { tools }) {
  const folder = folderWithPackages();
  folder.file("list.json", JSON.stringify(list));
  const argv = ["--tools", folder.at("list.json"), "--out", folder.at("guard.yaml")];
  return { ...folder, argv, read: () => readFileSync(folder.at("guard.yaml"), "utf8") };
}

async function check(path: string, ...options: string[]) {
  const terminal = capturedTerminal();
  const code = await main(["check", path, "--json", ...options], terminal);
  return { code, ...JSON.parse(terminal.written().out) };
}

describe("the harm that a tool may do", () => {
  it.each([
    [{ name: "get_user" }, "reads"],
    [{ name: "listFiles" }, "reads"],
    [{ name: "search" }, "reads"],
    [{ name: "get_or_create" }, "changes"],
    [{ name: "findAndUpdate", annotations: { readOnlyHint: true } }, "changes"],
    [{ name: "list_updates" }, "reads"],
    [{ name: "directory_tree", annotations: { readOnlyHint: true } }, "reads"],
    [{ name: "deleteFile", annotations: { readOnlyHint: true } }, "destroys"],
    [{ name: "files.REMOVE" }, "destroys"],
    [{ name: "get_and_purge" }, "destroys"],
    [{ name: "save", annotations: { destructiveHint: true } }, "destroys"],
    [{ name: "read", annotations: { readOnlyHint: false } }, "changes"],
    [{ name: "read", annotations: { readOnlyHint: "true" } }, "reads"],
    [{ name: "save", annotations: { readOnlyHint: "true" } }, "changes"],
    [{ name: "run_command" }, "changes"],
    [{ name: "getaway" }, "changes"],
    [{ name: "get-env", annotations: { readOnlyHint: true } }, "shows"],
    [{ name: "dump", description: "The API keys.", annotations: { readOnlyHint: true } }, "shows"],
    [{ name: "get_token", description: "" }, "shows"],
    [{ name: "listSecrets" }, "shows"],
    [{ name: "set_password" }, "changes"],
    [{ name: "delete_token" }, "destroys"],
    [{ name: "get_keyword", description: "Monkeys, tokenised." }, "reads"],
    [{ name: "" }, "changes"],
    [{ name: "редактировать" }, "changes"],
  ])("of %j is told by its annotations and its name: %s", (tool, harm) => {
    expect(kindOfTool(tool).harm).toBe(harm);
  });
});

describe.skipIf(!packagesAreBuilt)("toolstile init", () => {
  it("writes a guard.yaml in which check finds nothing, and says what it does about the tools", async () => {
    const { argv, at } = folderWith();
    const { code, out, err } = await init(argv);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("5 tools: 1 allowed, 2 asked about, 2 denied\n");
    const needed = ["config", "allowlist", "schema", "rules"].map((name) => `@toolstile/${name}`);
    expect(out).toContain(`needs: npm install ${needed.join(" ")}\n`);
    const { code: checked, findings, declared } = await check(at("guard.yaml"));
    expect([checked, findings, declared]).toEqual([0, [], true]);
  });

  it("asks about a tool that says that it only reads, and shows secrets, and says by which word", async () => {
    const { argv, at, read } = folderWith({
      tools: [{ name: "get-env", annotations: { readOnlyHint: true } }],
    });
    const { out } = await init(argv);
    expect(out).toContain("1 tool: 0 allowed, 1 asked about, 0 denied\n");
    expect(read()).toContain(
      "# Asked about below: it only reads, and may show secrets: it speaks of 'env'.\n",
    );
    const { samples } = await check(at("guard.yaml"), "--call", "get-env");
    expect(samples).toMatchObject([{ verdict: "ask" }]);
  });

  it("allows what reads, asks about what changes, and denies what may destroy, and what is not listed", async () => {
    const { argv, at } = folderWith();
    await init(argv);
    const calls = ["read_file", "write_file", "make_folder", "delete_file", "send_mail", "other"];
    const { samples } = await check(at("guard.yaml"), ...calls.flatMap((name) => ["--call", name]));
    expect(samples.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      "allow",
      "deny",
      "ask",
      "deny",
      "ask",
      "deny",
    ]);
  });

  it("writes the same for the same tools", async () => {
    const [one, other] = [folderWith(), folderWith()];
    await init(one.argv);
    await init(other.argv);
    expect(one.read()).toBe(other.read());
  });

  it("says in a comment what each key and each tool is for", async () => {
    const { argv, read } = folderWith();
    await init(argv);
    const lines = read().split("\n");
    const isCommented = (line: string, index: number): boolean => {
      const before = lines[index - 1]?.trim() ?? "";
      return (
        before.startsWith("#") ||
        /^(with|allow|rules|tools):$/.test(line.trim()) ||
        /^(- |use:|id:)/.test(before)
      );
    };
    const bare = lines.filter(
      (line, index) =>
        line.trim() !== "" && !line.trim().startsWith("#") && !isCommented(line, index),
    );
    expect(bare.filter((line) => !/^ {10,}- "/.test(line))).toEqual([]);
    expect(read()).toContain("# Writes. Not twice.\n");
  });

  it("has examples that work once their # is taken away", async () => {
    const { argv, read, file, at } = folderWith();
    await init(argv);
    const whole = read().replace(
      /^( {8})# (- id: | {4}- "| {2}(?:tools|require|when|deny|ask):| {4}all:| {6}- \{)/gm,
      "$1$2",
    );
    expect(whole.match(/^ {8}- id: /gm)?.length).toBeGreaterThan(4);
    expect(whole).toMatch(
      /pathUnder: \["(.+)"\] \}\n {8}# {7}# This follows links.*\n {14}- \{ at: "\/path", realPathUnder: \["\1"\] \}\n/,
    );
    file("guard.yaml", whole);
    const { findings, rules } = await check(at("guard.yaml"));
    expect(findings).toEqual([]);
    expect(rules[0].rules).toMatchObject([{ id: "only-these-folders" }]);
  });

  it("has an approver that can be loaded once its # is taken away, if rules ask", async () => {
    const { argv, read, file, at } = folderWith();
    await init(argv);
    const whole = read().replace(/^# (approver:| {2}use:| {2}with:| {4}folder:)/gm, "$1");
    expect(whole).toContain('\napprover:\n  use: "@toolstile/approval"\n  with:\n    folder: {');
    file("guard.yaml", whole);
    expect(await check(at("guard.yaml"))).toMatchObject({ code: 0, findings: [] });
    const reading = folderWith({ tools: tools.slice(0, 1) });
    await init(reading.argv);
    expect(reading.read()).not.toContain("approver");
  });

  it("has no rules where all tools only read, and examples that work once their # is taken away", async () => {
    const { argv, read, file, at } = folderWith({ tools: tools.slice(0, 1) });
    await init(argv);
    expect(await check(at("guard.yaml"))).toMatchObject({ code: 0, findings: [], rules: [] });
    const whole = read().replace(
      /^( +)# ( *(?:- (?:use: "@toolstile\/rules"|id: )|(?:with:|rules:)$|- ["{]|(?:tools|require|all|when|deny|ask):))/gm,
      "$1$2",
    );
    file("guard.yaml", whole);
    const { code, rules } = await check(at("guard.yaml"));
    expect([code, rules[0]?.rules.length]).toEqual([0, 1]);
  });

  it.each([
    ["a name that reads like a pattern", { name: "read_*" }],
    ["a schema that is refused", { name: "bad", inputSchema: { type: "no such type" } }],
    ["a name without end", { name: "x".repeat(300) }],
    ["a name that reads like a variable", { name: variable("PATH") }],
    ["a name with a variable in it", { name: `get_${variable("NO_SUCH_VARIABLE")}` }],
  ])("leaves out a tool with %s, and says so", async (_, tool) => {
    const { argv, at, read } = folderWith({ tools: [...tools, tool] });
    const { code, out } = await init(argv);
    expect(code).toBe(0);
    expect(out).toContain(`left out: ${tool.name.slice(0, 200)}`);
    expect(read()).toContain("# Left out, since its ");
    const { code: checked, findings, declared } = await check(at("guard.yaml"));
    expect([checked, findings, declared]).toEqual([0, [], false]);
  });

  it.each<[string, unknown, string]>([
    ["no tools", [], "has no tools"],
    ["none that can be used", [{ name: "*" }], "has no tool that can be used"],
    ["no list", {}, "it holds no list of tool definitions"],
    ["a tool twice", [{ name: "a" }, { name: "a" }], "is a second tool named 'a'"],
  ])("writes nothing for a file with %s", async (_, list, message) => {
    const { argv, at } = folderWith(list);
    const { code, err } = await init(argv);
    expect([code, existsSync(at("guard.yaml"))]).toEqual([1, false]);
    expect(err).toContain(message);
  });

  it("writes over no file, unless it is told to", async () => {
    const { argv, file, read } = folderWith();
    file("guard.yaml", "mine\n");
    expect((await init(argv)).code).toContain("is there already. Pass --force to write over it.");
    expect(read()).toBe("mine\n");
    expect((await init([...argv, "--force"])).code).toBe(0);
    expect(read()).toContain("version: 1");
  });

  it("does not write over the file with the tools", async () => {
    const { argv, at } = folderWith();
    const same = [...argv.slice(0, 3), at("list.json"), "--force"];
    expect((await init(same)).code).toContain("--out would write over");
  });

  it("says what must be installed for the file to load", async () => {
    const { argv } = folderWith();
    const bare = folderWith();
    const { rmSync } = await import("node:fs");
    rmSync(bare.at("node_modules"));
    const { code, err } = await init([...argv.slice(0, 3), bare.at("guard.yaml")]);
    expect(code).toBe(1);
    expect(err).toContain("cannot be loaded yet:");
    expect(err).toContain("npm install @toolstile/rules");
  });

  it.each<[string[], string]>([
    [[], "Name the tools: --tools FILE, or --mcp -- COMMAND."],
    [["--mcp", "--tools", "x"], "Name the tools: --tools FILE, or --mcp -- COMMAND."],
    [["--mcp"], "Name the server, after --"],
    [["--tools", "x", "--", "y"], "A command after -- goes with --mcp."],
    [["--tools", "x", "--timeout", "1"], "--timeout goes with --mcp."],
    [["--mcp", "--timeout", "soon", "--out", "/no/such/x", "--", "y"], "--timeout is a number"],
    [["tools.json"], "--tools tools.json"],
  ])("does not understand %j", async (argv, message) => {
    expect((await init(argv)).code).toContain(message);
  });
});

/** Texts with what could break out of a comment, of quotes or of a terminal. */
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        ...["\n", "\r", "\u0085", "\u2028", "\u2029", "\u0000", "\u001b[2J", "\ufeff", "\u202e"],
        ...[
          '"',
          "\\",
          "'",
          "#",
          ": ",
          "- use: ./evil.js",
          "*",
          "&a",
          "!!js",
          "%",
          "\t",
          "\u{e0001}",
          "\ufffe",
        ],
      ),
    )
    .map((parts) => parts.join("")),
);

describe("the text of a first guard.yaml", () => {
  it("has the names of strangers as they are, and of their words nothing but comments", {
    tags: "longer",
  }, () => {
    const tool = fc.record({
      name: hostile.filter((name) => name.isWellFormed() && name !== ""),
      description: hostile,
      parameters: fc.record({
        properties: fc.dictionary(
          fc.oneof(hostile, fc.constantFrom("path", "url", "to")),
          fc.constant(text),
        ),
      }),
      annotations: fc.record({ readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(tool, { selector: ({ name }) => name, minLength: 1, maxLength: 5 }),
        hostile,
        (list, words) => {
          const written = guardYaml({
            tools: list as never,
            leftOut: [{ name: words, why: words }],
            toolsPath: words.isWellFormed() ? `./${words}` : "./tools.json",
          });
          expect(written).not.toMatch(/[^\P{C}\n]/u);
          const { data, faults } = readYaml(written);
          expect(faults).toEqual([]);
          const file = data as {
            guards: { use: string; with?: { allow?: string[]; rules?: { tools: string[] }[] } }[];
          };
          expect(Object.keys(data as object)).toEqual(["version", "tools", "guards"]);
          expect(file.guards[0]?.with?.allow).toEqual(list.map(({ name }) => name));
          expect(file.guards.map(({ use }) => use).slice(0, 2)).toEqual([
            "@toolstile/allowlist",
            "@toolstile/schema",
          ]);
          const ruled = file.guards[2]?.with?.rules?.flatMap((rule) => rule.tools) ?? [];
          expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining(ruled));
        },
      ),
      { numRuns: inject("long") ? 3_000 : 100 },
    );
  });
});
