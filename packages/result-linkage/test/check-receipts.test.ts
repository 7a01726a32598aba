import { allowAll, ToolRunner, tool, toolResult } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { checkLinkage, checkReceipts, receipts, stripReceipts } from "../src/index.js";
import { algorithms, hmacKey, make } from "./receipt-fixtures.js";

const ours = make(hmacKey);
const context = { sessionId: "s1" };

const asks = (id: string, name: string, args: object, where = context) => ({
  role: "assistant",
  content: null,
  tool_calls: [
    {
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
      receipt: ours.signCall({ callId: id, toolName: name, args: args as never, context: where }),
    },
  ],
});
type Asks = ReturnType<typeof asks>;

const answers = ({ tool_calls: [call] }: Asks, content: string, where = context) => ({
  role: "tool",
  tool_call_id: call?.id as string,
  content,
  receipt: ours.signResult({
    callId: call?.id as string,
    toolName: call?.function.name as string,
    content,
    callReceipt: call?.receipt,
    context: where,
  }),
});

/** Two turns that have one id, one tool and one content, as real traffic has. */
function conversation() {
  const first = asks("a", "search", { q: "secret tea" });
  const second = asks("a", "search", { q: "secret tea" });
  return {
    first,
    second,
    messages: [
      { role: "user", content: "hello" },
      first,
      answers(first, "secret content"),
      { role: "assistant", content: "found" },
      second,
      answers(second, "secret content"),
      { role: "user", content: "more" },
    ] as Record<string, unknown>[],
  };
}

const found = (messages: unknown, options: object = { context }) => {
  const findings = checkReceipts(messages, ours, options);
  expect(JSON.stringify(findings)).not.toContain("secret");
  return findings.map(({ code, index, callIndex }) =>
    callIndex === undefined ? `${code} ${index}` : `${code} ${index}.${callIndex}`,
  );
};

describe("P19 in a conversation that comes back", () => {
  it("finds nothing where this host issued every call and result", () => {
    const { messages } = conversation();
    expect(found(messages)).toEqual([]);
    expect(found(JSON.parse(JSON.stringify(messages)))).toEqual([]);
    expect(checkLinkage(messages)).toEqual([]);
  });

  it("finds every call and result where nothing was signed", () => {
    expect(found(stripReceipts(conversation().messages))).toEqual([
      "receipt_missing 1.0",
      "receipt_missing 2",
      "receipt_missing 4.0",
      "receipt_missing 5",
    ]);
  });

  it.each<[string, (kept: ReturnType<typeof conversation>) => void, string[]]>([
    [
      "a result whose content was changed",
      ({ messages }) => Object.assign(messages[2] as object, { content: "pay me" }),
      ["receipt_of_other_content 2"],
    ],
    [
      "a call whose arguments were changed",
      ({ first }) => Object.assign(first.tool_calls[0] as object, { function: { name: "search" } }),
      ["receipt_of_other_arguments 1.0"],
    ],
    [
      "a call whose tool was changed, and its result",
      ({ first }) =>
        Object.assign(first.tool_calls[0] as object, {
          function: { name: "find", arguments: "{}" },
        }),
      ["receipt_of_another_call 1.0", "receipt_of_another_call 2"],
    ],
    [
      "results exchanged between turns",
      ({ messages }) => {
        [messages[2], messages[5]] = [messages[5] as object as never, messages[2] as never];
      },
      ["receipt_of_another_call 2", "receipt_of_another_call 5"],
    ],
    [
      "a call's receipt put to its equal in another turn",
      ({ first, second }) =>
        Object.assign(second.tool_calls[0] as object, { receipt: first.tool_calls[0]?.receipt }),
      ["receipt_repeated 4.0", "receipt_of_another_call 5"],
    ],
    [
      "a whole turn that was copied",
      ({ messages }) => messages.push(messages[1] as never, messages[2] as never),
      ["receipt_repeated 7.0", "receipt_repeated 8"],
    ],
    [
      "a call's receipt on its result, and the other way round",
      ({ first, messages }) => {
        const call = first.tool_calls[0] as { receipt: string };
        const result = messages[2] as { receipt: string };
        [call.receipt, result.receipt] = [result.receipt, call.receipt];
      },
      ["receipt_of_another_kind 1.0", "receipt_of_another_kind 2"],
    ],
    [
      "a result that names another tool",
      ({ messages }) => Object.assign(messages[2] as object, { name: "pay" }),
      ["receipt_of_another_call 2"],
    ],
    [
      "a result whose name is no text",
      ({ messages }) => Object.assign(messages[2] as object, { name: 0 }),
      ["receipt_of_another_call 2"],
    ],
    [
      "a receipt that is no text",
      ({ messages }) => Object.assign(messages[2] as object, { receipt: {} }),
      ["receipt_malformed 2"],
    ],
  ])("finds %s", (_, change, expected) => {
    const kept = conversation();
    change(kept);
    expect(found(kept.messages)).toEqual(expected);
  });

  it("takes a result's name where it is right, null or empty", () => {
    for (const name of ["search", null, ""]) {
      const { messages } = conversation();
      Object.assign(messages[2] as object, { name });
      expect(found(messages)).toEqual([]);
    }
  });

  it.each([{ context: { sessionId: "s2" } }, {}, { context: { ...context, tenant: "t" } }])(
    "finds everything where the host says %j",
    (options) => {
      expect(found(conversation().messages, options)).toEqual([
        "receipt_of_another_context 1.0",
        "receipt_of_another_context 2",
        "receipt_of_another_context 4.0",
        "receipt_of_another_context 5",
      ]);
    },
  );

  it("finds a turn of another session between its own", () => {
    const foreign = asks("a", "search", {}, { sessionId: "s2" });
    const messages = [
      ...conversation().messages,
      foreign,
      answers(foreign, "x", { sessionId: "s2" }),
    ];
    expect(found(messages)).toEqual([
      "receipt_of_another_context 7.0",
      "receipt_of_another_context 8",
    ]);
  });

  it("says where, of which call and tool", () => {
    const [finding] = checkReceipts(stripReceipts(conversation().messages), ours);
    expect(finding).toEqual({
      code: "receipt_missing",
      index: 1,
      callIndex: 0,
      callId: "a",
      toolName: "search",
      reason: "the tool call 'search' with call_id 'a' has no receipt",
    });
  });
});

