import { allow, type CallRecord, type ToolObserver } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { describe, expect, it } from "vitest";
import { Guards } from "../src/replay/guards.js";
import { replayConversation } from "../src/replay/replay-conversation.js";
import { readConversation } from "../src/traffic/conversation.js";
import { answer, asks, call, conversation, forecast, water } from "./conversations.js";

const good = '{"bed":"beans"}';

async function replayed(
  value: object,
  {
    observers = [],
    requireNames = false,
  }: { observers?: ToolObserver[]; requireNames?: boolean } = {},
) {
  const reading = readConversation(JSON.stringify(value));
  if ("fault" in reading) throw new Error(reading.fault);
  const guards = new Guards({
    schema: schemaValidation(),
    observers,
    onUnrecorded: (error) => {
      throw error;
    },
  });
  return replayConversation(reading.conversation, "s", guards, { requireNames });
}

async function codes(value: object, options = {}) {
  const { findings } = await replayed(value, options);
  return findings.map(({ code }) => code);
}

const refusedSchema = {
  type: "function",
  function: { name: "prune", parameters: { type: "hedge" } },
};

const single: [codes: string[], what: string, value: object][] = [
  [[], "a call that keeps to its schema", conversation([asks(call("water_bed", good))])],
  [[], "a call without arguments, read as {}", conversation([asks(call("forecast", undefined))])],
  [[], "blank arguments, read as {}", conversation([asks(call("forecast", "  "))])],
  [[], "arguments that are an object", conversation([asks(call("water_bed", { bed: "peas" }))])],
  [[], "tool_calls that are null", conversation([{ role: "assistant", tool_calls: null }])],
  [["not_allowed"], "a tool that is not declared", conversation([asks(call("burn_bed", good))])],
  [
    ["not_allowed"],
    "a tool whose name only an object's prototype has",
    conversation([asks(call("constructor", "{}"))]),
  ],
  [
    ["no_tools_declared"],
    "a conversation without tools",
    conversation([asks(call("burn_bed", good))], []),
  ],
  [["invalid_json"], "half an object", conversation([asks(call("water_bed", '{"bed":"be'))])],
  [["not_an_object"], "a list", conversation([asks(call("water_bed", "[1]"))])],
  [["not_an_object"], "text in JSON", conversation([asks(call("water_bed", '"beans"'))])],
  [
    ["duplicate_key"],
    "a key twice",
    conversation([asks(call("water_bed", '{"bed":"a","\\u0062ed":"b"}'))]),
  ],
  [
    ["unsafe_integer"],
    "an integer that a double cannot hold",
    conversation([asks(call("water_bed", '{"bed":"a","litres":9007199254740993}'))]),
  ],
  [
    ["too_large"],
    "arguments above a mebibyte",
    conversation([asks(call("water_bed", `{"bed":"${"b".repeat(1 << 20)}"}`))]),
  ],
  [
    ["too_deep"],
    "arguments nested too deeply",
    conversation([asks(call("forecast", `{"a":${"[".repeat(100)}${"]".repeat(100)}}`))]),
  ],
  [
    ["lone_surrogate"],
    "half a surrogate pair",
    conversation([asks(call("water_bed", '{"bed":"\\ud83c"}'))]),
  ],
  [
    ["proto_key"],
    "the key __proto__",
    conversation([asks(call("forecast", '{"__proto__":{"allowed":true}}'))]),
  ],
  [["schema"], "a missing argument", conversation([asks(call("water_bed", "{}"))])],
  [
    ["schema"],
    "several arguments that are wrong, as one finding a call",
    conversation([asks(call("water_bed", '{"bed":1,"litres":99,"when":"now"}'))]),
  ],
  [
    ["schema_invalid"],
    "a tool whose schema is refused",
    conversation([asks(call("prune", "{}"))], [refusedSchema]),
  ],
  [
    ["missing_call_id"],
    "a call without an id",
    conversation([asks(call("water_bed", good, null))]),
  ],
  [
    ["missing_call_id", "missing_call_id"],
    "a call and a result without ids",
    conversation([asks(call("water_bed", good, "")), answer(undefined)]),
  ],
  [
    ["unknown_call_id"],
    "a result that answers no call",
    conversation([asks(call("water_bed", good)), answer("c1"), answer("c9")]),
  ],
  [
    ["duplicate_call_id"],
    "an id twice in one turn",
    conversation([
      asks(call("water_bed", good), call("water_bed", good)),
      answer("c1"),
      answer("c1"),
    ]),
  ],
  [
    ["duplicate_result"],
    "two results for one call",
    conversation([asks(call("water_bed", good)), answer("c1"), answer("c1")]),
  ],
  [
    ["name_mismatch"],
    "a result under another tool's name",
    conversation([asks(call("water_bed", good)), answer("c1", "done", { name: "forecast" })]),
  ],
  [
    ["malformed_content"],
    "a result that no model can be shown",
    conversation([asks(call("water_bed", good)), answer("c1", { litres: 10 })]),
  ],
  [
    ["malformed_calls"],
    "a call that names no tool",
    conversation([asks({ id: "c1", type: "function", function: { arguments: "{}" } })]),
  ],
  [
    ["malformed_tool"],
    "a tool definition without a name",
    conversation([], [{ type: "function", function: { parameters: {} } }]),
  ],
  [
    ["malformed_tool", "not_allowed"],
    "a tool definition whose name reads like a pattern",
    conversation([asks(call("bed_*", "{}"))], [{ name: "bed_*" }]),
  ],
  [
    ["tool_refused"],
    "a name that two different tools have",
    conversation(
      [asks(call("water_bed", good))],
      [water, { type: "function", function: { name: "water_bed", parameters: {} } }],
    ),
  ],
];

