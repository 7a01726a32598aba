import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { engine } from "../engine/engine.js";

const asked = { name: "self_check_input", arguments: '{"command":"rm"}' };
const call = { id: "c1", type: "function", function: asked };
const messages = [
  { role: "user", content: "Go on." },
  { role: "assistant", content: null, tool_calls: [call] },
  { role: "tool", tool_call_id: "c1", content: "rm" },
];
const open = { type: "object", additionalProperties: true };
const declared = [{ type: "function", function: { name: "self_check_input", parameters: open } }];

/** A configuration in which each check of this tool blocks. */
const rails = (section: string, flow: string): string => `
rails:
  ${section}: { per_tool: { self_check_input: ["${flow}"] } }
  config:
    regex_detection: { ${section}: { self_check_input: { patterns: [rm] } } }
    cel: { ${section}: { self_check_input: { expressions: ["true"] } } }
prompts:
  - { task: tool_safety_check_output $model=self_check_facts $variant=v, content: "?" }
  - { task: tool_safety_check_input $model=self_check_facts $variant=v, content: "?" }
`;
const judge = "$model=self_check_facts $variant=v";

describe("a flow of one tool", () => {
  it.each([
    ["tool_call", "regex check tool call"],
    ["tool_call", "regex check tool output"],
    ["tool_call", "cel check tool call"],
    ["tool_call", "cel check tool output"],
    ["tool_call", `tool safety check call ${judge}`],
    ["tool_call", `tool safety check tool call ${judge}`],
    ["tool_call", `tool safety check output ${judge}`],
    ["tool_result", "regex check tool result"],
    ["tool_result", "regex check tool input"],
    ["tool_result", "cel check tool result"],
    ["tool_result", "cel check tool input"],
    ["tool_result", `tool safety check result ${judge}`],
    ["tool_result", `tool safety check tool result ${judge}`],
    ["tool_result", `tool safety check input ${judge}`],
  ] as const)(
    "IO-159 of %s may be spelt '%s', and is told of as it is spelt",
    async (section, flow) => {
      const body = completionBody({ content: "unsafe" });
      const guarded = await engine(rails(section, flow), [{ body }]);
      const request = { messages, railTypes: [section] };
      const tools = section === "tool_call" ? declared : undefined;
      const found = await guarded.rails.check(tools ? { ...request, tools } : request);
      expect(found.violations).toMatchObject([
        { kind: section, violationType: "per_tool_rail", rail: flow },
      ]);
    },
  );
});
