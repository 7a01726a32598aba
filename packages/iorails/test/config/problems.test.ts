import { describe, expect, it } from "vitest";
import { problemsOf } from "./load.js";

const secret = "sk-hunter2";

describe("a wrong configuration", () => {
  it("tells of all problems at once, one a line", () => {
    const yaml = "modles: []\nrails:\n  input:\n    parallel: 1\n    flows: [self chek input]\n";
    expect(problemsOf({ yaml })).toEqual([
      "<yaml>: the top level has no key 'modles'. Did you mean 'models'? (line 1, column 1)",
      "<yaml>: rails.input.parallel must be true or false (line 4, column 5)",
      "<yaml>: rails.input.flows[0] names an unknown flow 'self chek input'. Did you mean 'self check input'? (line 5, column 13)",
    ]);
  });

  it("tells of fifty problems and counts the rest", () => {
    const config = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 1]));
    const problems = problemsOf({ config });
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)).toBe("and 10 more");
  });

  it("P2 quotes no value of the file", () => {
    const values = [secret, [secret], { [`x`]: secret }];
    const sections = [
      (value: unknown) => ({ models: value }),
      (value: unknown) => ({ models: [value] }),
      (value: unknown) => ({
        models: [{ type: 1, engine: value, model: value, parameters: value }],
      }),
      (value: unknown) => ({ rails: { input: value } }),
      (value: unknown) => ({ rails: { input: { parallel: value } } }),
      (value: unknown) => ({ rails: { tool_input: { provenance: value, schemas: value } } }),
      (value: unknown) => ({ rails: { config: { jailbreak_detection: { nim_base_url: value } } } }),
      (value: unknown) => ({ prompts: [{ task: "self_check_input", output_parser: value }] }),
      (value: unknown) => ({ tracing: value, metrics: { enabled: value } }),
    ];
    for (const value of values) {
      for (const section of sections) {
        const problems = problemsOf({ config: section(value) });
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
      const problems = problemsOf({ yaml });
      expect(problems).not.toEqual([]);
      if (!yaml.startsWith(secret)) expect(problems.join("\n")).not.toContain(secret);
    }
  });

  it("reads anchors and aliases, and places a problem at the anchor", () => {
    const yaml = "rails:\n  input: &x\n    parallel: 1\n  tool_output: *x\n";
    expect(problemsOf({ yaml })).toEqual([
      "<yaml>: rails.input.parallel must be true or false (line 3, column 5)",
      "<yaml>: rails.tool_output.parallel must be true or false (line 3, column 5)",
    ]);
  });
});
