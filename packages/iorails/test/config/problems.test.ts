import { describe, expect, it } from "vitest";
import { problemsOf } from "./load.js";

const secret = "sk-hunter2";

describe("a wrong configuration", () => {
  it("tells of all problems at once, one a line", async () => {
    const yaml = "modles: []\nrails:\n  input:\n    parallel: 1\n    flows: [self chek input]\n";
    expect(await problemsOf({ yaml })).toEqual([
      "<yaml>: the top level has no key 'modles'. Did you mean 'models'? (line 1, column 1)",
      "<yaml>: rails.input.parallel must be true or false (line 4, column 5)",
      "<yaml>: rails.input.flows[0] names an unknown flow 'self chek input'. Did you mean 'self check input'? (line 5, column 13)",
    ]);
  });

  it("tells beside a misspelt flow what is wrong with the others, with file and line", async () => {
    const yaml = `
models:
  - { type: main, engine: openai, model: m }
rails:
  input: { flows: [self chek input, content safety check input $model=main] }
  output: { flows: [self check output, self check facts] }
  tool_result: { schemas: { t: true } }
prompts:
  - { task: "content_safety_check_input $model=main", content: "{{ user_input }}" }
  - { task: self_check_facts, content: "{{ evidense }}" }
`;
    const problems = await problemsOf({ yaml });
    expect(problems.map((line) => line.replace(/^<yaml>: /, "").slice(0, 60))).toEqual([
      "rails.input.flows[0] names an unknown flow 'self chek input'",
      "rails.tool_result has schemas or provenance, which the flow ",
      "rails.output.flows[0]: Missing a `self_check_output` prompt ",
      "rails.input.flows[1]: The prompt of task 'content_safety_che",
      "rails.output.flows[1]: The prompt of task 'self_check_facts'",
    ]);
    for (const line of problems) expect(line).toMatch(/ \(line \d+, column \d+\)$/);
    expect(problems[3]).toContain("names no output_parser");
    expect(problems[4]).toContain("Did you mean 'evidence'?");
  });

  it("is none for NeMo's entry that caches the verdicts of the jailbreak service", async () => {
    const yaml = `
models:
  - { type: main, engine: openai, model: m }
  - { type: jailbreak_detection, engine: nim, model: j, cache: { enabled: true } }
rails:
  input: { flows: [jailbreak detection model] }
  config: { jailbreak_detection: { nim_base_url: "http://127.0.0.1:1" } }
prompts:
  - { task: self_check_input, content: "?", stop: ["\\n", " "] }
`;
    expect(await problemsOf({ yaml })).toEqual([]);
  });

  it("tells of fifty problems and counts the rest", async () => {
    const config = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 1]));
    const problems = await problemsOf({ config });
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)).toBe("and 10 more");
  });

  it("P2 quotes no value of the file", async () => {
    const values = [secret, [secret], { [`x`]: secret }];
    const sections = [
      (value: unknown) => ({ models: value }),
      (value: unknown) => ({ models: [value] }),
      (value: unknown) => ({
        models: [{ type: 1, engine: value, model: value, parameters: value }],
      }),
      (value: unknown) => ({ rails: { input: value } }),
      (value: unknown) => ({ rails: { input: { parallel: value } } }),
      (value: unknown) => ({ rails: { tool_result: { provenance: value, schemas: value } } }),
      (value: unknown) => ({ rails: { config: { jailbreak_detection: { nim_base_url: value } } } }),
      (value: unknown) => ({ prompts: [{ task: "self_check_input", output_parser: value }] }),
      (value: unknown) => ({ tracing: value, metrics: { enabled: value } }),
    ];
    for (const value of values) {
      for (const section of sections) {
        const problems = await problemsOf({ config: section(value) });
        expect(problems).not.toEqual([]);
        expect(problems.join("\n")).not.toContain(secret);
      }
    }
    for (const yaml of [
      `a: *${secret}`,
      `a: !${secret} x`,
      `a: "${secret}`,
      `${secret}: 1\n ${secret}: 2`,
    ]) {
      const problems = await problemsOf({ yaml });
      expect(problems).not.toEqual([]);
      if (!yaml.startsWith(secret)) expect(problems.join("\n")).not.toContain(secret);
    }
  });

  it("reads anchors and aliases, and places a problem at the anchor", async () => {
    const yaml = "rails:\n  input: &x\n    parallel: 1\n  tool_call: *x\n";
    expect(await problemsOf({ yaml })).toEqual([
      "<yaml>: rails.input.parallel must be true or false (line 3, column 5)",
      "<yaml>: rails.tool_call.parallel must be true or false (line 3, column 5)",
    ]);
  });
});
