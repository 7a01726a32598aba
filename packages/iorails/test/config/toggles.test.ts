import { afterEach, describe, expect, it } from "vitest";
import { RailsConfig } from "../../src/config/rails-config.js";
import { readToggles } from "../../src/config/toggles.js";
import { withFlows } from "./load.js";

const { data } = RailsConfig.fromContent({
  config: withFlows({
    input: ["self check input", "content safety check input $model=guard"],
    output: ["self check output", "self check facts"],
    tool_output: ["tool call validation"],
    tool_input: ["tool result validation"],
  }),
});
const providers = { toolOutput: ["allowlist", "limits"], toolInput: ["provenance"] };

function active(options?: unknown) {
  const toggles = readToggles(options, data, providers);
  const names = (flows: readonly { name: string }[]) => flows.map(({ name }) => name);
  return {
    input: names(toggles.input),
    output: names(toggles.output),
    toolOutput: [...names(toggles.toolOutput.flows), ...toggles.toolOutput.providers],
    toolInput: [...names(toggles.toolInput.flows), ...toggles.toolInput.providers],
  };
}

const all = {
  input: ["self check input", "content safety check input"],
  output: ["self check output", "self check facts"],
  toolOutput: ["tool call validation", "allowlist", "limits"],
  toolInput: ["tool result validation", "provenance"],
};
const none = { input: [], output: [], toolOutput: [], toolInput: [] };

describe("readToggles", () => {
  it.each([
    ["no options", undefined, all],
    ["null for options", null, all],
    ["options without rails", { llm_params: {} }, all],
    ["undefined rails", { rails: undefined }, all],
    ["an empty object", { rails: {} }, all],
    ["undefined for a family", { rails: { input: undefined } }, all],
    ["true", { rails: { input: true, tool_output: true } }, all],
    ["false for one family", { rails: { input: false } }, { ...all, input: [] }],
    ["false for tool calls", { rails: { tool_output: false } }, { ...all, toolOutput: [] }],
    [
      "a list, in the configured order",
      { rails: { output: ["self check facts", "self check output"] } },
      all,
    ],
    [
      "a list of one",
      { rails: { output: ["self check facts"] } },
      { ...all, output: ["self check facts"] },
    ],
    [
      "a flow as the configuration writes it",
      { rails: { input: ["content safety check input $model=guard"] } },
      { ...all, input: ["content safety check input"] },
    ],
    ["an empty list", { rails: { output: [] } }, { ...all, output: [] }],
    [
      "a provider by name",
      { rails: { tool_output: ["limits"] } },
      { ...all, toolOutput: ["limits"] },
    ],
    [
      "a flow and a provider",
      { rails: { tool_input: ["provenance", "tool result validation"] } },
      all,
    ],
    ["families of the other engine", { rails: { dialog: false, retrieval: ["x"] } }, all],
    [
      "a list of families",
      { rails: ["input", "tool_input"] },
      { ...none, input: all.input, toolInput: all.toolInput },
    ],
    ["a list with a family of the other engine", { rails: ["dialog"] }, none],
    ["an empty list of families", { rails: [] }, none],
  ])("reads %s", (_, options, expected) => {
    expect(active(options)).toEqual(expected);
  });

  it.each([
    ["options that are text", "all", "options must be an object."],
    ["options that are a list", [], "options must be an object."],
    ["null for rails", { rails: null }, "options.rails must be an object, or a list of families."],
    [
      "a switch for rails",
      { rails: false },
      "options.rails must be an object, or a list of families.",
    ],
    [
      "text for a family",
      { rails: { input: "true" } },
      "options.rails.input must be true, false or a list of names.",
    ],
    [
      "a number for a family",
      { rails: { tool_output: 0 } },
      "options.rails.tool_output must be true, false or a list of names.",
    ],
    [
      "null for a family",
      { rails: { output: null } },
      "options.rails.output must be true, false or a list of names.",
    ],
    [
      "a number in a list",
      { rails: { input: [1] } },
      "options.rails.input must be true, false or a list of names.",
    ],
    [
      "a hole in a list",
      { rails: { input: new Array(1) } },
      "options.rails.input must be true, false or a list of names.",
    ],
    [
      "a misspelt flow",
      { rails: { input: ["self chek input"] } },
      "options.rails.input names 'self chek input', which is not configured. Did you mean 'self check input'?",
    ],
    [
      "a known flow that is not configured",
      { rails: { input: ["jailbreak detection model"] } },
      "options.rails.input names 'jailbreak detection model', which is not configured. Configured: 'self check input', 'content safety check input'.",
    ],
    [
      "a flow of another family",
      { rails: { output: ["tool call validation"] } },
      "options.rails.output names 'tool call validation', which is not configured. Configured: 'self check output', 'self check facts'.",
    ],
    [
      "a misspelt provider",
      { rails: { tool_output: ["alowlist"] } },
      "options.rails.tool_output names 'alowlist', which is not configured. Did you mean 'allowlist'?",
    ],
    [
      "an empty name",
      { rails: { input: [""] } },
      "options.rails.input names '', which is not configured. Configured: 'self check input', 'content safety check input'.",
    ],
    [
      "a misspelt family",
      { rails: { tool_ouput: false } },
      "options.rails has no key 'tool_ouput'. Did you mean 'tool_output'?",
    ],
    [
      "a family in camel case",
      { rails: { toolOutput: false } },
      "options.rails has no key 'toolOutput'. Did you mean 'tool_output'?",
    ],
    [
      "a prototype key",
      JSON.parse('{"rails":{"__proto__":{"input":false}}}'),
      "options.rails has no key '__proto__'. There are: input, output, tool_output, tool_input, retrieval, dialog.",
    ],
    [
      "an unknown family in a list",
      { rails: ["inputs"] },
      "options.rails names an unknown family 'inputs'. Did you mean 'input'?",
    ],
    [
      "a number in a list of families",
      { rails: [1] },
      "options.rails must list names of families.",
    ],
  ])("P5 refuses %s", (_, options, message) => {
    expect(() => active(options)).toThrowError(
      expect.objectContaining({ code: "ERR_INVALID_OPTION", message }),
    );
  });

  it("gives the flows of the configuration themselves", () => {
    const toggles = readToggles({ rails: { input: ["self check input"] } }, data, providers);
    expect(toggles.input[0]).toBe(data.input.flows[0]);
  });

  describe("with a polluted Object.prototype", () => {
    afterEach(() => {
      Reflect.deleteProperty(Object.prototype, "rails");
      Reflect.deleteProperty(Object.prototype, "input");
    });

    it("P8 switches nothing off", () => {
      Object.assign(Object.prototype, { rails: [], input: false });
      expect(active({})).toEqual(all);
      expect(active({ rails: {} })).toEqual(all);
    });
  });
});
