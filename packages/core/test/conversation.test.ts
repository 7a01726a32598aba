import { describe, expect, it } from "vitest";
import { describeCall } from "../src/host/facts.js";
import { conversationIn, withConversation } from "../src/host/index.js";
import { allow, type CallContext, ToolRunner } from "../src/index.js";
import { conversationOf } from "../src/provider/index.js";

const conversation = { userTexts: ["Hello"], hasResults: false };

async function contextIn(context: object | undefined): Promise<CallContext> {
  const seen: CallContext[] = [];
  const guard = {
    name: "sees",
    evaluate: (call: { readonly context: CallContext }) => {
      seen.push(call.context);
      return allow();
    },
  };
  const runner = new ToolRunner({
    guardrails: [guard],
    tools: [{ name: "search", execute: () => 1 }],
  });
  await runner.run({ name: "search" }, { context });
  return seen[0] as CallContext;
}

describe("withConversation", () => {
  it("reaches guards, and is no fact among the others", async () => {
    const context = await contextIn(withConversation({ sessionId: "s" }, () => conversation));
    expect(conversationOf(context)).toBe(conversation);
    expect(JSON.stringify(context)).toBe('{"sessionId":"s"}');
    expect(conversationOf(await contextIn(withConversation(undefined, () => conversation)))).toBe(
      conversation,
    );
    expect(conversationOf(await contextIn({ sessionId: "s" }))).toBeUndefined();
  });

  it("is read when a guard asks, and once", () => {
    let reads = 0;
    const context = withConversation({}, () => {
      reads += 1;
      return conversation;
    }) as object;
    expect(reads).toBe(0);
    conversationOf(context);
    conversationOf(context);
    expect(reads).toBe(1);
  });

  it("is kept where there is one: the host's comes before an adapter's", () => {
    const context = withConversation({ sessionId: "s" }, () => conversation);
    const again = withConversation(context, () => ({ userTexts: [], hasResults: true }));
    expect(conversationOf(again as object)).toBe(conversation);
  });

  it("passes through a host's describe", () => {
    const { context } = describeCall(() => ({ context: withConversation({}, () => conversation) }));
    expect(conversationOf(context as object)).toBe(conversation);
  });

  it.each<[string, () => object]>([
    [
      "a class",
      () =>
        new (class {
          sessionId = "s";
        })(),
    ],
    [
      "an accessor",
      () => ({
        get sessionId(): string {
          throw new Error("secret");
        },
      }),
    ],
    [
      "a proxy that throws",
      () =>
        new Proxy(
          {},
          {
            getPrototypeOf: () => {
              throw new Error("secret");
            },
          },
        ),
    ],
  ])("leaves a context of %s to core, which refuses it", (_, make) => {
    const given = make();
    expect(withConversation(given, () => conversation)).toBe(given);
  });
});

