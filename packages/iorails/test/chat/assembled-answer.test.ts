import { describe, expect, it } from "vitest";
import { CompletionAssembler } from "../../src/chat/assembly.js";
import type { CompletionEvent } from "../../src/chat/message.js";
import { assemble, choice, faultOf } from "./assembled.js";

describe("CompletionAssembler, on the rest of an answer", () => {
  it("gives text and reasoning as they come, and the whole at the end", () => {
    const assembler = new CompletionAssembler("main");
    const events: CompletionEvent[] = [
      {
        id: "c1",
        model: "m",
        ...choice({ role: "assistant", content: "", reasoning_content: "hm" }),
      },
      choice({ content: null, reasoning: "m", reasoning_content: null }),
      choice({ content: "a", reasoning: "!", reasoning_content: "!" }),
      choice({
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "?" }] },
          { type: "text", text: "b" },
        ],
      }),
      choice({ content: "" }, { finish_reason: "stop" }),
      choice({ refusal: "no" }),
      {
        model: "other",
        choices: [],
        usage: {
          prompt_tokens: 3,
          completion_tokens: 4,
          completion_tokens_details: { reasoning_tokens: 2 },
        },
      },
    ].flatMap((chunk) => assembler.take(chunk));
    expect(events).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "reasoning", text: "m" },
      { type: "reasoning", text: "!" },
      { type: "text", text: "a" },
      { type: "reasoning", text: "?" },
      { type: "text", text: "b" },
      { type: "text", text: "no" },
    ]);
    expect(assembler.end()).toEqual({
      content: "abno",
      reasoning: "hmm!?",
      isRefusal: true,
      calls: [],
      finishReason: "stop",
      usage: { inputTokens: 3, outputTokens: 4, reasoningTokens: 2 },
      responseModel: "m",
      responseId: "c1",
    });
  });

  it("passes thinking tags through as text, and splits them off the whole", () => {
    const assembler = new CompletionAssembler("main");
    const events = ["<thi", "nk>a</think>", "b"].flatMap((content) =>
      assembler.take(choice({ content })),
    );
    expect(events.map((event) => event.type === "text" && event.text).join("")).toBe(
      "<think>a</think>b",
    );
    expect(assembler.end()).toMatchObject({ content: "b", reasoning: "a" });
  });

  it("reads the first alternative only", () => {
    const completion = assemble([
      {
        choices: [
          { index: 1, delta: { content: "x" }, finish_reason: "length" },
          { index: 0, delta: { content: "a" } },
        ],
      },
      { choices: [{ delta: { content: "b" } }, { delta: { content: "y" } }] },
    ]);
    expect(completion).toMatchObject({ content: "ab", finishReason: undefined });
  });

  it("takes the last usage that counts anything", () => {
    const usage = (value: unknown): object => ({ ...choice({}), usage: value });
    const { usage: read } = assemble([
      usage({ prompt_tokens: 1 }),
      usage({ prompt_tokens: 2, completion_tokens: -1 }),
      usage(null),
      usage({ total: 5 }),
      usage("x"),
    ]);
    expect(read).toEqual({ inputTokens: 2, outputTokens: undefined, reasoningTokens: undefined });
  });

  it.each<[string, object]>([
    ["a chunk", { error: { message: "hunter2", code: 500 } }],
    ["a chunk with choices", { ...choice({ content: "a" }), error: "hunter2" }],
    ["a choice", { choices: [{ index: 0, delta: {}, error: { message: "hunter2" } }] }],
    ["a finish reason", choice({ content: "hunter2" }, { finish_reason: "error" })],
    ["an object of the kind error", { object: "error", message: "hunter2" }],
  ])("refuses an error that %s reports, and does not quote it", (_, chunk) => {
    const fault = faultOf([choice({ content: "a" }), chunk]);
    expect(fault).toMatchObject({ fault: "provider", model: "main" });
    expect(fault.message).not.toContain("hunter2");
  });

  it("reads past an error that is null or empty, and text that looks like one", () => {
    const chunks = [null, "", false].map((error) => ({ ...choice({ content: "." }), error }));
    expect(assemble([...chunks, choice({ content: '{"error": 1}' })]).content).toBe(
      '...{"error": 1}',
    );
  });

  it("reads nothing that stands on a prototype", () => {
    const inherited = Object.create({
      error: { message: "x" },
      usage: { prompt_tokens: 1 },
      choices: [],
    });
    expect(assemble([Object.assign(inherited, choice({ content: "a" }))])).toMatchObject({
      content: "a",
      usage: undefined,
    });
  });
});
