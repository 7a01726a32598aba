import { describe, expect, it } from "vitest";
import { readConversation } from "../src/replay/conversation.js";

describe("reading a conversation", () => {
  it.each([
    ['{"messages":', "is not JSON"],
    ['{"messages":[]} {}', "is not JSON"],
    ["[]", "is no conversation: it is not an object"],
    ["null", "is no conversation: it is not an object"],
    ["{}", "is no conversation: it has no list of messages"],
    ['{"messages":{}}', "is no conversation: it has no list of messages"],
    ['{"__proto__":{"messages":[]}}', "is no conversation: it has no list of messages"],
    ['{"messages":[],"tools":{}}', "is no conversation: its tools are not a list"],
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
});
