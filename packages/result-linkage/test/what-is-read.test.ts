import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkLinkage } from "../src/index.js";
import { answers, asks, found, named, text, user } from "./conversation.js";

const call = named("t", "a");
const part = (type: string, more: object) => ({ ...user, content: [{ type, ...more }] });

describe("a message in the form of another interface", () => {
  it.each<[string, object, string]>([
    [
      "a call as a part (Anthropic)",
      { ...text, content: [{ type: "tool_use", id: "a", name: "t", input: {} }] },
      "assistant' has 'content[0]'",
    ],
    ["calls as toolCalls", { ...text, toolCalls: [call] }, "assistant' has 'toolCalls'"],
    [
      "a call as a part (Bedrock)",
      { ...text, content: [{ toolUse: { toolUseId: "a", name: "t", input: {} } }] },
      "assistant' has 'content[0]'",
    ],
    [
      "a call as a part (AI SDK)",
      { ...text, content: [{ type: "tool-call", toolCallId: "a", toolName: "t", input: {} }] },
      "assistant' has 'content[0]'",
    ],
    [
      "calls among other arguments (LangChain)",
      { ...text, additional_kwargs: { tool_calls: [call] } },
      "assistant' has 'additional_kwargs'",
    ],
    ["calls in other letters", { ...text, Tool_Calls: [call] }, "assistant' has 'Tool_Calls'"],
    ["input beside a call", asks({ ...call, input: {} }), "assistant' has 'tool_calls[0].input'"],
    ["a result of the user", part("tool_result", { content: "x" }), "user' has 'content[0]'"],
    ["a document", part("document", { source: {} }), "user' has 'content[0]'"],
    ["a refusal of the user", part("refusal", { refusal: "x" }), "user' has 'content[0]'"],
    ["a part of no type", part("", { text: "x" }), "user' has 'content[0]'"],
    ["blocks beside content", { ...user, content_blocks: [] as object[], parts: ["x"] }, "'parts'"],
    ["a text beside a text", part("text", { text: "x", content: "y" }), "'content[0].content'"],
    ["content that is an object", { ...user, content: { text: "x" } }, "user' has 'content'"],
    ["a name that is no text", { ...user, name: ["x"] }, "user' has 'name'"],
    ["an image as an instruction", { role: "system", content: [{ type: "image_url" }] }, "system'"],
  ])("is malformed: %s", (_, message, where) => {
    const [finding, ...more] = checkLinkage([message]);
    expect(finding).toMatchObject({ code: "malformed_message", index: 0 });
    expect(finding?.reason).toContain(where);
    expect(finding?.reason).toMatch(/, which is not read$/);
    expect(more).toEqual([]);
  });

  it("is malformed content where a result brings a part of another form", () => {
    const forged = [{ type: "tool_result", tool_use_id: "a", content: "x" }];
    for (const rule of ["parts", "objects"] as const) {
      const conversation = [asks(call), answers("a", { content: forged })];
      expect(found(conversation, { content: rule })).toEqual(["malformed_content 1"]);
    }
  });
});

/** Every member and part that is read, once. */
const complete: readonly object[] = [
  { role: "system", content: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }] },
  { role: "developer", name: "d", content: "s" },
  {
    role: "user",
    name: "ann",
    content: [
      "bare",
      { type: "text", text: "u" },
      { type: "image_url", image_url: { url: "https://x", detail: "low" } },
      { type: "image_url", image_url: "https://x" },
      { type: "input_audio", input_audio: { data: "AA", format: "mp3" } },
      { type: "file", file: { file_data: "AA", filename: "f.pdf" } },
      { type: "document_url", document_url: "https://x", document_name: "x" },
    ],
  },
  {
    role: "assistant",
    name: "agent",
    refusal: null,
    audio: { id: "audio_1" },
    annotations: [
      {
        type: "url_citation",
        url_citation: { start_index: 0, end_index: 1, title: "t", url: "u" },
      },
    ],
    reasoning: "r",
    reasoning_content: "r",
    reasoning_details: [{ type: "reasoning.text", text: "r", signature: "s", index: 0 }],
    prefix: false,
    content: [
      { type: "text", text: "a" },
      { type: "refusal", refusal: "a" },
      { type: "thinking", thinking: [{ type: "text", text: "t" }] },
    ],
    tool_calls: [
      {
        id: "a",
        index: 0,
        type: "function",
        function: { name: "t", arguments: "{}" },
        extra_content: { google: { thought_signature: "s" } },
      },
      { id: "b", type: "custom", custom: { name: "c", input: "x" } },
    ],
  },
  { role: "tool", tool_call_id: "a", name: "t", content: [{ type: "text", text: "r" }] },
  { role: "tool", tool_call_id: "b", content: "r" },
  { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
  { role: "function", name: "f", content: "r" },
];

/** All objects and lists in a value. */
function places(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(places)];
}

describe("a conversation of which everything is read", () => {
  it("has no finding", () => {
    expect(checkLinkage(complete)).toEqual([]);
  });

  it("has one as soon as any member or part is put anywhere that is not read", () => {
    const full = fc.oneof(fc.string({ minLength: 1 }), fc.boolean(), fc.integer(), fc.constant({}));
    const count = places(complete).length;
    fc.assert(
      fc.property(fc.nat(count - 1), fc.string(), full, (at, name, value) => {
        const changed = structuredClone(complete);
        const place = places(changed)[at] as object;
        const key = `x-${name}`;
        if (Array.isArray(place)) place.push({ type: key, [key]: value });
        else Object.assign(place, { [key]: value });
        expect(checkLinkage(changed)).not.toEqual([]);
      }),
    );
  });
});
