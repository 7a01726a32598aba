import type { GuardrailProvider } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { hooks } from "../../src/hooks.js";
import { Guardrails, RailsConfig } from "../../src/index.js";
import { problemsOf } from "../config/load.js";
import { hooksOf } from "./post.js";

const blocks = "hooks_server: {blocked_tools: [Bash]}";
const main = "models: [{type: main, engine: openai, model: m}]";

describe("a configuration with hooks_server", () => {
  it.each([
    ["{allowed_tools: [Read]}", "hooks_server.allowed_tools needs allow_unlisted_tools beside it"],
    ["{allow_unlisted_tools: 'no'}", "hooks_server.allow_unlisted_tools must be true or false"],
    ["{blocked_tools: Bash}", "hooks_server.blocked_tools must be a list"],
    ["{blocked_tools: }", "hooks_server.blocked_tools must be a list"],
    ["", "hooks_server must be a mapping"],
    ["[Bash]", "hooks_server must be a mapping"],
    ["{blocked_tool: [Bash]}", "has no key 'blocked_tool'. Did you mean 'blocked_tools'?"],
    ["{blocked_tools: [7]}", "hooks_server.blocked_tools[0] must be the name of a tool"],
    ["{blocked_tools: ['']}", "hooks_server.blocked_tools[0] must be the exact name of a tool"],
    ["{blocked_tools: ['Bash ']}", "hooks_server.blocked_tools[0] must be the exact name"],
    ["{blocked_tools: [{Bash: [a]}]}", "blocked_tools[0] must be the name of a tool, or a mapping"],
    ["{blocked_tools: [{arguments: [a]}]}", "blocked_tools[0] must be the name of a tool"],
    ["{blocked_tools: [{name: Bash, argument: [a]}]}", "has no key 'argument'. Did you mean"],
    ["{blocked_tools: [{name: }]}", "hooks_server.blocked_tools[0].name must be text"],
    ["{blocked_tools: [{name: Bash, arguments: }]}", "must be a list of names, or a mapping"],
    ["{blocked_tools: [{name: Bash, arguments: []}]}", ".arguments must not be empty"],
    ["{blocked_tools: [{name: Bash, arguments: {}}]}", "must be a list of names, or a mapping"],
    ["{blocked_tools: [{name: Bash, arguments: {a: }}]}", ".arguments.a must be text, a number"],
    ["{blocked_tools: [{name: Bash, arguments: {a: []}}]}", ".arguments.a must be text, a number"],
    ["{blocked_tools: [{name: Bash, arguments: {a: [[b]]}}]}", ".arguments.a must be text"],
    ["{blocked_tools: [Bash, Bash]}", "blocked_tools[1] names the tool 'Bash' a second time"],
    [
      "{blocked_tools: [Bash, {name: Bash, arguments: [a]}]}",
      "blocked_tools[1] names the tool 'Bash' a second time",
    ],
  ])("IO-163 does not load with %s, and says where", async (policy, problem) => {
    const [found = ""] = await problemsOf({ yaml: `hooks_server: ${policy}` });
    expect(found).toContain(problem);
    expect(found).toMatch(/\(line 1, column \d+\)$/);
  });

  const regex = "config: {regex_detection: {input: {patterns: [a]}, output: {patterns: [a]}";
  it.each([
    [
      "tool_call: {flows: [tool call validation]}",
      "rails.tool_call.flows must be empty beside hooks_server",
    ],
    [
      "tool_output: {flows: [tool call validation]}",
      "rails.tool_output.flows must be empty beside hooks_server",
    ],
    [`input: {flows: [regex check input]}, ${regex}}}`, "rails.input.flows must be empty"],
    [`output: {flows: [regex check output]}, ${regex}}}`, "rails.output.flows must be empty"],
    ["tool_result: {flows: [tool result validation]}", "rails.tool_result.flows must be empty"],
    [
      `tool_result: {per_tool: {Bash: [regex check tool result]}}, ${regex}, tool_result: {Bash: {patterns: [a]}}}}`,
      "rails.tool_result.per_tool.Bash must be empty",
    ],
    [
      `tool_result: {providers: ["@toolstile/redact"]}`,
      "rails.tool_result.providers must be empty",
    ],
    [
      `tool_call: {per_tool: {Bash: [regex check tool call]}}, ${regex}, tool_call: {Bash: {patterns: [a]}}}}`,
      "rails.tool_call.per_tool.Bash is for a tool of which hooks_server denies every call",
    ],
  ])("IO-163 does not load with rails that a hook would not ask: %s", async (rails, problem) => {
    const found = await problemsOf({ yaml: `rails: {${rails}}\n${blocks}` });
    expect(found.join("\n")).toContain(problem);
  });

  it("IO-163 does not load with rails of a tool that is not in an exhaustive list", async () => {
    const yaml = `
hooks_server: {allowed_tools: [Read], allow_unlisted_tools: false}
rails:
  tool_call: {per_tool: {Read: [regex check tool call], Bash: [regex check tool call]}}
  config: {regex_detection: {tool_call: {Read: {patterns: [a]}, Bash: {patterns: [a]}}}}
`;
    expect((await problemsOf({ yaml })).join("\n")).toMatch(/^.*per_tool\.Bash is for a tool.*$/);
  });

  it("IO-163 does not load with a guard that asks a human, names the rule and its line, and says what to write", async () => {
    const yaml = (guard: string) => `
hooks_server: {}
rails:
  tool_call:
    providers:
      - use: "@toolstile/rules"
        with: { rules: [{ id: net, tools: [Bash], deny: no network }] }
      - ${guard}
`;
    const rule = "{ id: deletes, tools: [Bash], ask: it deletes }";
    const found = await problemsOf({
      yaml: yaml(`{ use: "@toolstile/rules", with: { rules: [${rule}] } }`),
    });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(
      "rails.tool_call.providers[1].with.rules[0].ask lets the rule 'deletes' ask a human, and a hook has nobody to ask: write deny",
    );
    expect(found[0]).toMatch(/\(line 8, column \d+\)$/);
    const held = yaml(`{ use: "@toolstile/containment", with: { hold: ask } }`);
    expect(await problemsOf({ yaml: held })).toEqual([
      expect.stringContaining("rails.tool_call.providers[1].with.hold asks a human"),
    ]);
    for (const guard of [
      `{ use: "@toolstile/rules", with: { rules: [${rule.replace("ask", "deny")}] } }`,
      `{ use: "@toolstile/containment", with: { hold: deny } }`,
      "./guard.mjs",
      "{ use: ./guard.mjs, with: { rules: [7, { ask: x }] } }",
    ]) {
      expect(await problemsOf({ yaml: yaml(guard) }), guard).toEqual([]);
    }
  });

  it("IO-163 lets a configuration for Guardrails have rules that ask a human", async () => {
    const rule = "{ id: deletes, tools: [Bash], ask: it deletes }";
    const yaml = `${main}\nrails: {tool_call: {providers: [{use: "@toolstile/rules", with: {rules: [${rule}]}}]}}`;
    expect(await problemsOf({ yaml })).toEqual([]);
  });

  it("IO-163 does not load with tools that the main model declares", async () => {
    const yaml = `${main.replace("m}", "m, parameters: {tools: []}}")}\n${blocks}`;
    expect((await problemsOf({ yaml })).join("\n")).toContain(
      "models[0].parameters.tools must not stand beside hooks_server",
    );
  });

  it.each([
    ["an empty policy", "hooks_server: {}"],
    ["a policy that allows all", "hooks_server: {allow_unlisted_tools: true}"],
    [
      "names that are allowed among all others",
      "hooks_server: {allowed_tools: [Read], allow_unlisted_tools: true}",
    ],
    ["an empty list of rails", "hooks_server: {}\nrails: {tool_call: {per_tool: {Bash: []}}}"],
  ])("IO-163 is refused at start if it can deny nothing: %s", async (_, yaml) => {
    await expect(hooksOf(yaml)).rejects.toMatchObject({
      code: "ERR_CONFIG",
      message: expect.stringMatching(/^hooks_server can deny nothing: /),
    });
  });

  it("needs no model, and no policy where a guard can deny", async () => {
    const guard: GuardrailProvider = {
      name: "never",
      evaluate: () => ({ decision: "deny", reason: "no" }),
    };
    expect(await hooksOf("hooks_server: {}", { providers: [guard] })).toBeTypeOf("function");
  });

  it("may have a main model that nothing asks", async () => {
    expect(await hooksOf(`${main}\n${blocks}`)).toBeTypeOf("function");
  });

  it.each([
    ["no hooks_server", main, "ERR_CONFIG", /has no hooks_server/],
    [
      "rails of another engine",
      `rails: {dialog: {}}\n${blocks}`,
      "ERR_UNSUPPORTED",
      /^hooks\(\) cannot use this configuration: config has rails outside/,
    ],
  ])("IO-163 is not started with %s", async (_, yaml, code, message) => {
    await expect(hooksOf(yaml)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it("IO-163 is not one for Guardrails, which would not ask its policy", async () => {
    const config = await RailsConfig.fromContent({ yaml: `${main}\n${blocks}` });
    expect(() => new Guardrails(config, { env: {} })).toThrow(
      /^hooks_server says what agents may call, which Guardrails does not ask\./,
    );
  });

  it.each([
    ["not a RailsConfig", { hooksServer: {} }, {}, "must be a RailsConfig"],
    ["an unknown option", undefined, { receipts: {} }, "receipts"],
    ["no size", undefined, { maxBodyBytes: 0 }, "maxBodyBytes"],
    ["no time", undefined, { bodyWithinMs: -1 }, "bodyWithinMs"],
  ])("throws for %s", async (_, config, options, message) => {
    const given = config ?? (await RailsConfig.fromContent({ yaml: blocks }));
    expect(() => hooks(given as never, options as never)).toThrow(message);
  });
});
