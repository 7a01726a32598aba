import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { call, engine, question, toolRails, weather } from "./engine.js";

const says = (message: Readonly<Record<string, unknown>>) => [{ body: completionBody(message) }];
const options = { llm_params: { tools: [weather] } };

describe("the members of NeMo's GenerationResponse", () => {
  it("IO-155 are there if the request has options, also empty ones", async () => {
    const { rails } = await engine("", says({ content: "fine", reasoning_content: "so" }));
    const result = await rails.generate({ messages: [question], options: {} });
    expect(result).toMatchObject({
      message: { content: "fine" },
      response: [{ role: "assistant", content: "fine" }],
      reasoning_content: "so",
      tool_violations: [],
    });
  });

  it("are absent without options", async () => {
    const { rails } = await engine("", says({ content: "fine" }));
    const result = await rails.generate({ messages: [question] });
    expect(result).not.toHaveProperty("response");
    expect(result).not.toHaveProperty("tool_violations");
  });

  it("have calls with their arguments as an object", async () => {
    const called = { name: "weather", arguments: '{"city":"Oslo"}' };
    const message = { content: null, tool_calls: [{ ...call, function: called }] };
    const { rails } = await engine(toolRails, says(message));
    const { response, tool_calls } = await rails.generate({ messages: [question], options });
    expect(response).toEqual([{ role: "assistant", content: "" }]);
    expect(tool_calls).toEqual([
      { id: "c1", type: "function", function: { name: "weather", arguments: { city: "Oslo" } } },
    ]);
  });

  it("have calls of hosted and of custom tools as they are", async () => {
    const custom = { id: "c2", type: "custom", custom: { name: "sh", input: "ls" } };
    const message = { content: null, tool_calls: [{ id: "c1", type: "web_search" }, custom] };
    const { rails } = await engine("", says(message));
    const { tool_calls } = await rails.generate({ messages: [question], options: {} });
    expect(tool_calls).toEqual([{ id: "c1", type: "web_search" }, custom]);
  });

  it("have the refusal of a block, and its violations under NeMo's names", async () => {
    const wipe = { ...call, function: { name: "wipe", arguments: "{}" } };
    const { rails } = await engine(toolRails, says({ content: null, tool_calls: [wipe] }));
    const { response, tool_violations } = await rails.generate({ messages: [question], options });
    expect(response).toEqual([
      { role: "assistant", content: "I'm sorry, I can't respond to that." },
    ]);
    expect(tool_violations).toEqual([
      {
        kind: "tool_call",
        violation_type: "tool_not_allowed",
        reason: "tool call 'wipe' is not an allowed tool",
        tool_call_id: "c1",
        tool_name: "wipe",
        index: 0,
        rail: "tool call validation",
      },
    ]);
  });
});

const blocking = (kind: string) => `
rails:
  ${kind}: { flows: [regex check ${kind}] }
  config: { regex_detection: { ${kind}: { patterns: [hunter2] } } }
enable_rails_exceptions: true
`;

describe("enable_rails_exceptions", () => {
  it.each([
    ["input", "InputRailException", "hunter2", "fine"],
    ["output", "OutputRailException", "What is it?", "hunter2"],
  ])("gives the exception of a block of the %s", async (kind, type, content, answer) => {
    const { rails } = await engine(blocking(kind), says({ content: answer }));
    const messages = [{ role: "user", content }];
    const exception = { type, message: `regex check ${kind}` };
    const result = await rails.generate({ messages, options: {} });
    expect(result.exception).toEqual(exception);
    expect(result.response).toEqual([{ role: "exception", content: exception }]);
    expect(result.message.content).toBe("I'm sorry, I can't respond to that.");
  });

  it("gives it without options too, and none for an answer that passes", async () => {
    const { rails } = await engine(blocking("input"), says({ content: "fine" }));
    const blocked = await rails.generate({ messages: [{ role: "user", content: "hunter2" }] });
    expect(blocked.exception?.type).toBe("InputRailException");
    expect(blocked).not.toHaveProperty("response");
    const passed = await rails.generate({ messages: [question] });
    expect(passed).not.toHaveProperty("exception");
  });

  it("must be true or false", async () => {
    const wrong = engine("enable_rails_exceptions: sometimes", []);
    await expect(wrong).rejects.toThrow("enable_rails_exceptions must be true or false");
  });
});

describe("tool_violations of check()", () => {
  it("has those of rails on tools, and is empty where there are none", async () => {
    const { rails } = await engine(toolRails, []);
    const assistant = { role: "assistant", content: null, tool_calls: [call] };
    const orphan = { role: "tool", tool_call_id: "c9", name: "weather", content: "fine" };
    const blocked = await rails.check({ messages: [question, assistant, orphan] });
    expect(blocked.tool_violations).toMatchObject([
      { kind: "tool_result", violation_type: "unknown_call_id", tool_call_id: "c9", index: 2 },
    ]);
    expect((await rails.check({ messages: [question] })).tool_violations).toEqual([]);
  });
});
