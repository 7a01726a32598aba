import { describe, expect, it } from "vitest";
import type { Finding } from "../src/check/findings.js";
import type { Forecast } from "../src/check/forecast.js";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";
import { temporaryFolder } from "./temporary-folder.js";

const plugin = (properties: string, create: string): string => `
  const text = { type: "string" }, list = { type: "array", items: text };
  export const plugin = { name: "p",
    optionsSchema: { type: "object", properties: { name: text, ${properties} } }, create: ${create} };`;
const plugins = {
  "only.mjs": plugin(
    "allow: list",
    `({ name = "only", allow }) => ({ name, tools: allow, evaluate: ({ toolName }) => allow.includes(toolName)
      ? { decision: "allow" } : { decision: "deny", reason: "not allowed", code: "not_allowed" } })`,
  ),
  "limit.mjs": plugin(
    "",
    `({ name = "limit" }) => ({ name, evaluate: () => ({ decision: "deny", reason: "used up" }),
      admit: () => ({ decision: "allow" }) })`,
  ),
  "schema.mjs": plugin(
    "",
    `({ name = "schema" }) => ({ name, checksArguments: () => true, register: (tool) => {
        if (tool.parameters?.type === "array") throw new Error("no object");
      }, evaluate: ({ args }) => ({ decision: "x" in args ? "allow" : "deny", reason: "x is missing" }) })`,
  ),
  "judge.mjs": plugin(
    "",
    `() => ({ name: "judge", evaluateResult: () => ({ decision: "allow" }) })`,
  ),
  "record.mjs": plugin("", `() => { throw new Error("opened"); }`),
  "bare.mjs": `${plugin("", `() => { throw new Error("opened"); }`)}
  plugin.checkInstalled = () => {
    const error = Object.assign(new Error("install it: npm install pg"), { code: "ERR_CONFIG" });
    throw Object.defineProperty(error, Symbol.for("toolstile.error"), { value: true });
  };`,
};

const tools = JSON.stringify([
  { name: "search", inputSchema: { type: "object", properties: { x: { type: "string" } } } },
  { name: "delete" },
]);

async function check(text: string, ...options: string[]) {
  const folder = temporaryFolder();
  for (const [name, source] of Object.entries(plugins)) folder.file(name, source);
  folder.file("tools.json", tools);
  const path = folder.file("guard.yaml", text);
  const terminal = capturedTerminal();
  const argv = options.map((option) => (option === "tools.json" ? folder.at(option) : option));
  const code = await main(["check", path, ...argv], terminal);
  const { out, err } = terminal.written();
  return { code, out: out.replaceAll(path, "guard.yaml"), err, folder };
}

/** The findings and the calls of `--json`. */
async function report(text: string, ...options: string[]) {
  const { code, out } = await check(text, "--tools", "tools.json", "--json", ...options);
  return { code, ...JSON.parse(out) };
}

const guards = (...entries: string[]): string =>
  `version: 1\nguards:\n${entries.map((entry) => `  - ${entry}\n`).join("")}`;
const only = (name: string, ...allow: string[]): string =>
  `{ use: ./only.mjs, with: { name: ${name}, allow: [${allow.join(", ")}] } }`;
const schema = "{ use: ./schema.mjs }";