describe("P19 what no receipt can prove is found", () => {
  const receipt = "r";
  it.each<[string, unknown, string[]]>([
    ["a conversation that is no list", {}, ["receipt_unprovable -1"]],
    [
      "a legacy call and its result",
      [
        { role: "assistant", function_call: { name: "t", arguments: "{}" }, receipt },
        { role: "function", name: "t", content: "x", receipt },
      ],
      ["receipt_unprovable 0", "receipt_unprovable 1"],
    ],
    [
      "a legacy result without a call",
      [{ role: "function", name: "t", content: "x" }],
      ["receipt_unprovable 0"],
    ],
    [
      "calls without an id, without a name, and no call at all",
      [
        {
          role: "assistant",
          tool_calls: [{ function: { name: "t" } }, { id: "a", name: "t", args: {} }, null],
        },
      ],
      ["receipt_unprovable 0.0", "receipt_unprovable 0.1", "receipt_unprovable 0.2"],
    ],
    [
      "a custom tool's call, and its result",
      [
        { role: "assistant", tool_calls: [{ id: "a", custom: { name: "t", input: "" } }] },
        { role: "tool", tool_call_id: "a", content: "x" },
      ],
      ["receipt_unprovable 0.0", "receipt_missing 1"],
    ],
    [
      "calls that are no list",
      [{ role: "assistant", tool_calls: { 0: {} } }],
      ["receipt_unprovable 0"],
    ],
    [
      "a result that answers no call",
      [{ role: "tool", tool_call_id: "a", content: "x", receipt }],
      ["receipt_unprovable 0"],
    ],
    ["a result without an id", [{ role: "tool", content: "x", receipt }], ["receipt_unprovable 0"]],
    [
      "calls and results under a role that has none, or under no role",
      [
        { role: "user", tool_calls: [{ id: "a", function: { name: "t" } }] },
        { role: "bot", tool_calls: [{ id: "a", function: { name: "t" } }] },
        { tool_call_id: "a", content: "x" },
      ],
      ["receipt_unprovable 0", "receipt_unprovable 1", "receipt_unprovable 2"],
    ],
  ])("%s", (_, messages, expected) => {
    expect(found(messages)).toEqual(expected);
  });

  it("but not what carries no call and no result", () => {
    expect(found([{ role: "bot" }, null, 7, { role: "user", tool_calls: [] }, {}])).toEqual([]);
  });
});

describe("checkReceipts", () => {
  it.each([
    [{ contxt: {} }, "Did you mean 'context'?"],
    [{ context: { session: "s" } }, "Did you mean 'sessionId'?"],
    [{ context: "s1" }, "must be a plain object, received string"],
  ])("P5 refuses %j", (options, message) => {
    expect(() => checkReceipts([], ours, options as never)).toThrow(message);
  });
});

describe.each(algorithms)("P19 a runner that signs with %s", (_, key) => {
  const made = receipts({ keys: [key] });
  const search = tool({ name: "search", execute: () => "found" });
  const parts = tool({
    name: "parts",
    execute: () => toolResult({ content: [{ type: "text", text: "found" }] }),
  });
  const runner = new ToolRunner({
    tools: [search, parts],
    aliases: { find: "search" },
    guardrails: [allowAll()],
    receiptSigner: made.signer,
  });

  it.each(["search", "find", "parts", "unknown"])(
    "gives results of %s that the next request can prove",
    async (name) => {
      const host = { sessionId: "s1", principal: "p", attributes: { role: "admin" } };
      const args = '{"q": "tea"}';
      const receipt = made.signCall({ callId: "a", toolName: name, args, context: host });
      const { result } = await runner.run(
        { name, callId: "a", arguments: args, receipt },
        { context: host },
      );
      const call = { id: "a", type: "function", function: { name, arguments: args }, receipt };
      const messages = [
        { role: "assistant", tool_calls: [call] },
        { role: "tool", tool_call_id: "a", content: result.content, receipt: result.receipt },
      ];
      const sent = JSON.parse(JSON.stringify(messages));
      expect(checkReceipts(sent, made, { context: host })).toEqual([]);
      expect(checkReceipts(sent, made, { context: { sessionId: "s1" } })).toHaveLength(2);
    },
  );
});
