import { describe, expect, it } from "vitest";
import { isResult, requestedCalls } from "../src/traffic/requested-calls.js";

describe("reading calls", () => {
  it("reads every call of an assistant's message, in order, also the malformed", () => {
    const message = {
      role: "assistant",
      tool_calls: [
        { id: "a", type: "function", function: { name: "find", arguments: "{}" } },
        { id: "b", function: { name: "find", arguments: { q: 1 } } },
        null,
        { id: 3, function: { name: "", arguments: null } },
      ],
    };
    expect(requestedCalls(message)).toEqual([
      { callIndex: 0, id: "a", name: "find", arguments: "{}" },
      { callIndex: 1, id: "b", name: "find", arguments: { q: 1 } },
      { callIndex: 2, id: undefined, name: undefined, arguments: undefined },
      { callIndex: 3, id: undefined, name: undefined, arguments: null },
    ]);
  });

  it("reads a custom tool's call with its text as the argument 'input'", () => {
    const custom = { name: "shell", input: "ls" };
    expect(
      requestedCalls({ role: "assistant", tool_calls: [{ id: "a", type: "custom", custom }] }),
    ).toEqual([{ callIndex: 0, id: "a", name: "shell", arguments: { input: "ls" } }]);
  });

  it.each([
    null,
    "text",
    { role: "user", tool_calls: [{ id: "a" }] },
    { role: "assistant" },
    { role: "assistant", tool_calls: null, function_call: null },
    { role: "assistant", tool_calls: {} },
  ])("finds no call in %j", (message) => {
    expect(requestedCalls(message)).toEqual([]);
  });

  it("knows a result by its role alone", () => {
    expect([{ role: "tool" }, { role: "function" }].every(isResult)).toBe(true);
    expect([null, { role: "assistant" }, { tool_call_id: "a" }].some(isResult)).toBe(false);
  });
});