describe("replaying one conversation", () => {
  it.each(single)("finds %j in %s", async (expected, _, value) => {
    expect(await codes(value)).toEqual(expected);
  });

  it("finds a missing name only when asked to", async () => {
    const value = conversation([asks(call("water_bed", good)), answer("c1")]);
    expect(await codes(value)).toEqual([]);
    expect(await codes(value, { requireNames: true })).toEqual(["missing_name"]);
  });

  it.each<[string[], object]>([
    [["not_allowed", "invalid_json"], conversation([asks(call("burn_bed", "{"))])],
    [
      ["schema_invalid", "not_an_object"],
      conversation([asks(call("prune", "[]"))], [refusedSchema]),
    ],
    [
      ["missing_call_id", "not_allowed", "proto_key"],
      conversation([asks(call("burn_bed", '{"__proto__":1}', null))]),
    ],
    [["no_tools_declared", "invalid_json"], conversation([asks(call("burn_bed", "{"))], null)],
    [["malformed_message", "malformed_calls", "invalid_json"], conversation([asks(call(7, "{"))])],
    [
      ["duplicate_call_id", "schema"],
      conversation([asks(call("water_bed", good), call("water_bed", "{}"))]),
    ],
    [
      ["duplicate_call_id", "not_allowed"],
      conversation([asks(call("water_bed", good), call("burn_bed", "{}"))]),
    ],
    [
      ["name_mismatch", "malformed_content"],
      conversation([asks(call("water_bed", good)), answer("c1", null, { name: "x" })]),
    ],
  ])(
    "counts every finding of a call or result, not only the first: %j",
    async (expected, value) => {
      expect((await codes(value)).sort()).toEqual([...expected].sort());
    },
  );

  it("lets ids come again in a later turn, also of a call that was never answered", async () => {
    const value = conversation([
      asks(call("water_bed", good)),
      answer("c1"),
      asks(call("forecast", "{}")),
      answer("c1"),
      asks(call("water_bed", good)),
    ]);
    expect(await codes(value)).toEqual([]);
    const unanswered = conversation([asks(call("forecast", "{}")), asks(call("forecast", "{}"))]);
    expect(await codes(unanswered)).not.toContain("duplicate_call_id");
  });

  it("reads the legacy function_call and its result", async () => {
    const functionCall = { name: "water_bed", arguments: "{" };
    const value = conversation([
      { role: "assistant", content: null, function_call: functionCall },
      { role: "function", name: "water_bed", content: "done" },
    ]);
    const { calls, results, findings } = await replayed(value);
    expect([calls, results, findings.map(({ code }) => code)]).toEqual([1, 1, ["invalid_json"]]);
  });

  it("does not count the empty function_call that some clients write beside an answer", async () => {
    const value = conversation([
      { role: "assistant", content: "Hello", function_call: { name: "", arguments: "" } },
    ]);
    expect(await replayed(value)).toEqual({
      calls: 0,
      results: 0,
      ruled: [],
      unread: 0,
      findings: [],
    });
  });

  it("says of a finding where it is, and why, without any argument", async () => {
    const value = conversation([
      { role: "user", content: "Please." },
      asks(
        call("water_bed", good, "c1"),
        call("water_bed", '{"bed":"hunter2","litres":"hunter2"}', "c2"),
      ),
    ]);
    const { findings } = await replayed(value);
    expect(findings).toEqual([
      { messageIndex: 1, callIndex: 1, code: "schema", reason: expect.stringContaining("/litres") },
    ]);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
  });

  it("puts one record of each call before its observers, and what truly became of it", async () => {
    const records: CallRecord[] = [];
    const observers: ToolObserver[] = [
      { name: "list", settle: (record) => void records.push(record) },
    ];
    await replayed(
      conversation([
        asks(
          call("water_bed", good, "c1"),
          call("burn_bed", "{}", "c2"),
          call("water_bed", "{", "c3"),
          call("forecast", "{}", "c4"),
          call("forecast", "{}", "c5"),
          call("forecast", "{}", "c6"),
        ),
        answer("c1"),
        answer("c4", "rain", { name: "water_bed" }),
        answer("c5", { rain: true }),
      ]),
      { observers },
    );
    const became = records.map(({ callId, outcome }) => `${callId} ${outcome?.status}`);
    expect(became.sort()).toEqual([
      "c1 executed",
      "c2 denied",
      "c3 invalid",
      "c4 withheld",
      "c5 failed",
      "c6 released",
    ]);
  });

  it("does not take one conversation's tools for another's", async () => {
    const guards = new Guards({
      schema: schemaValidation(),
      observers: [],
      onUnrecorded: () => {},
    });
    const messages = [asks(call("forecast", "{}"))];
    const found = async (tools: unknown[]) => {
      const { findings } = await replayConversation(
        { id: undefined, tools, messages },
        "s",
        guards,
        {},
      );
      return findings.map(({ code }) => code);
    };
    expect(await found([forecast])).toEqual([]);
    expect(await found([water])).toEqual(["not_allowed"]);
    expect(await found([forecast])).toEqual([]);
  });

  it("does not choke on a schema, a result or arguments nested very deeply", async () => {
    const deep = `${'{"not":'.repeat(20_000)}{}${"}".repeat(20_000)}`;
    const list = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const text =
      `{"tools":[{"function":{"name":"dig","parameters":${deep}}},${JSON.stringify(water)}],"messages":[` +
      `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"dig","arguments":"{}"}},` +
      `{"id":"b","function":{"name":"water_bed","arguments":${deep}}}]},` +
      `{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":${list}}]}]}`;
    const reading = readConversation(text);
    if ("fault" in reading) throw new Error(reading.fault);
    const guards = new Guards({
      schema: schemaValidation(),
      observers: [],
      onUnrecorded: () => {},
    });
    const { findings } = await replayConversation(reading.conversation, "s", guards, {});
    expect(findings.map(({ code }) => code)).toEqual([
      "malformed_tool",
      "not_allowed",
      "too_deep",
      "malformed_content",
    ]);
  });

  it.each([1_000, 3_000, 5_000, 7_000])(
    "gives a verdict on a schema %i levels deep",
    async (depth) => {
      const deep = `${'{"not":'.repeat(depth)}{}${"}".repeat(depth)}`;
      const parameters = JSON.parse(deep) as object;
      const tools = [{ type: "function", function: { name: "dig", parameters } }];
      const [code] = await codesOf(tools);
      expect(["schema_invalid", "not_allowed", "malformed_tool"]).toContain(code);
    },
  );

  it("puts each call that it opened on record, also when it cannot go on", async () => {
    const settled: string[] = [];
    let asked = 0;
    const guards = new Guards({
      schema: {
        name: "schema",
        evaluate() {
          if (asked++ > 0) throw new Error("broken");
          return allow();
        },
      },
      observers: [{ name: "log", settle: ({ callId }) => void settled.push(callId) }],
      onUnrecorded: () => {},
    });
    const messages = [asks(call("forecast", "{}", "a"), call("burn_bed", "{}", "b"))];
    const replaying = replayConversation(
      { id: undefined, tools: [forecast], messages },
      "s",
      guards,
      {},
    );
    await expect(replaying).rejects.toThrow("broken");
    expect(settled).toEqual(["b", "a"]);
  });

  it("keeps the guard of a list of tools, unless the list takes megabytes", () => {
    const guards = new Guards({
      schema: schemaValidation(),
      observers: [],
      onUnrecorded: () => {},
    });
    const large = { ...forecast, description: "x".repeat(1 << 20) };
    expect(guards.of([water])).toBe(guards.of([water]));
    expect(guards.of([large])).not.toBe(guards.of([large]));
  });
});

async function codesOf(tools: unknown[]) {
  const guards = new Guards({ schema: schemaValidation(), observers: [], onUnrecorded: () => {} });
  const conversation = { id: undefined, tools, messages: [asks(call("dig", "{}"))] };
  const { findings } = await replayConversation(conversation, "s", guards, {});
  return findings.map(({ code }) => code);
}
