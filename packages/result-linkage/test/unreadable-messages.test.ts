import { describe, expect, it } from "vitest";
import { checkLinkage } from "../src/index.js";
import { answers, asks, found, named, text, user } from "./conversation.js";

describe("what cannot be read", () => {
  it.each([null, undefined, 7, "[]", {}, { length: 1, 0: user }])(
    "is a finding where %o stands for the conversation",
    (messages) => {
      expect(found(messages)).toEqual(["malformed_message -1"]);
    },
  );

  it.each([null, undefined, 7, "user", [], {}, { role: 7 }, Object.create({ role: "tool" })])(
    "is a finding where %o stands for a message",
    (message) => {
      expect(found([user, message])).toEqual(["malformed_message 1"]);
    },
  );

  it.each([
    "Tool",
    "tool ",
    "tool_result",
    "TOOL",
    "Assistant",
    "model",
    "constructor",
    "__proto__",
    "",
  ])("is a finding where a message has the role %j, whatever it carries", (role) => {
    const carrying = [{}, { tool_call_id: "a" }, { tool_calls: [named("t", "a")] }];
    for (const fields of carrying) {
      expect(found([user, { role, content: "x", ...fields }])).toEqual(["malformed_message 1"]);
    }
  });

  it("is a finding beside the call that a misspelt result leaves open", () => {
    const misspelt = { ...answers("a"), role: "Tool" };
    expect(found([asks(named("t", "a")), misspelt, text])).toEqual([
      "unanswered_call 0.0",
      "malformed_message 1",
    ]);
  });

  const callFields = { tool_calls: [named("t", "a")] };
  const functionFields = { function_call: { name: "t", arguments: "{}" } };
  it.each<[string, string, object]>([
    ["user", "tool_calls", callFields],
    ["system", "tool_calls", callFields],
    ["developer", "tool_calls", callFields],
    ["user", "tool_calls", { tool_calls: {} }],
    ["user", "function_call", functionFields],
    ["system", "function_call", functionFields],
    ["user", "tool_call_id", { tool_call_id: "a" }],
    ["assistant", "tool_call_id", { tool_call_id: "a" }],
    ["developer", "tool_call_id", { tool_call_id: 7 }],
    ["user", "tool_calls and tool_call_id", { ...callFields, tool_call_id: "a" }],
  ])("is a finding where a message of %s carries %s", (role, fields, carrying) => {
    const [finding, ...more] = checkLinkage([{ role, content: "x", ...carrying }]);
    expect(finding).toMatchObject({ code: "malformed_message", index: 0 });
    expect(finding?.reason).toBe(`a message of role '${role}' carries ${fields}`);
    expect(more).toEqual([]);
  });

  it.each<[string, object]>([
    ["tool_calls", callFields],
    ["function_call", functionFields],
  ])("is a finding where a result itself carries %s, and it is read as a result", (_, fields) => {
    expect(found([asks(named("t", "a")), answers("a", fields), text])).toEqual([
      "malformed_message 1",
    ]);
    const called = { role: "assistant", function_call: { name: "t" } };
    const result = { role: "function", name: "t", content: "x" };
    expect(found([called, { ...result, ...fields }, text])).toEqual(["malformed_message 1"]);
    expect(found([called, { ...result, tool_call_id: "a" }])).toEqual(["malformed_message 1"]);
  });

  it("is none where every message has every field, and leaves them empty", () => {
    const empty = {
      tool_calls: null,
      function_call: { name: "", arguments: "" },
      tool_call_id: "",
    };
    const roles = ["assistant", "developer", "system", "user"];
    expect(found(roles.map((role) => ({ role, content: "x", ...empty })))).toEqual([]);
    expect(found(roles.map((role) => ({ role, content: "x", tool_calls: [] })))).toEqual([]);
  });

  it("says the role that was meant, and no content", () => {
    const reasons = checkLinkage([
      { ...user, role: "Tool" },
      { ...user, role: "secret\u202e" },
    ]).map(({ reason }) => reason);
    expect(reasons[0]).toBe("the role 'Tool' is not known. Did you mean 'tool'?");
    expect(reasons[1]).toBe("the role 'secret\\u{202e}' is not known");
  });

  it("is a finding where a call has two names", () => {
    const two = (custom: string) => ({
      id: "a",
      function: { name: "t" },
      custom: { name: custom },
    });
    const [finding, ...more] = checkLinkage([asks(two("u")), answers("a", { name: "t" }), text]);
    expect(finding).toMatchObject({
      code: "malformed_calls",
      callIndex: 0,
      callId: "a",
      reason: "a tool call has two names",
    });
    expect(more).toEqual([]);
    expect(found([asks(two("t")), answers("a"), text])).toEqual([]);
    expect(found([asks(two("")), answers("a", { name: "t" }), text])).toEqual([]);
  });

  it("keeps a result behind it from being called adjacent", () => {
    expect(found([asks(named("t", "a")), null, answers("a")])).toEqual([
      "malformed_message 1",
      "result_not_adjacent 2",
    ]);
  });
});

describe("a list with a hole", () => {
  it("is read to its end", () => {
    const calls = Object.assign([], { 1: named("t", "a") });
    expect(found([{ ...text, tool_calls: calls }, answers("a")])).toEqual([
      "malformed_calls 0.0",
      "missing_call_id 0.0",
    ]);
    expect(found(Object.assign([], { 1: user }))).toEqual(["malformed_message 0"]);
  });
});
