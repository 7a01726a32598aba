import { describe, expect, it } from "vitest";
import type { TriedCall } from "../src/check/trial.js";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";
import { answer, asks, call, conversation } from "./conversations.js";
import { folderWithPackages, packagesAreBuilt } from "./installed-packages.js";

const policy = `version: 1
guards:
  - use: "@toolstile/rules"
    with:
      rules:
        - { id: small, tools: [pay], change: { at: /cents, clamp: { max: 100 } } }
        - { id: known, tools: [pay], require: { at: /to, oneOf: [ann, bob] }, deny: nobody we know }
        - { id: half, tools: [pay], when: { at: /cents, above: 50 }, ask: a large sum }
        - { id: stuck, repeats: 2, deny: the same call again }
        - { id: long, tools: [log], cut: 200 }
        - { id: keys, tools: [log], when: { result: /text, contains: KEY }, withhold: a key }
  - use: "@toolstile/allowlist"
    mode: shadow
    with: { allow: [log, pay] }
`;

async function check(lines: readonly object[], ...options: string[]) {
  const folder = folderWithPackages();
  const path = folder.file("guard.yaml", policy);
  const calls = folder.file("calls.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
  const terminal = capturedTerminal();
  const code = await main(["check", path, "--calls", calls, ...options], terminal);
  const { out, err } = terminal.written();
  const short = (text: string) => text.replaceAll(`${folder.path}/`, "");
  return { code, out: short(out), err: short(err) };
}

async function samples(lines: readonly object[], ...options: string[]) {
  const { out } = await check(lines, "--json", ...options);
  return JSON.parse(out).samples as readonly TriedCall[];
}

const declared = (name: string) => JSON.stringify({ name, inputSchema: { type: "object" } });
const ann = { name: "pay", arguments: { cents: 5, to: "ann" } };
const log = (result: unknown) => ({ name: "log", result });

describe.skipIf(!packagesAreBuilt)("toolstile check with sample calls", () => {
  it.each<[object, string, readonly string[]]>([
    [ann, "allow", []],
    [{ name: "pay", arguments: { cents: 5, to: "eve" } }, "deny", ["known"]],
    [{ name: "pay", arguments: '{"cents": 60, "to": "bob"}' }, "ask", ["half"]],
    [{ name: "pay", arguments: "no JSON" }, "deny", []],
    [log("short"), "allow", []],
    [log("x".repeat(300)), "cut", ["long"]],
    [log([{ type: "text", text: "a KEY" }]), "withhold", ["keys"]],
    [log({ content: "", structured: { a: "KEY" } }), "withhold", ["keys"]],
  ])("says what comes of %j, and by which rule", async (line, verdict, rules) => {
    const [sample] = await samples([line]);
    expect([sample?.verdict, sample?.rulings[0]?.rules.map(({ id }) => id) ?? []]).toEqual([
      verdict,
      rules,
    ]);
  });

  it("says the line, the reason, and what else applies", async () => {
    const { code, out } = await check([], "--call", 'pay {"cents": 99, "to": "eve"}');
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.split(/ {2,}/))).toContainEqual([
      "--call 1",
      "pay",
      "deny",
      "rules: known (line 7)",
      "nobody we know; also applies: half",
    ]);
  });

  it("says of a changed call which rule changed it", async () => {
    const line = { name: "pay", arguments: { cents: 500, to: "ann" } };
    const [sample] = await samples([line]);
    expect(sample?.rulings.map(({ verdict, rules }) => [verdict, rules[0]?.id])).toEqual([
      ["ask", "half"],
      ["change", "small"],
    ]);
  });

  it("counts the calls that it lets pass, in their order, also of an order of keys that differs", async () => {
    const turned = { name: "pay", arguments: { to: "ann", cents: 5 } };
    const tried = await samples([ann, turned, ann, log("x"), ann]);
    expect(tried.map(({ verdict }) => verdict)).toEqual([
      "allow",
      "allow",
      "deny",
      "allow",
      "allow",
    ]);
    expect(tried[2]?.rulings[0]?.rules).toMatchObject([{ id: "stuck", line: 9 }]);
  });

  it("takes another session for another row, and a conversation for one of its own", async () => {
    const recorded = (id: string) =>
      conversation([asks(call("pay", JSON.stringify(ann.arguments), id)), answer(id)]);
    const tried = await samples([
      ann,
      ann,
      { ...ann, context: { sessionId: "other" } },
      recorded("1"),
      recorded("2"),
      recorded("3"),
    ]);
    expect(tried.map(({ verdict }) => verdict)).toEqual(Array(6).fill("allow"));
  });

  it("judges the recorded results of a conversation", async () => {
    const messages = [
      asks(call("log", "{}", "1"), call("log", "{}", "2")),
      { ...answer("1"), content: "a KEY" },
      { ...answer("2"), content: "nothing" },
    ];
    const tried = await samples([conversation(messages)]);
    expect(tried.map(({ from, verdict }) => [from.replace(/^.*\//, ""), verdict])).toEqual([
      ["calls.jsonl:1 (1)", "withhold"],
      ["calls.jsonl:1 (2)", "allow"],
    ]);
  });

  it.each([
    ['{"id": 7}', "allow"],
    [[{ type: "text", text: '{"id": 7}' }], "allow"],
    ['{"id": "seven"}', "withhold"],
    ["seven", "withhold"],
  ])(
    "holds a recorded result to the outputSchema of its tool, by the JSON of its text: %j",
    async (content, verdict) => {
      const folder = folderWithPackages();
      const outputSchema = {
        type: "object",
        properties: { id: { type: "number" } },
        required: ["id"],
      };
      const tools = JSON.stringify([
        { name: "log", inputSchema: { type: "object" }, outputSchema },
      ]);
      const path = folder.file("g.yaml", 'version: 1\nguards: [{ use: "@toolstile/schema" }]\n');
      const recorded = conversation([asks(call("log", "{}", "1")), answer("1", content)]);
      const calls = folder.file("c.jsonl", JSON.stringify(recorded));
      const terminal = capturedTerminal();
      const options = ["--tools", folder.file("t.json", tools), "--calls", calls, "--json"];
      await main(["check", path, ...options], terminal);
      const { samples } = JSON.parse(terminal.written().out);
      expect(samples).toMatchObject([{ tool: "log", verdict }]);
    },
  );

  it("finds a sample that is decided otherwise than expected, or by another rule", async () => {
    const { code, out } = await check(
      [
        { ...ann, expect: "allow" },
        { ...ann, expect: ["deny", "ask"] },
        { name: "pay", arguments: {}, expect: "deny", by: "half" },
        { name: "pay", arguments: {}, expect: "deny", by: "known" },
        { name: "pay", arguments: {}, by: "rules" },
      ],
      "--call",
      'pay {"cents": 5, "to": "bob"} -> deny',
    );
    expect(code).toBe(1);
    expect(out.split("\n").filter((line) => line.endsWith("(unexpected)"))).toEqual([
      "--call 1: a call of 'pay' must be decided as deny, and is decided as allow (unexpected)",
      "calls.jsonl:2: a call of 'pay' must be decided as deny or ask, and is decided as allow (unexpected)",
      "calls.jsonl:3: a call of 'pay' must be decided as deny by 'half', and is decided as deny by 'known' (unexpected)",
    ]);
  });

  it("says which rule or guard may be meant by a 'by' that names none", async () => {
    const { out } = await check([
      { ...ann, by: "knwon" },
      { ...ann, by: "half" },
    ]);
    expect(out).toContain(
      "as allow. No guard and no rule is named 'knwon'. Did you mean 'known'? (unexpected)",
    );
    expect(out).toContain("by 'half', and is decided as allow (unexpected)");
  });

  it("finds a sample of a tool whose name reads like that of another, which any policy denies", async () => {
    const tools = folderWithPackages().file("tools.json", `[${["pay", "log"].map(declared)}]`);
    const { code, out } = await check(
      [
        { name: "pya", arguments: {}, by: "core" },
        { name: "another_tool", arguments: {} },
      ],
      ...["--json", "--tools", tools],
    );
    expect(code).toBe(1);
    const unknown = JSON.parse(out).findings.filter(
      ({ kind }: { kind: string }) => kind === "unknown_tool",
    );
    expect(unknown).toMatchObject([
      { message: "calls the tool 'pya', which does not exist. Did you mean 'pay'?" },
    ]);
    expect(unknown[0].sample).toMatch(/calls\.jsonl:1$/);
  });

  it("finds nothing in a misspelt tool that must be denied by a guard, and is", async () => {
    const tools = folderWithPackages().file("tools.json", `[${["pay", "log"].map(declared)}]`);
    const pya = { name: "Pay", arguments: {} };
    const kindsOf = async (expected: object) => {
      const { out } = await check([{ ...pya, ...expected }], "--json", "--tools", tools);
      const { findings } = JSON.parse(out) as { findings: readonly { kind: string }[] };
      return findings.map(({ kind }) => kind);
    };
    expect(await kindsOf({ expect: "deny", by: "core" })).toEqual([]);
    expect(await kindsOf({ expect: "deny" })).toEqual(["unknown_tool"]);
    expect(await kindsOf({ expect: ["allow", "deny"], by: "core" })).toEqual(["unknown_tool"]);
    expect(await kindsOf({ expect: "deny", by: "known" })).toEqual(["unknown_tool", "unexpected"]);
  });

  it("says of a result that a rule does not cut that it is short enough, and not that the rule applies", async () => {
    const { out } = await check([
      log("short"),
      log("x".repeat(300)),
      { ...log("a KEY"), arguments: { page: 2 } },
    ]);
    const whys = out.match(/^calls\.jsonl:.*$/gm)?.map((line) => line.split(/ {2,}/).at(-1));
    expect(whys).toEqual(["nothing is against it; short enough for long", "cut by long", "a key"]);
  });

  it("says what a guard in shadow would have done, and does not count it", async () => {
    const { code, out } = await check([{ name: "other", expect: "allow" }]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /other +allow +nothing is against it; in shadow: deny by allowlist \(not_allowed\)/,
    );
  });

  it.each<[string, string]>([
    ["{", "is not a JSON object"],
    ["[]", "is not a JSON object"],
    ["{}", "must have the name of a tool"],
    ['{"name": "a", "arguments": {"b": 1, "\\u0062": 2}}', "has an object with the same key twice"],
    ['{"name": "a", "expect": "deny", "expect": "allow"}', "has an object with the same key twice"],
    ['{"name": "a", "args": {}}', "has a member 'args'. There are: name, arguments,"],
    ['{"name": "a", "expect": "alow"}', "Did you mean 'allow'?"],
    ['{"name": "a", "expect": []}', "the expected verdict must be one of"],
    ['{"name": "a", "agent": 7}', "'agent' must be a text"],
    ['{"name": "a", "context": []}', "'context' must be an object"],
    ['{"name": "a", "result": {"text": "x"}}', "'result' must be a text, a list of parts"],
    ['{"name": "a", "result": {"content": 7}}', "'content' of the result must be a text"],
    ['{"name": "a", "result": {"isError": "yes"}}', "'isError' of the result must be true"],
    ['{"messages": 7}', "it must have a list of messages"],
  ])("does not go on where a line is %s", async (line, message) => {
    const folder = folderWithPackages();
    const path = folder.file("guard.yaml", policy);
    const calls = folder.file("calls.jsonl", `{"name": "log"}\n${line}\n`);
    const terminal = capturedTerminal();
    expect(await main(["check", path, "--calls", calls], terminal)).toBe(2);
    const { out, err } = terminal.written();
    expect(out).toBe("");
    expect(err).toContain(`${calls}:2: the line `);
    expect(err).toContain(message);
  });

  it.each([
    'log {"x": "a -> b"} -> allow',
    'log{"x": "-> deny"}->allow',
    ' log   {"x": 1}   -> allow ',
    `log {"x": "${"} ->  ".repeat(9_000)}"} -> allow`,
  ])("reads a call and what is expected of it: %.40j", async (text) => {
    expect((await check([], "--call", text)).code).toBe(0);
  });

  it.each([
    ...[
      "",
      "{}",
      '{"a": 1}',
      'x {"a": 1} -> maybe',
      `x${" ".repeat(100_000)}y`,
      "x [1] -> allow",
      'x "a" -> deny',
    ],
    ...['as {"principal": "ann"}: pay {"cents": 1} -> deny', "at 21:00: pay {} -> deny"],
    ...['pay {"cents": 1} gives {"content": "x"} -> cut', "pay {cents: 1} -> deny"],
  ])("takes %j for a wrong command line", async (text) => {
    const { code, err } = await check([], "--call", text === "" ? " " : text);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^(?!.*[.?]\.)(toolstile: )?--call 1 /s),
    ]);
  });

  it("reads more calls of one conversation than fit on the stack, and says that these are too many", {
    tags: "long",
  }, async () => {
    const folder = folderWithPackages();
    const call = { id: "1", type: "function", function: { name: "log", arguments: "{}" } };
    const messages = [{ role: "assistant", tool_calls: Array(150_000).fill(call) }];
    const calls = folder.file("calls.jsonl", JSON.stringify({ messages, tools: [] }));
    const path = folder.file("guard.yaml", policy);
    const terminal = capturedTerminal();
    expect(await main(["check", path, "--calls", calls], terminal)).toBe(2);
    expect(terminal.written().err).toContain("there are more than 10,000 calls");
  });

  it("prints no argument", async () => {
    const { out } = await check(
      [{ name: "pay", arguments: { cents: 99, to: "hunter2" } }],
      "--json",
    );
    expect(out).not.toContain("hunter2");
  });

  it("tries the guards of an agent for calls of that agent only", async () => {
    const folder = folderWithPackages();
    const path = folder.file(
      "guard.yaml",
      `version: 1
guards: [{ use: "@toolstile/allowlist", with: { allow: [pay, log] } }]
agents:
  clerk:
    guards:
      - { use: "@toolstile/rules", with: { rules: [{ id: no-pay, tools: [pay], deny: not you }] } }
`,
    );
    const calls = folder.file("calls.jsonl", '{"name": "pay", "agent": "boss"}\n{"name": "pay"}\n');
    const terminal = capturedTerminal();
    await main(["check", path, "--calls", calls, "--json", "--agent", "clerk"], terminal);
    const { samples } = JSON.parse(terminal.written().out);
    expect(samples.map(({ verdict }: TriedCall) => verdict)).toEqual(["allow", "deny"]);
    const wrong = capturedTerminal();
    expect(await main(["check", path, "--call", "pay", "--agent", "clrek"], wrong)).toBe(2);
    expect(wrong.written().err).toContain("Did you mean 'clerk'?");
  });
});
