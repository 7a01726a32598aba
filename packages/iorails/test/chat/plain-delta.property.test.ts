import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { CompletionAssembler } from "../../src/chat/assembly.js";
import type { Completion, CompletionEvent } from "../../src/chat/message.js";
import { plainText } from "../../src/chat/plain-delta.js";
import { ModelError } from "../../src/errors.js";

const odd = fc.constantFrom<unknown>(null, "", "error", "stop", 0, 1, true, [], {}, ["a"], {
  prompt_tokens: 3,
});
const some = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(members, { requiredKeys: [] });
const delta = some({
  role: fc.constant("assistant"),
  content: fc.oneof(fc.string(), odd),
  refusal: odd,
  reasoning: odd,
  reasoning_content: odd,
  tool_calls: fc.oneof(
    odd,
    fc.constant([{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }]),
  ),
  function_call: odd,
  audio: odd,
});
const choice = some({
  index: fc.constantFrom<unknown>(0, 0, 0, 1, null),
  delta: fc.oneof({ weight: 5, arbitrary: delta }, odd),
  message: odd,
  finish_reason: fc.constantFrom<unknown>(null, null, null, "stop", "error"),
  logprobs: odd,
  error: odd,
});
const chunk = some({
  id: fc.constant("i"),
  object: fc.constantFrom("chat.completion.chunk", "error"),
  model: fc.constant("m"),
  usage: odd,
  error: odd,
  choices: fc.oneof(
    { weight: 6, arbitrary: fc.array(choice, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(choice, { maxLength: 2 }) },
    odd,
  ),
});

interface Read {
  readonly events: readonly CompletionEvent[];
  readonly completion: Completion | undefined;
}

function read(chunks: readonly unknown[]): Read | string {
  const assembler = new CompletionAssembler("m");
  assembler.take({ choices: [{ index: 0, delta: {} }] });
  try {
    const events = chunks.flatMap((each) => assembler.take(each));
    return { events, completion: assembler.end() };
  } catch (thrown) {
    if (ModelError.isInstance(thrown)) return `${thrown.fault} ${thrown.message}`;
    throw thrown;
  }
}

/** The same, read member by member: nobody knows this one. */
const unusual = (each: unknown): unknown =>
  typeof each === "object" && each !== null ? { ...each, unheard_of: 1 } : each;

describe("plainText", () => {
  it("finds of any chunk what reading it member by member finds", () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 4 }), (chunks) => {
        expect(chunks.map(unusual).map(plainText)).toEqual(chunks.map(() => undefined));
        expect(read(chunks)).toEqual(read(chunks.map(unusual)));
      }),
      { numRuns: 2_000 },
    );
  });

  const usual = (content: unknown): unknown => ({
    id: "i",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  });

  it("reads a usual chunk", () => {
    expect(plainText(usual("a"))).toBe("a");
  });

  describe("with a planted root prototype", () => {
    const root = Object.prototype as unknown as Record<string, unknown>;
    afterEach(() => {
      delete root["content"];
      delete root["tool_calls"];
    });

    it("reads nothing that the delta itself does not say", () => {
      root["content"] = "planted";
      expect(plainText({ choices: [{ delta: {} }] })).toBeUndefined();
    });

    it("leaves every chunk to the long way", () => {
      root["tool_calls"] = [];
      expect(plainText(usual("a"))).toBeUndefined();
    });
  });
});
