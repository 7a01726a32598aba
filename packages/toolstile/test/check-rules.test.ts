import { describe, expect, it } from "vitest";
import type { Finding } from "../src/check/findings.js";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";
import { folderWithPackages, packagesAreBuilt } from "./installed-packages.js";

const tools = [
  {
    name: "pay",
    inputSchema: {
      type: "object",
      properties: { cents: { type: "integer", minimum: 1, maximum: 100 }, to: { type: "string" } },
      required: ["cents"],
    },
  },
  { name: "read", inputSchema: { type: "object", properties: { path: { type: "string" } } } },
  { name: "gone" },
];

const schema = `  - use: "@toolstile/schema"\n`;
const rules = (text: string, more = "") =>
  `  - use: "@toolstile/rules"\n${more}    with:\n      rules:\n${text.trim().replace(/^/gm, "        ")}\n`;
const named = (name: string, text: string, more = "") =>
  rules(text, more).replace("    with:\n", `    with:\n      name: ${name}\n`);

async function check(guards: string, ...options: string[]) {
  const folder = folderWithPackages();
  folder.file("tools.json", JSON.stringify({ tools }));
  const path = folder.file("guard.yaml", `version: 1\nguards:\n${guards}`);
  const terminal = capturedTerminal();
  const argv = options.map((option) => (option === "tools.json" ? folder.at(option) : option));
  const code = await main(["check", path, ...argv], terminal);
  const { out, err } = terminal.written();
  return { code, out: out.replaceAll(path, "guard.yaml"), err };
}

async function report(guards: string, ...options: string[]) {
  const { code, out } = await check(guards, "--json", ...options);
  return { code, ...JSON.parse(out) };
}

const said = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ kind, line, path, message }) => `${line} ${path} ${kind}: ${message}`);

