import { describe, expect, it } from "vitest";
import { readConversation } from "../src/traffic/conversation.js";

describe("reading a conversation", () => {
  it.each([
    ['{"messages":', "is not JSON"],
    ['{"messages":[]} {}', "is not JSON"],
    ["[]", "is not a conversation: it must be an object"],
    ["null", "is not a conversation: it must be an object"],
    ["{}", "is not a conversation: it must have a list of messages"],
    ['{"messages":{}}', "is not a conversation: it must have a list of messages"],
    ['{"__proto__":{"messages":[]}}', "is not a conversation: it must have a list of messages"],
    ['{"messages":[],"tools":{}}', "is not a conversation: its tools must be a list"],
  ])("refuses %s", (text, fault) => {
    expect(readConversation(text)).toEqual({ fault });
  });

  it.each([
    ['{"messages":[]}', undefined, []],
    ['{"messages":[],"tools":null,"id":7}', "7", []],
    ['{"messages":[],"functions":[1],"id":"x"}', "x", [1]],
  ])("reads %s", (text, id, tools) => {
    expect(readConversation(text)).toEqual({ conversation: { id, tools, messages: [] } });
  });

  it("quotes nothing of a line that is not JSON", () => {
    expect(JSON.stringify(readConversation('{"password":"hunter2'))).not.toContain("hunter2");
  });

  it("cuts a long id", () => {
    const text = JSON.stringify({ id: "x".repeat(1e6), messages: [] });
    expect(readConversation(text)).toMatchObject({ conversation: { id: `${"x".repeat(256)}…` } });
  });

  it.each([
    ["messages", (parts: unknown[]) => ({ messages: parts })],
    ["tools", (parts: unknown[]) => ({ messages: [], tools: parts.slice(1).concat(0) })],
    ["calls", (parts: unknown[]) => ({ messages: [{ tool_calls: parts.slice(1) }] })],
  ])("refuses more than 250,000 %s, which take too much memory", (_, of) => {
    const fault = "has more than 250,000 messages, tools and calls";
    const most = Array.from({ length: 250_000 }, () => 0);
    expect(readConversation(JSON.stringify(of(most)))).toHaveProperty("conversation");
    expect(readConversation(JSON.stringify(of([0, ...most])))).toEqual({ fault });
  });
});
