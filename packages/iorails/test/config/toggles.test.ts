import { afterEach, describe, expect, it } from "vitest";
import { readToggles } from "../../src/config/toggles.js";
import { RailsConfig } from "../../src/engine/rails-config.js";
import { withFlows } from "./load.js";

const { data } = await RailsConfig.fromContent({
  config: withFlows({
    input: ["self check input", "content safety check input $model=guard"],
    output: ["self check output", "self check facts"],
    tool_call: ["tool call validation"],
    tool_result: ["tool result validation"],
  }),
});
const providers = { toolCall: ["allowlist", "limits"], toolResult: ["provenance"] };

function active(options?: unknown) {
  const toggles = readToggles(options, data, providers);
  const names = (flows: readonly { name: string }[]) => flows.map(({ name }) => name);
  return {
    input: names(toggles.input),
    output: names(toggles.output),
    toolCall: [
      ...(toggles.toolCall.flow ? ["tool call validation"] : []),
      ...toggles.toolCall.providers,
    ],
    toolResult: [
      ...(toggles.toolResult.flow ? ["tool result validation"] : []),
      ...toggles.toolResult.providers,
    ],
  };
}

const all = {
  input: ["self check input", "content safety check input"],
  output: ["self check output", "self check facts"],
  toolCall: ["tool call validation", "allowlist", "limits"],
  toolResult: ["tool result validation", "provenance"],
};
const none = { input: [], output: [], toolCall: [], toolResult: [] };

describe("readToggles", () => {
  it.each([
    ["no options", undefined, all],
    ["null for options", null, all],
    ["options without rails", { llm_params: {} }, all],
    ["undefined rails", { rails: undefined }, all],
    ["an empty object", { rails: {} }, all],
    ["undefined for a family", { rails: { input: undefined } }, all],
    ["true", { rails: { input: true, tool_call: true } }, all],
    ["false for one family", { rails: { input: false } }, { ...all, input: [] }],
    ["false for tool calls", { rails: { tool_call: false } }, { ...all, toolCall: [] }],
    ["the older name of a family", { rails: { tool_output: false } }, { ...all, toolCall: [] }],
    [
      "a list with an older name",
      { rails: ["tool_input"] },
      { ...none, toolResult: all.toolResult },
    ],
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
    ["a provider by name", { rails: { tool_call: ["limits"] } }, { ...all, toolCall: ["limits"] }],
    [
      "a flow and a provider",
      { rails: { tool_result: ["provenance", "tool result validation"] } },
      all,
    ],
    ["families of the other engine", { rails: { dialog: false, retrieval: ["x"] } }, all],
    [
      "a list of families",
      { rails: ["input", "tool_result"] },
      { ...none, input: all.input, toolResult: all.toolResult },
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
      { rails: { tool_call: 0 } },
      "options.rails.tool_call must be true, false or a list of names.",
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
      "both names of a family",
      { rails: { tool_output: true, tool_call: true } },
      "options.rails must name 'tool_call' once, received both of its names.",
    ],
    [
      "a misspelt provider",
      { rails: { tool_call: ["alowlist"] } },
      "options.rails.tool_call names 'alowlist', which is not configured. Did you mean 'allowlist'?",
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
      { rails: { toolCall: false } },
      "options.rails has no key 'toolCall'. Did you mean 'tool_call'?",
    ],
    [
      "a prototype key",
      JSON.parse('{"rails":{"__proto__":{"input":false}}}'),
      "options.rails has no key '__proto__'. There are: input, output, tool_call, tool_result, retrieval, dialog.",
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
