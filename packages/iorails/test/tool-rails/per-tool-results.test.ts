import { describe, expect, it } from "vitest";
import { engine, question } from "../engine/engine.js";

const asked = (content: unknown, more: object = {}, args = '{"id": 7}') => [
  question,
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: args } }],
  },
  { role: "tool", tool_call_id: "c1", content, ...more },
];
const regex = `
rails:
  config: { regex_detection: { tool_result: { read: { patterns: ['ssn: \\d{3}'] } } } }
  tool_result: { per_tool: { read: [regex check tool result] } }
`;
const cel = (expression: string) => `
rails:
  config: { cel: { tool_result: { read: { expressions: [${JSON.stringify(expression)}] } } } }
  tool_result: { per_tool: { read: [cel check tool result] } }
`;

async function judge(yaml: string, messages: readonly object[]) {
  const { rails } = await engine(yaml, []);
  return rails.check({ messages: messages as never, railTypes: ["tool_result"] });
}

describe("a rail of one tool, on results", () => {
  it("blocks a result of its tool in which a pattern is found", async () => {
    expect((await judge(regex, asked("all is well"))).status).toBe("passed");
    const { status, violations } = await judge(regex, asked("ssn: 123"));
    expect(status).toBe("blocked");
    expect(violations).toEqual([
      {
        kind: "tool_result",
        violationType: "per_tool_rail",
        reason: "regex check tool result: a pattern of the tool was found",
        toolName: "read",
        toolCallId: "c1",
        index: 2,
        rail: "regex check tool result",
      },
    ]);
  });

  it("is of the tool that was called, whatever the result says of itself", async () => {
    const { violations } = await judge(regex, asked("ssn: 123", { name: "other" }));
    expect(violations).toMatchObject([{ toolName: "read", violationType: "per_tool_rail" }]);
  });

  it.each([
    ["answers no call", { tool_call_id: "c9" }, "unknown_call_id"],
    ["has no id", { tool_call_id: undefined }, "missing_call_id"],
  ])("blocks a result that %s: of which tool it is cannot be known", async (_, more, type) => {
    const { violations } = await judge(regex, asked("all is well", more));
    expect(violations).toMatchObject([{ kind: "tool_result", violationType: type }]);
  });

  it("judges the text of every part of a list, and an image's address", async () => {
    const text = { type: "text", text: "ssn: 123" };
    expect((await judge(regex, asked([{ type: "text", text: "ok" }, text]))).status).toBe(
      "blocked",
    );
  });

  it.each([
    ["the text, unparsed", 'result.contains("status")', '{"status": 1}', "blocked"],
    [
      "a list of parts",
      "result.exists(part, part.text == 'x')",
      [{ type: "text", text: "x" }],
      "blocked",
    ],
    ["null for no content", "result == null", null, "blocked"],
    ["the arguments of the call", "args.id == 7", "x", "blocked"],
    ["the name of the tool", 'tool == "write"', "x", "passed"],
  ])("has in CEL %s", async (_, expression, content, status) => {
    expect((await judge(cel(expression), asked(content))).status).toBe(status);
  });

  it("fails where CEL needs arguments that cannot be read", async () => {
    const { violations } = await judge(cel("args.id == 7"), asked("x", {}, "not JSON"));
    expect(violations).toMatchObject([{ violationType: "rail_failed" }]);
    expect((await judge(cel("result == 'y'"), asked("x", {}, "not JSON"))).status).toBe("passed");
  });

  it("runs after the section's flow, and is not asked where that blocks", async () => {
    const yaml = regex.replace(
      "tool_result: { per",
      "tool_result: { flows: [tool result validation], per",
    );
    const { violations } = await judge(yaml, asked("ssn: 123", { name: "other" }));
    expect(violations).toMatchObject([{ violationType: "name_mismatch" }]);
  });
});