describe("conversationIn", () => {
  it.each<[string, unknown, readonly string[], boolean]>([
    [
      "OpenAI's messages",
      [
        { role: "user", content: "A" },
        { role: "assistant", content: "B" },
      ],
      ["A"],
      false,
    ],
    [
      "OpenAI's answers of tools",
      [
        { role: "user", content: "A" },
        { role: "tool", content: "C" },
      ],
      ["A"],
      true,
    ],
    [
      "parts",
      [{ role: "user", content: [{ type: "text", text: "A" }, { type: "image" }] }],
      ["A"],
      false,
    ],
    [
      "the AI SDK's answers of tools",
      [{ role: "tool", content: [{ type: "tool-result" }] }],
      [],
      true,
    ],
    [
      "an answer in a message of the assistant",
      [{ role: "assistant", content: [{ type: "tool-result" }] }],
      [],
      true,
    ],
    [
      "Anthropic's answers of tools",
      [{ role: "user", content: [{ type: "tool_result", content: "C" }] }],
      [],
      true,
    ],
    [
      "LangChain's messages",
      [
        { getType: () => "human", content: "A" },
        { getType: () => "ai", content: "B" },
      ],
      ["A"],
      false,
    ],
    ["LangChain's answers of tools", [{ getType: () => "tool", content: "C" }], [], true],
    [
      "Mastra's messages",
      [{ role: "user", content: { parts: [{ type: "text", text: "A" }] } }],
      ["A"],
      false,
    ],
    [
      "Mastra's answers of tools",
      [
        {
          role: "assistant",
          content: { parts: [{ type: "tool-invocation", toolInvocation: { state: "result" } }] },
        },
      ],
      [],
      true,
    ],
    [
      "items of the Agents SDK",
      [{ role: "user", content: "A" }, { type: "function_call" }, { type: "function_call_result" }],
      ["A"],
      true,
    ],
    [
      "a summary that LangChain puts in the user's mouth",
      [{ getType: () => "human", content: "C", additional_kwargs: { lc_source: "summarization" } }],
      [],
      true,
    ],
    [
      "what another agent says as a user",
      [{ role: "user", name: "finder", content: "C" }],
      [],
      true,
    ],
    [
      "the text of a document",
      [{ role: "user", content: [{ type: "text-plain", text: "C" }] }],
      [],
      false,
    ],
    [
      "the answer of a tool that the model's provider ran",
      [{ role: "assistant", content: [{ type: "web_search_tool_result" }] }],
      [],
      true,
    ],
    [
      "Bedrock's messages",
      [
        { role: "user", content: [{ text: "A" }, { image: {} }] },
        { role: "assistant", content: [{ text: "B" }, { toolUse: { toolUseId: "c1" } }] },
      ],
      ["A"],
      false,
    ],
    [
      "Bedrock's answers of tools",
      [{ role: "user", content: [{ toolResult: { content: [{ text: "C" }] } }] }],
      [],
      true,
    ],
    [
      "Google's messages",
      [
        { role: "user", parts: [{ text: "A" }, { inlineData: {} }] },
        { role: "model", parts: [{ text: "B" }, { functionCall: { name: "read" } }] },
      ],
      ["A"],
      false,
    ],
    ["Google's answers of tools", [{ role: "user", parts: [{ functionResponse: {} }] }], [], true],
    [
      "the output of code that Google ran",
      [{ role: "model", parts: [{ codeExecutionResult: { output: "C" } }] }],
      [],
      true,
    ],
    [
      "the AI SDK's messages of a page",
      [
        { role: "user", parts: [{ type: "text", text: "A" }, { type: "file" }] },
        { role: "assistant", parts: [{ type: "tool-read", state: "input-available" }] },
      ],
      ["A"],
      false,
    ],
    [
      "the AI SDK's answers of tools in messages of a page",
      [{ role: "assistant", parts: [{ type: "tool-read", state: "output-available" }] }],
      [],
      true,
    ],
    [
      "the words of a tool that failed, in messages of a page",
      [{ role: "assistant", parts: [{ type: "tool-read", state: "output-error" }] }],
      [],
      true,
    ],
    [
      "a part of a kind that is not known, beside the user's words",
      [{ role: "user", content: [{ type: "search_result" }, { type: "text", text: "A" }] }],
      ["A"],
      true,
    ],
    ["a user's message without a content that is known", [{ role: "user", body: "C" }], [], true],
    ["a message of a kind that is not known", [{ role: "oracle", content: "C" }], [], true],
    ["what is no list", "A", [], true],
    ["nothing", undefined, [], false],
    ["odd entries", [null, 7, { role: "user" }], [], true],
  ])("reads %s", (_, messages, userTexts, hasResults) => {
    expect(conversationIn(messages)).toMatchObject({ userTexts, hasResults });
  });

  it("tells which calls were answered", () => {
    const { resultIds } = conversationIn([
      { role: "user", content: "A" },
      { role: "tool", tool_call_id: "a", content: "C" },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "b" }, { type: "tool-result" }],
      },
      { role: "assistant", content: [{ type: "web_search_tool_result", tool_use_id: "c" }] },
      {
        role: "assistant",
        content: { parts: [{ toolInvocation: { state: "result", toolCallId: "d" } }] },
      },
      { type: "function_call_result", callId: "e" },
      { role: "user", content: [{ toolResult: { toolUseId: "f" } }] },
      { role: "user", parts: [{ functionResponse: { id: "g" } }, { functionResponse: {} }] },
      { role: "oracle", content: "C" },
    ]);
    expect(resultIds).toEqual(["a", "b", "", "c", "d", "e", "f", "g", "", ""]);
  });
});

describe("a conversation", () => {
  const read = () => ({ userTexts: [], hasResults: false });

  it("is put beside no context that core will refuse", () => {
    for (const context of [null, Object.create({ sessionId: "s" })]) {
      expect(withConversation(context as never, read)).toBe(context);
    }
    const copy = withConversation(undefined, read);
    expect(conversationOf(copy as object)).toEqual(read());
  });
});

describe("a conversation that is read from messages", () => {
  it.each([[null], [""], [undefined]])("has what the user said, whose name is %j", (name) => {
    expect(conversationIn([{ role: "user", content: "hello", name }])).toEqual({
      userTexts: ["hello"],
      hasResults: false,
      resultIds: [],
    });
  });

  it("has a result without an id where it is none that is known", () => {
    for (const messages of ["text", 7, {}, null]) {
      expect(conversationIn(messages)).toEqual({
        userTexts: [],
        hasResults: true,
        resultIds: [""],
      });
    }
    expect(conversationIn(undefined)).toEqual({ userTexts: [], hasResults: false, resultIds: [] });
  });

  it.each(["tool", "function"])("has the result in a message of the role %s", (role) => {
    expect(conversationIn([{ role, tool_call_id: "c1", content: "x" }])).toEqual({
      userTexts: [],
      hasResults: true,
      resultIds: ["c1"],
    });
  });
});
