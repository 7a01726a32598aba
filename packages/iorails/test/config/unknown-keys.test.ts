import { quoted } from "@toolstile/core/provider";
import { describe, expect, it } from "vitest";
import { problemsOf } from "./load.js";

describe("a wrong configuration", () => {
  it.each([
    ["modles", "modles: []", "the top level has no key 'modles'. Did you mean 'models'?"],
    [
      "tool_ouput",
      "rails: {tool_ouput: {}}",
      "rails has no key 'tool_ouput'. Did you mean 'tool_output'?",
    ],
    ["tool_cal", "rails: {tool_cal: {}}", "rails has no key 'tool_cal'. Did you mean 'tool_call'?"],
    ["flow", "rails: {input: {flow: []}}", "rails.input has no key 'flow'. Did you mean 'flows'?"],
    [
      "chunksize",
      "rails: {output: {streaming: {chunksize: 1}}}",
      "rails.output.streaming has no key 'chunksize'. Did you mean 'chunk_size'?",
    ],
    [
      "requires_name",
      "rails: {tool_result: {requires_name: true}}",
      "rails.tool_result has no key 'requires_name'. Did you mean 'require_name'?",
    ],
    [
      "content_saftey",
      "rails: {config: {content_saftey: {}}}",
      "rails.config has no key 'content_saftey'. Did you mean 'content_safety'?",
    ],
    [
      "nim_base_ulr",
      "rails: {config: {jailbreak_detection: {nim_base_ulr: x}}}",
      "rails.config.jailbreak_detection has no key 'nim_base_ulr'. Did you mean 'nim_base_url'?",
    ],
    [
      "enginee",
      "models: [{type: main, engine: nim, model: m, enginee: x}]",
      "models[0] has no key 'enginee'. Did you mean 'engine'?",
    ],
    [
      "baseurl",
      "models: [{type: main, engine: openai, model: m, parameters: {baseurl: x}}]",
      "models[0].parameters has no key 'baseurl'. Did you mean 'base_url'?",
    ],
    [
      "Max_Attempt",
      "models: [{type: main, engine: openai, model: m, parameters: {Max_Attempt: 1}}]",
      "models[0].parameters has no key 'Max_Attempt'. Did you mean 'max_attempts'?",
    ],
    [
      "max_token",
      "prompts: [{task: self_check_input, content: x, max_token: 1}]",
      "prompts[0] has no key 'max_token'. Did you mean 'max_tokens'?",
    ],
    [
      "uses",
      "rails: {tool_result: {providers: [{use: x, uses: y}]}}",
      "rails.tool_result.providers[0] has no key 'uses'. Did you mean 'use'?",
    ],
    ["enable", "metrics: {enable: true}", "metrics has no key 'enable'. Did you mean 'enabled'?"],
  ])("P5 names the unknown key %s and the nearest right one", async (key, yaml, problem) => {
    const column = yaml.indexOf(key) + 1;
    expect(await problemsOf({ yaml })).toEqual([`<yaml>: ${problem} (line 1, column ${column})`]);
  });

  it("shows the names of keys only escaped and cut", async () => {
    const key = `x'\n${"y".repeat(100)}`;
    expect(await problemsOf({ config: { [key]: 1 } })).toEqual([
      `<config>: the top level has no key ${quoted(key)}.`,
    ]);
  });
});
