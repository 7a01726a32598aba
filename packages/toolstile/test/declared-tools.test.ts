import { describe, expect, it } from "vitest";
import { readTools } from "../src/replay/declared-tools.js";

const parameters = { type: "object", required: ["q"] };

describe("reading tool definitions", () => {
  it.each<[form: string, declared: unknown]>([
    ["OpenAI's", { type: "function", function: { name: "find", parameters, strict: true } }],
    ["OpenAI's without a type", { function: { name: "find", parameters } }],
    ["OpenAI Responses'", { type: "function", name: "find", parameters }],
    ["legacy functions'", { name: "find", description: "Find.", parameters }],
    ["MCP's", { name: "find", inputSchema: parameters, annotations: {} }],
    ["Anthropic's", { name: "find", input_schema: parameters }],
  ])("reads %s form", (_, declared) => {
    expect(readTools([declared])).toEqual({
      tools: [{ name: "find", parameters }],
      faults: [],
      withOutputSchema: [],
    });
  });

  it.each<[string, unknown, string]>([
    ["a custom tool", { type: "custom", custom: { name: "shell" } }, "shell"],
    ["a tool that the model's host runs", { type: "web_search" }, "web_search"],
    ["a tool with null for parameters", { function: { name: "now", parameters: null } }, "now"],
    ["a tool called __proto__", { function: { name: "__proto__" } }, "__proto__"],
  ])("reads %s", (_, declared, name) => {
    expect(readTools([declared])).toEqual({ tools: [{ name }], faults: [], withOutputSchema: [] });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["text", "find"],
    ["no name", { type: "function", function: { parameters } }],
    ["an empty name", { function: { name: "" } }],
    ["a name that is a number", { function: { name: 7 } }],
    ["no function", { type: "function" }],
  ])("says that a definition with %s cannot be read", (_, declared) => {
    const { tools, faults } = readTools([declared]);
    expect(tools).toEqual([]);
    expect(faults).toEqual(["tool definition 0 has no name"]);
  });

  it("says that a name with a wildcard in it cannot be read as a name", () => {
    const { tools, faults } = readTools([{ name: "rm *" }, { name: "why?" }]);
    expect(tools).toEqual([]);
    expect(faults).toEqual([
      "the name of tool 'rm *' reads like a pattern: no allowlist takes it",
      "the name of tool 'why?' reads like a pattern: no allowlist takes it",
    ]);
  });

  it("takes a tool that is declared twice in the same words for one", () => {
    const one = { name: "find", parameters };
    const other = { function: { name: "find", parameters } };
    expect(readTools([one, other]).tools).toHaveLength(1);
    expect(readTools([one, { name: "find" }]).tools).toHaveLength(2);
  });
});
