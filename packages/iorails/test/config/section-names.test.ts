import { describe, expect, it } from "vitest";
import { RailsConfig } from "../../src/engine/rails-config.js";
import { problemsOf } from "./load.js";

const older =
  "{tool_output: {flows: [tool call validation]}, tool_input: {flows: [tool result validation]}}";
const newer = older.replace("tool_output", "tool_call").replace("tool_input", "tool_result");

describe("the sections of tool rails", () => {
  it("have the names of NeMo 0.25, and those of its older releases", async () => {
    for (const rails of [older, newer]) {
      const { data } = await RailsConfig.fromContent({ yaml: `rails: ${rails}` });
      expect(data.toolCall.flows[0]?.name).toBe("tool call validation");
      expect(data.toolResult.flows[0]?.name).toBe("tool result validation");
      expect(data.railsKeys).toEqual(["tool_call", "tool_result"]);
      expect(rails).toContain(`${data.toolCall.name}:`);
    }
  });

  it("accept a result without a name under the newer name only, unless they say otherwise", async () => {
    const requires = async (rails: string) =>
      (await RailsConfig.fromContent({ yaml: `rails: ${rails}` })).data.toolResult.requireName;
    expect(await requires("{tool_result: {}}")).toBe(false);
    expect(await requires("{tool_input: {}}")).toBe(true);
    expect(await requires("{tool_result: {require_name: true}}")).toBe(true);
    expect(await requires("{tool_input: {require_name: false}}")).toBe(false);
  });

  it("P5 are refused under both of their names, in one file and in two", async () => {
    const [problem] = await problemsOf({ yaml: "rails: {tool_output: {}, tool_call: {}}" });
    expect(problem).toBe(
      "<yaml>: rails has both 'tool_output' and 'tool_call', which are two names of one: one of the two must go (line 1, column 26)",
    );
    const config = { rails: { tool_result: {} } };
    expect(await problemsOf({ config, yaml: "rails: {tool_input: {}}" })).toEqual([
      "<yaml>: rails has both 'tool_result' and 'tool_input', which are two names of one: one of the two must go (line 1, column 9)",
    ]);
  });

  it("are told of under the name that is written", async () => {
    expect(
      await problemsOf({ yaml: "rails: {tool_output: {flows: [tool cal validation]}}" }),
    ).toEqual([
      "<yaml>: rails.tool_output.flows[0] names an unknown flow 'tool cal validation'. Did you mean 'tool call validation'? (line 1, column 31)",
    ]);
  });
});
