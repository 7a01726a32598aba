import { describe, expect, it } from "vitest";
import { problemsOf } from "./load.js";

describe("a wrong configuration", () => {
  it.each([
    [
      "a size of nothing",
      "rails: {output: {streaming: {chunk_size: 0}}}",
      "rails.output.streaming.chunk_size must be a whole number from 1 on (line 1, column 30)",
    ],
    [
      "a negative size",
      "rails: {output: {streaming: {context_size: -1}}}",
      "rails.output.streaming.context_size must be a whole number from 0 on (line 1, column 30)",
    ],
    [
      "a flag that is text",
      'rails: {input: {parallel: "yes"}}',
      "rails.input.parallel must be true or false (line 1, column 17)",
    ],
    [
      "flows that are no list",
      "rails: {input: {flows: self check input}}",
      "rails.input.flows must be a list (line 1, column 17)",
    ],
    [
      "a flow that is no text",
      "rails: {input: {flows: [1]}}",
      "rails.input.flows[0] must be the name of a flow (line 1, column 25)",
    ],
    [
      "a section that is no mapping",
      "rails: {input: [x]}",
      "rails.input must be a mapping (line 1, column 9)",
    ],
    ["rails that are no mapping", "rails: [x]", "rails must be a mapping (line 1, column 1)"],
    ["models that are no list", "models: {}", "models must be a list (line 1, column 1)"],
    [
      "a model without an engine",
      "models: [{type: main, model: m}]",
      "models[0].engine is missing (line 1, column 10)",
    ],
    [
      "a model without a type",
      "models: [{engine: openai, model: m}]",
      "models[0].type is missing (line 1, column 10)",
    ],
    [
      "a model without a name",
      "models: [{type: main, engine: openai}]",
      "models[0] must name its model in exactly one of model, parameters.model, parameters.model_name (line 1, column 10)",
    ],
    [
      "a model with a blank name",
      'models: [{type: main, engine: openai, model: " "}]',
      "models[0] must name its model in exactly one of model, parameters.model, parameters.model_name (line 1, column 10)",
    ],
    [
      "a model with two names",
      "models: [{type: main, engine: openai, model: m, parameters: {model: m}}]",
      "models[0] must name its model in exactly one of model, parameters.model, parameters.model_name (line 1, column 10)",
    ],
    [
      "a model type twice",
      "models: [{type: main, engine: openai, model: m}, {type: main, engine: openai, model: n}]",
      "models[1].type repeats the model type 'main' (line 1, column 51)",
    ],
    [
      "a base URL of another protocol",
      "rails: {config: {jailbreak_detection: {nim_base_url: 'ftp://x'}}}",
      "rails.config.jailbreak_detection.nim_base_url must be an http:// or https:// URL (line 1, column 40)",
    ],
    [
      "two services",
      "rails: {config: {jailbreak_detection: {nim_base_url: 'http://x', nim_url: y}}}",
      "rails.config.jailbreak_detection must have one of nim_base_url and the deprecated nim_url, and not both (line 1, column 18)",
    ],
    [
      "a NIM host that is a URL",
      "rails: {config: {jailbreak_detection: {nim_url: 'http://x'}}}",
      "rails.config.jailbreak_detection.nim_url must be the name of a host (line 1, column 40)",
    ],
    [
      "a NIM port alone",
      "rails: {config: {jailbreak_detection: {nim_port: 1}}}",
      "rails.config.jailbreak_detection.nim_port says nothing without nim_url: use nim_base_url (line 1, column 40)",
    ],
    [
      "a NIM port out of range",
      "rails: {config: {jailbreak_detection: {nim_url: x, nim_port: 65536}}}",
      "rails.config.jailbreak_detection.nim_port must be a port (line 1, column 52)",
    ],
    [
      "a prompt with neither content nor messages",
      "prompts: [{task: self_check_input}]",
      "prompts[0] must have one of content and messages, and not both (line 1, column 11)",
    ],
    [
      "a prompt with both",
      "prompts: [{task: self_check_input, content: x, messages: [{type: user, content: x}]}]",
      "prompts[0] must have one of content and messages, and not both (line 1, column 11)",
    ],
    [
      "a prompt without a task",
      "prompts: [{content: x}]",
      "prompts[0].task is missing (line 1, column 11)",
    ],
    [
      "a message that is text",
      "prompts: [{task: self_check_input, messages: [x]}]",
      "prompts[0].messages[0] must be a mapping (line 1, column 47)",
    ],
    [
      "a misspelt parser",
      "prompts: [{task: self_check_input, content: x, output_parser: is_content_saef}]",
      "prompts[0].output_parser must be the name of a known parser. Did you mean 'is_content_safe'? (line 1, column 48)",
    ],
    [
      "a prompt of no length",
      "prompts: [{task: self_check_input, content: x, max_length: 0}]",
      "prompts[0].max_length must be a whole number from 1 on (line 1, column 48)",
    ],
    [
      "a Colang version that is a number",
      "colang_version: 1.0",
      "colang_version must be text: put the version in quotes (line 1, column 1)",
    ],
    [
      "a provider without a name",
      "rails: {tool_call: {providers: [{with: {}}]}}",
      "rails.tool_call.providers[0].use is missing (line 1, column 33)",
    ],
    [
      "provider options that are no mapping",
      "rails: {tool_call: {providers: [{use: x, with: 1}]}}",
      "rails.tool_call.providers[0].with must be a mapping (line 1, column 42)",
    ],
    [
      "a schema that is text",
      "rails: {tool_result: {flows: [tool result validation], schemas: {'a b': x}}}",
      "rails.tool_result.schemas['a b'] must be a JSON Schema: a mapping, true or false (line 1, column 66)",
    ],
    [
      "a word for provenance",
      "rails: {tool_result: {provenance: maybe}}",
      "rails.tool_result.provenance must be 'required' or 'optional' (line 1, column 23)",
    ],
    [
      "a number that JSON cannot hold",
      "models: [{type: main, engine: openai, model: m, parameters: {x: .inf}}]",
      "a number is not finite (line 1, column 65)",
    ],
    ["a list at the top", "[x]", "must hold keys at its top level"],
    [
      "a key twice",
      "models: []\nmodels: []",
      "a key stands twice in one mapping (line 2, column 1)",
    ],
    [
      "two documents",
      "models: []\n---\nmodels: []",
      "cannot be read as YAML: there is more than one document (line 2, column 1)",
    ],
    [
      "a tag",
      "models: !!python/object x",
      "cannot be read as YAML: tags of your own are not supported (line 1, column 9)",
    ],
    [
      "an alias without an anchor",
      "models: *x",
      "an alias names no anchor: a text that begins with * needs quotes (line 1, column 9)",
    ],
    [
      "a merge key",
      "rails: {input: {<<: {parallel: true}}}",
      "merge keys are not supported (line 1, column 17)",
    ],
    [
      "a merge key where any key may stand",
      "models: [{type: main, engine: openai, model: m, parameters: {<<: {x: 1}}}]",
      "merge keys are not supported (line 1, column 62)",
    ],
    [
      "a directive",
      "%YAML 1.1\n---\nmodels: []",
      "cannot be read as YAML: directives are not supported (line 1, column 1)",
    ],
    [
      "a number that cannot be held exactly",
      "models: [{type: main, engine: openai, model: m, parameters: {seed: 9007199254740993}}]",
      "a number is too large to be held exactly; write it as text (line 1, column 68)",
    ],
    [
      "half a character",
      'models: [{type: main, engine: openai, model: "\\uD800"}]',
      "a text holds half a character (line 1, column 46)",
    ],
    [
      "a prototype key",
      "rails: {input: {__proto__: {parallel: true}}}",
      "the key '__proto__' cannot be used (line 1, column 17)",
    ],
  ])("with %s is an error that says where", async (_, yaml, problem) => {
    expect(await problemsOf({ yaml })).toEqual([`<yaml>: ${problem}`]);
  });

  it.each([
    ["a function", () => 1],
    ["a date", new Date(0)],
    ["a big integer", 1n],
    ["a Map", new Map()],
  ])("refuses %s in an object", async (_, value) => {
    expect(await problemsOf({ config: { custom_data: value } })).toEqual([
      "<config>: custom_data is not a value that JSON can hold",
    ]);
  });
});
