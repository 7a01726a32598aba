import { ToolstileError } from "@toolstile/core";
import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type AssistantMessage, chatTools, toolMessages } from "../src/index.js";
import { clients, scripted } from "./support/clients.js";
import { shop } from "./support/shop.js";

const calls = [
  { id: "c1", type: "function", function: { name: "search", arguments: '{"q":"tea"}' } },
  { id: "c2", type: "function", function: { name: "refund", arguments: '{"cents":900}' } },
  { id: "c3", type: "custom", custom: { name: "note", input: 'plain "text"' } },
  { id: "c4", type: "function", function: { name: "search", arguments: '{"q":7}' } },
  { id: "c5", type: "function", function: { name: "search", arguments: '{"q":' } },
  { id: "c6", type: "teleport", teleport: { name: "search" } },
];

describe.each(clients)("toolMessages with $version", ({ Client }) => {
  it("answers every call of a turn, in order, and the client sends the answers on", async () => {
    const { client, server } = await scripted(
      Client,
      completionBody({ content: null, tool_calls: calls }, "tool_calls"),
      completionBody({ content: "Done." }),
    );
    await using _ = server;
    const { runner, ran } = shop();
    const messages: Parameters<typeof client.chat.completions.create>[0]["messages"] = [
      { role: "user", content: "go" },
    ];
    let said: string | null = null;
    while (said === null) {
      const completion = await client.chat.completions.create({
        model: "scripted",
        messages,
        tools: chatTools(runner),
      });
      const message = completion.choices[0]?.message;
      if (message === undefined) throw new Error("no choice");
      messages.push(message, ...(await toolMessages(runner, message)));
      said = message.content;
    }
    expect(said).toBe("Done.");
    const [first, second] = server.requests.map(({ body }) => body as Record<string, unknown>);
    expect(first?.["tools"]).toEqual(chatTools(runner));
    expect((second?.["messages"] as unknown[] | undefined)?.slice(2)).toEqual([
      { role: "tool", tool_call_id: "c1", content: "Found tea." },
      { role: "tool", tool_call_id: "c2", content: "Tool call denied: refunds are closed" },
      { role: "tool", tool_call_id: "c3", content: "Noted." },
      {
        role: "tool",
        tool_call_id: "c4",
        content: expect.stringContaining("arguments for tool 'search' do not match its schema"),
      },
      {
        role: "tool",
        tool_call_id: "c5",
        content: expect.stringContaining("arguments for tool 'search' cannot be read"),
      },
      { role: "tool", tool_call_id: "c6", content: "Tool call denied: the call names no tool" },
    ]);
    expect(ran).toEqual([
      ["search", { q: "tea" }],
      ["note", 'plain "text"'],
    ]);
  });

  it("answers nothing to a refusal", async () => {
    const refusal = completionBody({ content: null, refusal: "I will not." });
    const { client, server } = await scripted(Client, refusal, refusal);
    await using _ = server;
    const completion = await client.chat.completions.create({ model: "scripted", messages: [] });
    const [choice] = completion.choices;
    expect(choice?.message.refusal).toBe("I will not.");
    expect(await toolMessages(shop().runner, choice?.message ?? {})).toEqual([]);
  });
});

describe("toolMessages", () => {
  const asking = (...tool_calls: object[]): AssistantMessage => ({ tool_calls });
  const search = calls[0] as object;

  it("tells guards and tools what the host knows", async () => {
    const principals: unknown[] = [];
    const { runner } = shop([
      {
        name: "who",
        evaluate: ({ context, agentName }) => {
          principals.push([context.principal, agentName]);
          return { decision: "allow" };
        },
      },
    ]);
    await toolMessages(runner, asking(search), { context: { principal: "ann" }, agentName: "a" });
    expect(principals).toEqual([["ann", "a"]]);
  });

  it("P10 denies the second of two calls of one id", async () => {
    const { runner, ran } = shop();
    const answers = await toolMessages(runner, asking(search, search));
    expect(answers.map(({ tool_call_id }) => tool_call_id)).toEqual(["c1", "c1"]);
    expect(answers[1]?.content).toContain("Tool call denied");
    expect(ran).toHaveLength(1);
  });

  it("P4 runs nothing for a caller who has aborted, and answers each call", async () => {
    const { runner, ran } = shop();
    const signal = AbortSignal.abort();
    const answers = await toolMessages(runner, asking(search), { signal });
    expect(answers).toEqual([{ role: "tool", tool_call_id: "c1", content: "Tool call aborted." }]);
    expect(ran).toEqual([]);
  });

  it.each([
    ["a call without an id", asking(search, { ...search, id: undefined }), "ERR_INVALID_OPTION"],
    ["a call whose id is a number", asking(search, { ...search, id: 7 }), "ERR_INVALID_OPTION"],
    [
      "a hole in the list",
      { tool_calls: Object.assign(new Array<object>(2), { 1: search }) },
      "ERR_INVALID_OPTION",
    ],
    ["calls that are no list", { tool_calls: { 0: search } as never }, "ERR_INVALID_OPTION"],
    ["no message", undefined as never, "ERR_INVALID_OPTION"],
    ["a list of messages", [asking(search)] as never, "ERR_INVALID_OPTION"],
    [
      "a function_call",
      { ...asking(search), function_call: { name: "search", arguments: "{}" } },
      "ERR_UNSUPPORTED",
    ],
  ])("runs nothing at all for %s", async (_, message, code) => {
    const { runner, ran } = shop();
    const error = await toolMessages(runner, message).catch((error: unknown) => error);
    expect(ToolstileError.isInstance(error) && error.code).toBe(code);
    expect(ran).toEqual([]);
  });

  it.each([
    ["a function that is missing", { id: "c1", type: "function" }],
    [
      "a name that is a number",
      { id: "c1", type: "function", function: { name: 1, arguments: "{}" } },
    ],
    [
      "arguments that are an object",
      { id: "c1", type: "function", function: { name: "search", arguments: { q: "x" } } },
    ],
    [
      "a custom call that a function stands in",
      { id: "c1", type: "custom", function: { name: "search", arguments: "{}" } },
    ],
    ["no type", { id: "c1", function: { name: "search", arguments: '{"q":"x"}' } }],
    [
      "what it inherits",
      Object.assign(
        Object.create({ type: "function", function: { name: "search", arguments: '{"q":"x"}' } }),
        { id: "c1" },
      ),
    ],
  ])("denies %s, and has a record of it", async (_, call) => {
    const { runner, ran } = shop();
    const settled: unknown[] = [];
    runner.on("settled", ({ callId, outcome }) => settled.push([callId, outcome?.status]));
    const answers = await toolMessages(runner, asking(call));
    expect(answers.map(({ content }) => content)).toEqual([
      "Tool call denied: the call names no tool",
    ]);
    expect(settled).toEqual([["c1", "invalid"]]);
    expect(ran).toEqual([]);
  });

  it("refuses what is no runner", async () => {
    await expect(toolMessages({} as never, asking(search))).rejects.toThrow("runner");
  });
});

describe("chatTools", () => {
  it("declares every tool, one that says nothing of its arguments as any object", () => {
    expect(chatTools(shop().runner)).toEqual([
      {
        type: "function",
        function: {
          name: "search",
          description: "Finds things.",
          parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
        },
      },
      {
        type: "function",
        function: { name: "refund", parameters: { type: "object", properties: {} } },
      },
      {
        type: "function",
        function: { name: "note", parameters: { type: "object", properties: {} } },
      },
    ]);
  });
});