describe.skipIf(!packagesAreBuilt)("toolstile check of rules", () => {
  it.each([
    ["the caller", "require: { host: /attributes/role, equals: admin }"],
    ["the time", "when: { not: { time: { zone: UTC, from: '00:00', to: '00:01' } } }"],
    ["the caller, in an expression", "when: { cel: 'host.principal != \"ann\"' }"],
  ])("says of no rule about %s that it denies always", async (_, condition) => {
    const { calls, findings } = await report(
      schema +
        rules(`- { id: some, tools: [gone], ${condition}, deny: not now }`) +
        named(
          "later",
          "- { id: other, tools: [gone], when: { at: /x, present: true }, deny: no x }",
        ),
      "--tools",
      "tools.json",
      "--at",
      "2026-01-15T12:00:00Z",
    );
    const gone = calls.find(({ tool }: { tool: string }) => tool === "gone");
    expect(gone).toMatchObject({ verdict: "depends", asked: ["schema", "rules", "later"] });
    expect(said(findings)).toEqual([]);
  });

  it("says of a rule without a condition that it denies always", async () => {
    const { calls } = await report(
      schema + rules("- { id: never, tools: [gone], deny: never }"),
      "--tools",
      "tools.json",
    );
    const gone = calls.find(({ tool }: { tool: string }) => tool === "gone");
    expect(gone).toMatchObject({ verdict: "denied", by: "rules", code: "never" });
  });

  it("says of a rule without a condition that it asks a human about every call", async () => {
    const verdicts = async (effect: string, more = ""): Promise<readonly unknown[]> => {
      const text = `- { id: some, tools: [gone], ${effect} }`;
      const { calls } = await report(schema + rules(text, more), "--tools", "tools.json");
      return calls.map(({ verdict }: { verdict: unknown }) => verdict);
    };
    expect(await verdicts("ask: all of them")).toEqual(["depends", "depends", "asks"]);
    const few = "when: { at: /x, present: true }, ask: some of them";
    expect(await verdicts(few)).toEqual(["depends", "depends", "depends"]);
    expect(await verdicts("ask: all of them", "    mode: shadow\n")).not.toContain("asks");
  });

  it("lists for each tool the rules about it, with guard, effect and line", async () => {
    const guards =
      schema +
      rules(`
- id: large
  tools: [pay]
  when: { at: /cents, above: 50 }
  ask: a large sum
- { id: long, cut: 200 }`) +
      named(
        "more",
        "- { id: shy, when: { at: /to, equals: eve }, deny: not to her }",
        "    tools: [pay]\n",
      );
    const { code, out } = await check(guards, "--tools", "tools.json");
    expect(code).toBe(0);
    const lines = out.split("\n").map((line) => line.split(/ {2,}/));
    expect(lines).toContainEqual(["tool", "rule", "what it does", "guard", "line"]);
    expect(lines).toContainEqual(["(every tool)", "long", "cut", "rules", "11"]);
    expect(lines).toContainEqual(["pay", "large", "ask", "rules", "7"]);
    expect(lines).toContainEqual(["", "shy", "deny", "more", "17"]);
    const { rules: listed } = await report(guards, "--tools", "tools.json");
    expect(listed[0]).toEqual({
      tool: "pay",
      rules: [
        expect.objectContaining({ guard: "rules", id: "large", effect: "ask", line: 7 }),
        expect.objectContaining({ guard: "rules", id: "long", effect: "cut", line: 11 }),
        expect.objectContaining({ guard: "more", path: "guards[2].with.rules[0]", line: 17 }),
      ],
    });
    expect(listed[2].rules).toHaveLength(1);
  });

  it("finds rules that never match and rules that never decide, with their line and id", async () => {
    const { code, findings } = await report(
      `  - use: "@toolstile/allowlist"\n    with: { allow: [pay, read] }\n${schema}${rules(`
- { id: over, tools: [pay], when: { at: /cents, above: 500 }, deny: too much }
- { id: half, tools: [pay], when: { at: /cents, above: 50 }, deny: too much }
- { id: more, tools: [pay], when: { at: /cents, above: 60 }, deny: far too much }
- { id: every, tools: [read], when: { at: /path, length: { atLeast: 0 } }, deny: no }
- { id: nothing, tools: [{ pattern: "x*" }], deny: no }
- { id: dead, tools: [gone], deny: no }`)}`,
      "--tools",
      "tools.json",
    );
    expect(code).toBe(1);
    expect(said(findings)).toEqual([
      "14 guards[2].with.rules[5] dead_rule: the rule 'dead' is never asked: 'allowlist' before it denies every call that it is about",
      "9 guards[2].with.rules[0] never_true: the rule 'over' has a condition under 'when' that no declared value makes true",
      "11 guards[2].with.rules[2] shadowed: the rule 'more' never decides: where it applies, the rule 'half' decides (line 10)",
      "12 guards[2].with.rules[3] always_applies: the rule 'every' applies to every call, although it has a condition",
      "13 guards[2].with.rules[4] no_tool: the rule 'nothing' is about none of the tools",
    ]);
  });

  it("finds a rule that is about no tool of its guard's", async () => {
    const guards = schema + rules("- { id: a, tools: [pay], deny: no }", "    tools: [read]\n");
    const { findings } = await report(guards, "--tools", "tools.json");
    expect(findings).toMatchObject([{ kind: "no_tool", line: 8 }]);
  });

  it("finds an expression that does not fit what a tool declares, at its line", async () => {
    const guards =
      schema +
      rules(`
- { id: member, tools: [pay], when: { cel: 'args.cnets > 3' }, deny: no }
- { id: kind, tools: [pay], when: { cel: 'args.cents == "3"' }, deny: no }`);
    const { code, findings } = await report(guards, "--tools", "tools.json");
    expect(code).toBe(1);
    expect(said(findings)).toEqual([
      expect.stringMatching(
        /^7 guards\[1\]\.with\.rules\[0\] refused_tool: .*in the rule 'member': for the tool 'pay': line 1, column 5: there is no member 'cnets'\. Did you mean 'cents'\?/,
      ),
      expect.stringMatching(
        /^8 guards\[1\]\.with\.rules\[1\] refused_tool: .*in the rule 'kind': .*never equal to a string/,
      ),
    ]);
    expect((await check(guards)).code).toBe(0);
  });

  it("does not say that a rule is about no tool where it is not known which tools there are", async () => {
    const { code, findings } = await report(
      rules('- { id: a, tools: [{ pattern: "x*" }], deny: no }'),
    );
    expect([code, findings]).toEqual([0, []]);
  });

  it("says the line of each rule that cannot be read", async () => {
    const { code, out } = await check(
      rules(`
- { id: both, deny: no, cut: 300 }
- { id: cel, when: { cel: 'args.a >' }, deny: no }`),
    );
    expect(code).toBe(1);
    expect(out.split("\n").slice(2, 4)).toEqual([
      "guard.yaml:6:11: guards[0].with.rules[0]: in the rule 'both': 'deny' and 'cut' must stand in rules of their own.",
      expect.stringMatching(
        /^guard\.yaml:7:\d+: guards\[0\]\.with\.rules\[1\]\.when\.cel: in the rule 'cel': line 1, column 8: /,
      ),
    ]);
  });

  it("says once what a rule has wrong for several tools, and apart what is other for one", async () => {
    const names = ["copy", "move", "link"];
    const properties = { from: { type: "string" } };
    const closed = { type: "object", properties, additionalProperties: false };
    const other = { ...closed, properties: { size: { type: "number" } } };
    const folder = folderWithPackages();
    const declared = names.map((name) => ({ name, inputSchema: closed }));
    const all = JSON.stringify([...declared, { name: "grow", inputSchema: other }]);
    const rule =
      "- { id: safe, tools: [copy, move, link, grow], when: { at: /to, present: true }, deny: x }";
    const path = folder.file("guard.yaml", `version: 1\nguards:\n${schema}${rules(rule)}`);
    const terminal = capturedTerminal();
    await main(["check", path, "--tools", folder.file("t.json", all), "--json"], terminal);
    const { findings } = JSON.parse(terminal.written().out);
    const words = (tools: string, which: string, there: string) =>
      `${tools} would be refused, by 'rules': in the rule 'safe': for ${which}, 'at' leads to '/to', and there is no 'to'. There are: ${there}.`;
    expect(findings.map(({ message }: Finding) => message)).toEqual([
      words("the tools 'copy', 'move', 'link'", "each of them", "from"),
      words("the tool 'grow'", "the tool 'grow'", "size"),
    ]);
  });
});
