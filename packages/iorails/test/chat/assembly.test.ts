import { describe, expect, it } from "vitest";
import { type AssemblyLimits, CompletionAssembler } from "../../src/chat/assembly.js";
import type { AskedCall, Completion, CompletionEvent } from "../../src/chat/message.js";
import { ModelError } from "../../src/errors.js";

const choice = (delta: unknown, rest: object = {}): object => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: null, ...rest }],
});
const piece = (...entries: unknown[]): object => choice({ tool_calls: entries });
const fn = (name: unknown, args?: unknown): object => ({ function: { name, arguments: args } });

function assemble(chunks: readonly unknown[], limits?: AssemblyLimits): Completion {
  const assembler = new CompletionAssembler("main", limits);
  for (const chunk of chunks) assembler.take(chunk);
  return assembler.end();
}
const callsOf = (...chunks: readonly unknown[]): readonly AskedCall[] => assemble(chunks).calls;
const call = (
  id: string | undefined,
  name: string | undefined,
  args: unknown = "{}",
): AskedCall => ({
  id,
  type: "function",
  name,
  arguments: args,
});

function faultOf(chunks: readonly unknown[], limits?: AssemblyLimits): ModelError {
  try {
    assemble(chunks, limits);
  } catch (error) {
    if (ModelError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("CompletionAssembler, on calls", () => {
  it.each<[string, readonly unknown[], readonly AskedCall[]]>([
    [
      "puts pieces together by index",
      [
        piece({ index: 0, id: "a", type: "function", ...fn("f", "") }),
        piece({ index: 0, ...fn(undefined, "{") }),
        piece({ index: 0, ...fn(undefined, "}") }),
      ],
      [call("a", "f")],
    ],
    [
      "reads null and empty as absent",
      [
        piece({ index: 0, id: "a", type: "function", ...fn("f", null) }),
        piece({ index: 0, id: null, type: null, ...fn(null, "{") }),
        piece({ index: 0, id: "", type: "", ...fn("", "}") }),
        choice(null),
        choice({ tool_calls: null, function_call: null, content: null }),
      ],
      [call("a", "f")],
    ],
    [
      "tells interleaved pieces apart, and orders calls by index",
      [
        piece({ index: 1, id: "b", ...fn("g", "{") }, { index: 0, id: "a", ...fn("f", "[") }),
        piece({ index: 0, ...fn(undefined, "]") }, { index: 1, ...fn(undefined, "}") }),
      ],
      [call("a", "f", "[]"), call("b", "g", "{}")],
    ],
    [
      "opens a call for a new id on an index that has one",
      [
        piece({ index: 0, id: "a", ...fn("f", "{}") }),
        piece({ index: 0, id: "b", ...fn("f", "{") }),
        piece({ index: 0, ...fn(undefined, "}") }),
      ],
      [call("a", "f"), call("b", "f")],
    ],
    [
      "leads a piece back to an earlier call of its index by its id",
      [
        piece({ index: 0, id: "a", ...fn("f", "{") }),
        piece({ index: 0, id: "b", ...fn("g", "{") }),
        piece({ index: 0, id: "a", ...fn(undefined, "}") }),
        piece({ index: 0, id: "b", ...fn(undefined, "}") }),
      ],
      [call("a", "f"), call("b", "g")],
    ],
    [
      "lets the index decide where two calls have one id",
      [
        piece({ index: 0, id: "a", ...fn("f", "{") }),
        piece({ index: 1, id: "a", ...fn("g", "[") }),
        piece({ index: 0, id: "a", ...fn(undefined, "}") }),
        piece({ index: 1, id: "a", ...fn(undefined, "]") }),
      ],
      [call("a", "f", "{}"), call("a", "g", "[]")],
    ],
    [
      "goes by the id where there is no index",
      [
        piece({ id: "b", ...fn("f", "{") }, { id: "a", ...fn("g", "[") }),
        piece({ id: "a", ...fn(undefined, "]") }),
        piece({ id: "b", ...fn(undefined, "}") }),
      ],
      [call("b", "f"), call("a", "g", "[]")],
    ],
    [
      "gives a piece without index and id to the only call",
      [piece({ id: "a", ...fn("f", "{") }), piece(fn(undefined, "}"))],
      [call("a", "f")],
    ],
    [
      "takes an index that comes late, by the id",
      [piece({ id: "a", ...fn("f", "{") }), piece({ index: 0, id: "a", ...fn(undefined, "}") })],
      [call("a", "f")],
    ],
    [
      "takes an id that comes late, by the index",
      [piece({ index: 0, ...fn("f", "{") }), piece({ index: 0, id: "a", ...fn(undefined, "}") })],
      [call("a", "f")],
    ],
    [
      "leaves a name that is repeated as it is",
      [
        piece({ index: 0, id: "a", ...fn("f", "{") }),
        piece({ index: 0, ...fn("f", "}") }),
        piece({ index: 0, id: "a", ...fn("f") }),
      ],
      [call("a", "f")],
    ],
    [
      "takes a name that grows before there are arguments",
      [
        piece({ index: 0, id: "a", ...fn("get_", "") }),
        piece({ index: 0, ...fn("get_time", "{}") }),
      ],
      [call("a", "get_time")],
    ],
    [
      "keeps arguments that are cut short",
      [
        piece({ index: 0, id: "a", ...fn("f", '{"x":"y') }),
        choice({}, { finish_reason: "tool_calls" }),
      ],
      [call("a", "f", '{"x":"y')],
    ],
    [
      "appends arguments that repeat what came before, and mends nothing",
      [
        piece({ index: 0, id: "a", ...fn("f", '{"x') }),
        piece({ index: 0, ...fn(undefined, '{"x":1}') }),
      ],
      [call("a", "f", '{"x{"x":1}')],
    ],
    [
      "keeps arguments that are no text",
      [
        piece({ index: 0, id: "a", ...fn("f", "") }),
        piece({ index: 0, ...fn(undefined, { x: 1 }) }),
        piece({ index: 0, ...fn(undefined, "") }),
      ],
      [call("a", "f", { x: 1 })],
    ],
    [
      "keeps arguments that are false",
      [piece({ index: 0, id: "a", ...fn("f", false) })],
      [call("a", "f", false)],
    ],
    [
      "keeps pieces that come after the finish",
      [
        piece({ index: 0, id: "a", ...fn("f", "{") }),
        choice({}, { finish_reason: "tool_calls" }),
        piece({ index: 0, ...fn(undefined, "}") }),
        piece({ index: 1, id: "b", ...fn("g", "{}") }),
      ],
      [call("a", "f"), call("b", "g")],
    ],
    ["needs no finish", [piece({ index: 0, id: "a", ...fn("f", "{}") })], [call("a", "f")]],
    [
      "keeps a call without name and id",
      [piece({ index: 0, function: { arguments: "{}" } })],
      [call(undefined, undefined)],
    ],
    [
      "keeps a hosted tool's call by its type",
      [piece({ index: 0, id: "a", type: "web_search" })],
      [{ id: "a", type: "web_search", name: undefined, arguments: "" }],
    ],
    [
      "opens a hosted tool's call for a new id",
      [
        piece({ index: 0, id: "a", type: "web_search" }),
        piece({ index: 0, id: "b", type: "web_search" }),
      ],
      [
        { id: "a", type: "web_search", name: undefined, arguments: "" },
        { id: "b", type: "web_search", name: undefined, arguments: "" },
      ],
    ],
    [
      "reads a custom tool's call",
      [
        piece({ index: 0, id: "a", type: "custom", custom: { name: "sql", input: "select" } }),
        piece({ index: 0, custom: { input: " 1" } }),
      ],
      [{ id: "a", type: "custom", name: "sql", arguments: "select 1" }],
    ],
    [
      "reads an entry that has name and arguments of its own",
      [piece({ id: "a", name: "f", args: { x: 1 } })],
      [call("a", "f", { x: 1 })],
    ],
    [
      "reads the legacy function call",
      [
        choice({ function_call: { name: "f", arguments: "" } }),
        choice({ function_call: { arguments: "{" } }),
        choice({ function_call: { name: "f", arguments: "}" } }),
      ],
      [call(undefined, "f")],
    ],
    [
      "reads past an empty legacy function call",
      [
        choice({ function_call: { name: "", arguments: "" } }),
        piece({ index: 0, id: "a", ...fn("f", "{}") }),
      ],
      [call("a", "f")],
    ],
    [
      "takes a whole message in place of deltas",
      [
        {
          choices: [
            {
              message: {
                role: "assistant",
                content: null,
                tool_calls: [fn("f", "{}"), fn("f", "[]")],
              },
            },
          ],
        },
      ],
      [call(undefined, "f"), call(undefined, "f", "[]")],
    ],
    [
      "takes a whole message that repeats the deltas",
      [
        piece({ index: 0, id: "a", ...fn("f", "{}") }),
        {
          choices: [
            { index: 0, message: { content: "", tool_calls: [{ id: "a", ...fn("f", "{}") }] } },
          ],
        },
      ],
      [call("a", "f")],
    ],
    [
      "has no calls where only the finish says so",
      [choice({ content: "" }), choice({}, { finish_reason: "tool_calls" })],
      [],
    ],
    [
      "gives names like __proto__ no powers",
      [
        piece({ index: 0, id: "__proto__", ...fn("constructor", "{") }),
        piece({ index: 0, id: "__proto__", ...fn("constructor", "}") }),
      ],
      [call("__proto__", "constructor")],
    ],
  ])("%s", (_, chunks, expected) => {
    expect(callsOf(...chunks)).toEqual(expected);
  });

  const open = piece({ index: 0, id: "a", ...fn("f", "{") });
  it.each<[string, readonly unknown[]]>([
    ["pieces with neither index nor id side by side", [piece(fn("f", "{}"), fn("f", "{}"))]],
    [
      "a piece with neither index nor id after two calls",
      [
        piece({ id: "a", ...fn("f", "{") }, { id: "b", ...fn("g", "{") }),
        piece(fn(undefined, "}")),
      ],
    ],
    [
      "a piece with neither, whose name is another one",
      [piece(fn("f", "{}")), piece(fn("g", "{}"))],
    ],
    [
      "an id that changes on an index without a name",
      [open, piece({ index: 0, id: "b", ...fn(undefined, "}") })],
    ],
    [
      "an id that changes without index and name",
      [
        piece({ id: "a", ...fn("f", "{") }),
        piece({ id: "b", type: "function", ...fn(undefined, "}") }),
      ],
    ],
    [
      "an id that two calls have, without an index",
      [
        open,
        piece({ index: 1, id: "a", ...fn("g", "{") }),
        piece({ id: "a", ...fn(undefined, "}") }),
      ],
    ],
    [
      "a name that changes",
      [piece({ index: 0, id: "a", ...fn("get", "") }), piece({ index: 0, ...fn("time", "") })],
    ],
    ["a name that grows once there are arguments", [open, piece({ index: 0, ...fn("fg", "}") })]],
    [
      "a type that changes",
      [
        piece({ index: 0, id: "a", type: "function", ...fn("f") }),
        piece({ index: 0, type: "custom" }),
      ],
    ],
    [
      "a call of two kinds",
      [piece({ index: 0, id: "a", ...fn("f", "{}"), custom: { name: "g" } })],
    ],
    [
      "text after arguments that are no text",
      [piece({ index: 0, id: "a", ...fn("f", {}) }), piece({ index: 0, ...fn(undefined, "{}") })],
    ],
    ["arguments that are no text after text", [open, piece({ index: 0, ...fn(undefined, {}) })]],
    [
      "arguments that are no text twice",
      [piece({ index: 0, id: "a", ...fn("f", {}) }), piece({ index: 0, ...fn(undefined, {}) })],
    ],
    [
      "tool calls beside a legacy function call",
      [
        choice({
          tool_calls: [{ index: 0, id: "a", ...fn("f", "{}") }],
          function_call: { name: "f", arguments: "{}" },
        }),
      ],
    ],
    [
      "tool calls after a legacy function call",
      [choice({ function_call: { name: "f", arguments: "{" } }), piece(fn(undefined, "}"))],
    ],
    [
      "a legacy function call that changes its name",
      [
        choice({ function_call: { name: "f", arguments: "{}" } }),
        choice({ function_call: { name: "g", arguments: "{}" } }),
      ],
    ],
    [
      "a whole message that says otherwise",
      [
        piece({ index: 0, id: "a", ...fn("f", "{}") }),
        { choices: [{ message: { tool_calls: [{ id: "a", ...fn("f", "[]") }] } }] },
      ],
    ],
    [
      "a whole message with one call more",
      [
        piece({ index: 0, id: "a", ...fn("f", "{}") }),
        {
          choices: [
            {
              message: {
                tool_calls: [
                  { id: "a", ...fn("f", "{}") },
                  { id: "b", ...fn("f", "{}") },
                ],
              },
            },
          ],
        },
      ],
    ],
    [
      "a whole message with other text",
      [choice({ content: "a" }), { choices: [{ message: { content: "b" } }] }],
    ],
    [
      "pieces after a whole message with calls",
      [
        { choices: [{ message: { tool_calls: [{ id: "a", ...fn("f", "{}") }] } }] },
        piece({ index: 0, ...fn(undefined, "{}") }),
      ],
    ],
    ["tool calls that are no list", [choice({ tool_calls: { 0: { id: "a", ...fn("f", "{}") } } })]],
    ["a tool call that is no object", [piece(null)]],
    ["a function that is no object", [piece({ index: 0, id: "a", function: "f" })]],
    ["a name that is no text", [piece({ index: 0, id: "a", ...fn(5, "{}") })]],
    ["an id that is no text", [piece({ index: 0, id: 5, ...fn("f", "{}") })]],
    ["an index that is no place", [piece({ index: "0", id: "a", ...fn("f", "{}") })]],
    ["a delta that is no object", [choice("text")]],
    ["a choice that is no object", [{ choices: [null] }]],
    ["choices that are no list", [{ choices: {} }]],
    ["a chunk that is no object", ["text"]],
    ["a chunk that is a list", [[]]],
    ["content that is a number", [choice({ content: 5 })]],
    [
      "a part of content that is no text",
      [choice({ content: [{ type: "image_url", image_url: {} }] })],
    ],
    ["a stream without an answer", [{ choices: [], usage: { prompt_tokens: 1 } }]],
    ["a stream of other alternatives only", [{ choices: [{ index: 1, delta: { content: "x" } }] }]],
  ])("refuses %s", (_, chunks) => {
    const fault = faultOf(chunks);
    expect(fault).toMatchObject({ fault: "malformed", model: "main" });
    expect(fault.message).toMatch(/^The answer of model 'main' cannot be read: [^{}[\]]+\.$/);
  });
});

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

describe("CompletionAssembler's limits", () => {
  it.each<[string, readonly unknown[], AssemblyLimits]>([
    [
      "calls",
      [piece({ id: "a", ...fn("f") }, { id: "b", ...fn("f") }, { id: "c", ...fn("f") })],
      { maxCalls: 2 },
    ],
    [
      "calls of a whole message",
      [{ choices: [{ message: { tool_calls: [fn("f"), fn("f"), fn("f")] } }] }],
      { maxCalls: 2 },
    ],
    [
      "arguments",
      [piece({ index: 0, ...fn("f", "12345") }), piece({ index: 0, ...fn(undefined, "67890") })],
      { maxCallChars: 10 },
    ],
    [
      "arguments that are no text",
      [piece({ index: 0, ...fn("f", { a: ["12345678"] }) })],
      { maxCallChars: 10 },
    ],
    ["names and ids", [piece({ index: 0, id: "12345", ...fn("678901") })], { maxCallChars: 10 }],
    ["text", [choice({ content: "123456" }), choice({ content: "78901" })], { maxTextChars: 10 }],
    [
      "reasoning",
      [choice({ reasoning: "123456" }), choice({ reasoning: "78901" })],
      { maxTextChars: 10 },
    ],
  ])("refuse more %s than allowed", (_, chunks, limits) => {
    expect(faultOf(chunks, limits)).toMatchObject({ fault: "malformed" });
  });

  it("let pass what just fits", () => {
    const chunks = [
      piece({ index: 0, ...fn("f", "123456789") }),
      choice({ content: "1234567890" }),
    ];
    expect(
      assemble(chunks, { maxCalls: 1, maxCallChars: 10, maxTextChars: 10 }).calls,
    ).toHaveLength(1);
  });

  it("hold for arguments of any depth", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
    expect(faultOf([piece({ index: 0, ...fn("f", deep) })], { maxCallChars: 1000 }).fault).toBe(
      "malformed",
    );
  });
});