describe("toolstile check", () => {
  it("ends with 0 on a file with nothing wrong, and says what each call comes to", async () => {
    const { code, out, err } = await check(
      guards(only("o", "search"), schema),
      "--tools",
      "tools.json",
    );
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("guard.yaml: ok, 2 guards");
    const lines = out.split("\n").map((line) => line.split(/ {2,}/));
    expect(lines).toContainEqual(["search", "depends on the call", "o, schema"]);
    expect(lines).toContainEqual(["delete", "denied always, by o (not_allowed)", "o"]);
  });

  it("lists every fault with its place, and ends with 1", async () => {
    const { code, out } = await check(
      "version: 1\nguards:\n  - use: ./none.mjs\n    mod: shadow\nx: 1\n",
    );
    expect(code).toBe(1);
    expect(out.split("\n")).toEqual([
      "guard.yaml: wrong, 2 faults",
      "",
      expect.stringMatching(
        /^guard\.yaml:4:5: guards\[0\]\.mod: there is no key 'mod' here\. Did you/,
      ),
      expect.stringMatching(/^guard\.yaml:5:1: x: there is no key 'x' here/),
      "",
    ]);
  });

  it("lists faults as JSON with line, column and path", async () => {
    const { code, out } = await check("version: 2\nguards: []\n", "--json");
    expect([code, JSON.parse(out).faults]).toEqual([
      1,
      [expect.objectContaining({ line: 1, column: 1, path: "version", message: "must be 1" })],
    ]);
  });

  it("finds a tool that is not there, and offers the nearest", async () => {
    const { code, findings } = await report(guards(only("o", "serch"), schema));
    expect(code).toBe(1);
    expect(findings).toContainEqual({
      kind: "unknown_tool",
      path: "guards[0]",
      line: 3,
      column: 5,
      message: "'o' is for a tool 'serch', which does not exist. Did you mean 'search'?",
    });
  });

  it("finds a guard whose scope names a tool that is not there", async () => {
    const { findings } = await report(
      guards(only("o", "search"), "{ use: ./schema.mjs, tools: [search, find] }"),
    );
    expect(findings).toMatchObject([{ kind: "unknown_tool", path: "guards[1]" }]);
  });

  it("finds a guard that is never asked, since one before it denies all that it is for", async () => {
    const dead = "{ use: ./limit.mjs, tools: [delete] }";
    const { code, findings, calls } = await report(guards(only("o", "search"), schema, dead));
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      {
        kind: "dead_guard",
        path: "guards[2]",
        line: 5,
        message: "'limit' is never asked: 'o' before it denies every call that it is for",
      },
    ]);
    expect(calls[1].asked).toEqual(["o"]);
  });

  it("finds a guard that denies everything, and those after it", async () => {
    const { findings } = await report(guards(only("o"), schema));
    expect(findings.map(({ kind, path }: Finding) => [kind, path])).toEqual([
      ["denies_everything", "guards[0]"],
      ["dead_guard", "guards[1]"],
    ]);
  });

  it.each<[string, string[]]>([
    ["it denies now, and counts calls", ["{ use: ./limit.mjs }", schema]],
    ["it looks at arguments", [schema, only("o", "search", "delete")]],
    ["it is in shadow", ["{ use: ./only.mjs, with: { allow: [] }, mode: shadow }", schema]],
  ])("does not say of a guard that it denies everything where %s", async (_, entries) => {
    const { code, findings, calls } = await report(guards(...entries));
    expect([code, findings]).toEqual([0, []]);
    expect(calls.map(({ verdict }: Forecast) => verdict)).toEqual(["depends", "depends"]);
  });

  it("finds a tool whose arguments nobody checks, unless that is meant", async () => {
    const { code, findings, calls } = await report(guards(only("o", "search", "delete")));
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ kind: "refused_tool" }]);
    expect(findings[0].message).toMatch(
      /^no guard checks the arguments of this tool .* `- use: "@toolstile\/schema"` under guards.*: 'search'$/,
    );
    expect(calls[0]).toMatchObject({ verdict: "denied", code: "tool_refused", asked: [] });
    const meant = await report(guards(only("o", "search", "delete")), "--unchecked");
    expect([meant.code, meant.calls[0].verdict]).toEqual([0, "depends"]);
  });

  it("finds a tool that a guard refuses", async () => {
    const { out } = await check(
      `${guards(schema)}tools: [{ name: list, parameters: { type: array } }]\n`,
    );
    expect(out).toContain("the tool 'list' would be refused, by 'schema'");
    expect(out).toContain("denied: the tool is refused");
  });

  it("says where no guard would judge a call", async () => {
    const { out, code } = await check(
      guards("{ use: ./schema.mjs, tools: [search] }"),
      "--tools",
      "tools.json",
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^delete +no guard: denied \(no_provider\)$/m);
  });

  it("marks guards that are in shadow, and those that judge results only", async () => {
    const { calls } = await report(
      guards(schema, "{ use: ./judge.mjs }", "{ use: ./limit.mjs, mode: shadow }"),
    );
    expect(calls[0].asked).toEqual(["schema", "judge (result)", "limit (shadow)"]);
  });

  it("says it of each agent, of any other, and of a call that names none", async () => {
    const text = `${guards(only("o", "search", "delete"), schema)}agents:\n  clerk: { guards: [${only("c", "search")}] }\n`;
    const { code, calls } = await report(text);
    expect(code).toBe(0);
    expect(calls.map(({ tool, asker, by = "-" }: Forecast) => `${tool} ${asker} ${by}`)).toEqual([
      "search clerk -",
      "search (any other) -",
      "search (not said) -",
      "delete clerk c",
      "delete (any other) -",
      "delete (not said) c",
    ]);
  });

  it("takes the tools that the file declares, and else those that guards name", async () => {
    const declared = await check(`${guards(only("o", "a"))}tools: [{ name: a }, { name: b }]\n`);
    expect(declared.out).toMatch(/^b +denied always, by o/m);
    const named = await check(guards(only("o", "a")));
    expect(named.out).toContain("No tools are declared");
    expect(named.out).toMatch(/^a +depends on the call/m);
    expect(named.code).toBe(0);
  });

  it("opens no observer", async () => {
    const { code } = await check(
      `${guards(only("o", "search"))}observers: [{ use: ./record.mjs }]\n`,
    );
    expect(code).toBe(0);
  });

  it("says which package an observer or an approver would not find, and opens neither", async () => {
    const { code, out } = await check(
      `${guards(only("o", "search"))}observers: [{ use: ./bare.mjs }]\napprover: { use: ./bare.mjs }\n`,
    );
    expect(code).toBe(1);
    const needed = "the plugin './bare.mjs' cannot be used here: install it: npm install pg";
    expect(out).toContain(`observers[0]: ${needed}\n`);
    expect(out).toContain(`approver: ${needed}\n`);
  });

  it("prints nothing that a terminal would obey", async () => {
    const name = JSON.stringify("a\u001b[2J\u009b");
    const { out } = await check(`${guards(only("o"))}tools: [{ name: ${name} }]\n`);
    expect(out).toContain("a\\u{1b}[2J");
    expect(out).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it("is coloured on a terminal, unless NO_COLOR says otherwise", async () => {
    const { folder } = await check(guards(only("o", "search")));
    const written = async (environment: Record<string, string>) => {
      const terminal = capturedTerminal({ isTTY: true, environment });
      await main(["check", folder.at("guard.yaml")], terminal);
      return terminal.written().out;
    };
    expect(await written({})).toContain("\u001b[");
    expect(await written({ NO_COLOR: "1" })).not.toContain("\u001b[");
  });

  it("ends with 2 where a file cannot be read, or it is called wrongly", async () => {
    const none = await check(guards(), "--tools", "/no/such/tools.json");
    expect(none).toMatchObject({ code: 2, err: "/no/such/tools.json: there is no such file\n" });
    const terminal = capturedTerminal();
    expect(await main(["check", temporaryFolder().path], terminal)).toBe(2);
    expect(await main(["check"], terminal)).toBe(2);
    expect(await main(["check", "a", "b"], terminal)).toBe(2);
    expect(await main(["check", "a", "--tool", "b"], terminal)).toBe(2);
    expect(terminal.written().err).toContain("Did you mean '--tools'?");
  });

  it("explains itself", async () => {
    const terminal = capturedTerminal();
    expect(await main(["check", "--help"], terminal)).toBe(0);
    expect(terminal.written().out).toContain("Exit codes:");
  });
});
