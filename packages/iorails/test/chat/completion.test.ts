import { describe, expect, it } from "vitest";
import { readCompletion, splitThinking } from "../../src/chat/completion.js";
import { ModelError } from "../../src/errors.js";

const body = (message: unknown, rest: object = {}): object => ({
  id: "c1",
  model: "m",
  choices: [{ index: 0, message, finish_reason: "stop", ...rest }],
});
const f = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };
const asked = { id: "a", type: "function", name: "f", arguments: "{}" };

function faultOf(given: unknown): ModelError {
  try {
    readCompletion(given, "main");
  } catch (error) {
    if (ModelError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("readCompletion", () => {
  it("reads text, calls and what the provider says of the answer", () => {
    const given = {
      ...body({ role: "assistant", content: "hi", tool_calls: [f] }),
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    };
    expect(readCompletion(given, "main")).toEqual({
      content: "hi",
      reasoning: undefined,
      calls: [asked],
      finishReason: "stop",
      usage: { inputTokens: 1, outputTokens: 2, reasoningTokens: undefined },
      responseModel: "m",
      responseId: "c1",
    });
  });

  it.each<[string, object, object]>([
    [
      "null content beside calls as empty",
      { content: null, tool_calls: [f] },
      { content: "", calls: [asked] },
    ],
    ["absent content as empty", { tool_calls: [f] }, { content: "", calls: [asked] }],
    [
      "null content beside reasoning as empty",
      { content: null, reasoning_content: "hm" },
      { content: "", reasoning: "hm" },
    ],
    [
      "parts of text as one text",
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      { content: "ab" },
    ],
    [
      "parts of thinking as reasoning",
      {
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "b" },
        ],
      },
      { content: "b", reasoning: "hm" },
    ],
    ["a refusal as text", { content: null, refusal: "no" }, { content: "no" }],
    [
      "thinking tags as reasoning",
      { content: "<think>hm</think>\na" },
      { content: "a", reasoning: "hm" },
    ],
    [
      "reasoning of its own before thinking tags, which stay",
      { content: "<think>x</think>a", reasoning: "hm" },
      { content: "<think>x</think>a", reasoning: "hm" },
    ],
    [
      "null tool calls as none",
      { content: "a", tool_calls: null, function_call: null },
      { calls: [] },
    ],
    ["empty tool calls as none", { content: "a", tool_calls: [] }, { calls: [] }],
    [
      "each entry as a call, whatever index and id it has",
      {
        tool_calls: [
          { ...f, index: 0 },
          { ...f, index: 0 },
        ],
      },
      { calls: [asked, asked] },
    ],
    [
      "absent id, type and arguments",
      { tool_calls: [{ function: { name: "f" } }] },
      { calls: [{ id: undefined, type: "function", name: "f", arguments: "" }] },
    ],
    [
      "a flat call",
      { tool_calls: [{ id: "a", name: "f", args: { x: 1 }, function: null }] },
      { calls: [{ ...asked, arguments: { x: 1 } }] },
    ],
    [
      "arguments that are no text as they are",
      { tool_calls: [{ ...f, function: { name: "f", arguments: [1] } }] },
      { calls: [{ ...asked, arguments: [1] }] },
    ],
    [
      "arguments that are no JSON as they are",
      { tool_calls: [{ ...f, function: { name: "f", arguments: " {'x" } }] },
      { calls: [{ ...asked, arguments: " {'x" }] },
    ],
    [
      "a hosted tool's call by its type",
      { tool_calls: [{ id: "a", type: "web_search" }] },
      { calls: [{ id: "a", type: "web_search", name: undefined }] },
    ],
    [
      "a custom tool's call",
      { tool_calls: [{ id: "a", type: "custom", custom: { name: "sql", input: "x" } }] },
      { calls: [{ id: "a", type: "custom", name: "sql", arguments: "x" }] },
    ],
    [
      "the legacy function call as a call without an id",
      { content: null, function_call: { name: "f", arguments: "{}" } },
      { calls: [{ ...asked, id: undefined }] },
    ],
  ])("reads %s", (_, message, expected) => {
    expect(readCompletion(body(message), "main")).toMatchObject(expected);
  });

  it("reads the first alternative, wherever it stands", () => {
    const other = { index: 1, message: { content: "b" } };
    expect(
      readCompletion({ choices: [other, { index: 0, message: { content: "a" } }] }, "main").content,
    ).toBe("a");
    expect(
      readCompletion(
        { choices: [{ message: { content: "a" } }, { message: { content: "b" } }] },
        "main",
      ).content,
    ).toBe("a");
  });

  it.each<[string, unknown]>([
    ["a body that is no object", "hunter2"],
    ["a body that is null", null],
    ["no choices", { choices: [] }],
    ["absent choices", {}],
    ["choices that are no list", { choices: { 0: {} } }],
    ["only other alternatives", { choices: [{ index: 1, message: { content: "hunter2" } }] }],
    ["no message", { choices: [{ index: 0, text: "hunter2" }] }],
    ["a message that is text", body("hunter2")],
    ["a message that is a list", body([])],
    ["content that is no text", body({ content: { text: "hunter2" } })],
    ["a part of content that is no text", body({ content: [{ type: "image_url" }] })],
    ["tool calls that are no list", body({ tool_calls: { 0: f } })],
    ["tool calls that are text", body({ tool_calls: "hunter2" })],
    ["a tool call that is no object", body({ tool_calls: [f, "hunter2"] })],
    ["a hole among tool calls", body({ tool_calls: new Array(1) })],
    ["a name that is no text", body({ tool_calls: [{ function: { name: ["hunter2"] } }] })],
    [
      "a legacy function call beside tool calls",
      body({ tool_calls: [f], function_call: { name: "f", arguments: "{}" } }),
    ],
    ["a legacy function call that is text", body({ function_call: "hunter2" })],
  ])("refuses %s, and quotes nothing of it", (_, given) => {
    const fault = faultOf(given);
    expect(fault).toMatchObject({ fault: "malformed", code: "ERR_MODEL", model: "main" });
    expect(fault.message).not.toContain("hunter2");
  });

  it.each<[string, unknown]>([
    ["an object", { error: { message: "hunter2" } }],
    ["text", { error: "hunter2", ...body({ content: "a" }) }],
    ["of the kind error", { object: "error", message: "hunter2" }],
  ])("refuses a reported error that is %s, and does not quote it", (_, given) => {
    const fault = faultOf(given);
    expect(fault.fault).toBe("provider");
    expect(fault.message).not.toContain("hunter2");
  });
});

describe("splitThinking", () => {
  it.each<[string, string, { text: string; reasoning?: string | undefined }]>([
    ["leaves text without tags as it is", " a ", { text: " a " }],
    [
      "splits a block off and trims",
      "<think>\nhm\n</think>\n\na\n",
      { text: "a", reasoning: "hm" },
    ],
    [
      "removes every block and gives the first",
      "<think>1</think>a<think>2</think>b",
      { text: "ab", reasoning: "1" },
    ],
    ["removes an empty block", "<think>\n\n</think>a", { text: "a", reasoning: undefined }],
    [
      "leaves nothing of a text that is all thinking",
      "<think>hm</think>",
      { text: "", reasoning: "hm" },
    ],
    ["leaves a block that does not end", "<think>hm", { text: "<think>hm" }],
    ["leaves an end without a beginning", "hm</think>a", { text: "hm</think>a" }],
    [
      "leaves a block beside one that does not end",
      "<think>1</think>a<think>2",
      { text: "<think>1</think>a<think>2" },
    ],
    ["leaves tags in the wrong order", "</think>a<think>", { text: "</think>a<think>" }],
    [
      "leaves nested blocks",
      "<think>1<think>2</think>3</think>a",
      { text: "<think>1<think>2</think>3</think>a" },
    ],
    ["knows the tags in lower case only", "<THINK>1</THINK>a", { text: "<THINK>1</THINK>a" }],
  ])("%s", (_, text, expected) => {
    expect(splitThinking(text)).toEqual(expected);
  });
});
