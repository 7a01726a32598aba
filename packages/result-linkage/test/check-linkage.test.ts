import { describe, expect, it } from "vitest";
import { checkLinkage, type LinkageFinding } from "../src/index.js";

const named = (name: string, id?: unknown) => ({ id, type: "function", function: { name } });
const asks = (...calls: unknown[]) => ({ role: "assistant", content: null, tool_calls: calls });
const answers = (id: unknown, more: object = {}) => ({
  role: "tool",
  tool_call_id: id,
  content: "secret content",
  ...more,
});
const user = { role: "user", content: "secret content" };
const text = { role: "assistant", content: "secret content" };
const found = (messages: unknown, options = {}) =>
  checkLinkage(messages, options).map(({ code, index, callIndex }) =>
    callIndex === undefined ? `${code} ${index}` : `${code} ${index}.${callIndex}`,
  );

describe("P19 every result answers exactly one call of its own turn, by id and, where given, by name", () => {
  it.each<[string, unknown[], string[]]>([
    ["finds nothing in a good pair", [user, asks(named("t", "a")), answers("a"), text], []],
    ["finds nothing where there are no calls", [user, text, user], []],
    [
      "takes results in any order",
      [asks(named("t", "a"), named("t", "b")), answers("b"), answers("a"), text],
      [],
    ],
    [
      "takes calls that are still open",
      [user, asks(named("t", "a"), named("t", "b")), answers("a")],
      [],
    ],
    [
      "takes ids that repeat in a later turn",
      [
        asks(named("t", "a")),
        answers("a"),
        asks(named("u", "a")),
        answers("a", { name: "u" }),
        text,
      ],
      [],
    ],
    [
      "takes null, absent and empty calls for none",
      [{ ...text, tool_calls: null }, text, { ...text, tool_calls: [] }, user],
      [],
    ],
    ["takes an empty result", [asks(named("t", "a")), answers("a", { content: "" })], []],
    [
      "takes content in parts",
      [asks(named("t", "a")), answers("a", { content: [{ type: "text", text: "x" }] })],
      [],
    ],
    ["takes an empty list of parts", [asks(named("t", "a")), answers("a", { content: [] })], []],
    [
      "takes a name that is right, null or empty",
      [
        asks(named("t", "a"), named("t", "b"), named("t", "c")),
        answers("a", { name: "t" }),
        answers("b", { name: null }),
        answers("c", { name: "" }),
      ],
      [],
    ],
    [
      "takes a call of no type, and a custom one",
      [
        asks(
          { id: "a", function: { name: "t" } },
          { id: "b", type: "custom", custom: { name: "u" } },
        ),
        answers("a"),
        answers("b", { name: "u" }),
      ],
      [],
    ],
    [
      "takes any text for an id",
      [
        asks(named("t", "functions.t:3"), named("t", "constructor"), named("t", "__proto__")),
        answers("__proto__"),
        answers("constructor"),
        answers("functions.t:3"),
        text,
      ],
      [],
    ],

    ["finds an id that no call has", [asks(named("t", "a")), answers("b")], ["unknown_call_id 1"]],
    [
      "compares ids byte for byte",
      [asks(named("t", "f_t_1")), answers("f.t:1"), answers("f_t_1 "), answers("F_T_1")],
      ["unknown_call_id 1", "unknown_call_id 2", "unknown_call_id 3"],
    ],
    [
      "finds a result before any call, and leaves the good pair alone",
      [answers("a"), user, asks(named("t", "b")), answers("b")],
      ["unknown_call_id 0"],
    ],
    [
      "finds a result of Object's members",
      [asks(named("t", "a")), answers("toString"), answers("__proto__")],
      ["unknown_call_id 1", "unknown_call_id 2"],
    ],
    [
      "finds a result after calls that are null",
      [user, { ...text, tool_calls: null }, answers("a")],
      ["unknown_call_id 2"],
    ],
    [
      "finds a result for a call of an earlier turn",
      [asks(named("t", "a")), asks(named("t", "b")), answers("a"), answers("b")],
      ["unanswered_call 0.0", "unknown_call_id 2"],
    ],
    [
      "finds a second result",
      [asks(named("t", "a")), answers("a"), answers("a")],
      ["duplicate_result 2"],
    ],
    [
      "finds an id that two calls of one turn have",
      [asks(named("t", "a"), named("t", "a")), answers("a"), answers("a"), text],
      ["duplicate_call_id 0.1"],
    ],
    [
      "finds one result too many for such calls",
      [asks(named("t", "a"), named("t", "a")), answers("a"), answers("a"), answers("a")],
      ["duplicate_call_id 0.1", "duplicate_result 3"],
    ],
    [
      "tells such calls apart by name",
      [
        asks(named("t", "a"), named("u", "a")),
        answers("a", { name: "u" }),
        answers("a", { name: "t" }),
        text,
      ],
      ["duplicate_call_id 0.1"],
    ],
    [
      "finds a name that is another's",
      [asks(named("t", "a"), named("u", "b")), answers("a", { name: "u" })],
      ["name_mismatch 1"],
    ],
    [
      "compares names byte for byte",
      [asks(named("t", "a")), answers("a", { name: "T" })],
      ["name_mismatch 1"],
    ],
    [
      "finds a name that is no text",
      [asks(named("t", "a")), answers("a", { name: 7 })],
      ["name_mismatch 1"],
    ],
    [
      "finds a call without a result once somebody speaks",
      [asks(named("t", "a"), named("t", "b")), answers("a"), text],
      ["unanswered_call 0.1"],
    ],
    [
      "finds it also where the id was answered in an earlier turn",
      [
        asks(named("t", "a")),
        answers("a"),
        asks(named("t", "a")),
        asks(named("t", "b")),
        answers("b"),
      ],
      ["unanswered_call 2.0"],
    ],
    ["finds it once the user speaks", [asks(named("t", "a")), user], ["unanswered_call 0.0"]],
    [
      "leaves open what only a system message follows",
      [asks(named("t", "a")), { role: "system", content: "x" }],
      [],
    ],
    [
      "finds a result that something else comes before",
      [asks(named("t", "a")), user, answers("a")],
      ["result_not_adjacent 2"],
    ],
    [
      "finds a late second result for what it is",
      [asks(named("t", "a")), answers("a"), user, answers("a")],
      ["duplicate_result 3", "result_not_adjacent 3"],
    ],
    [
      "finds missing ids on both sides",
      [asks(named("t")), answers(undefined), text],
      ["missing_call_id 0.0", "missing_call_id 1"],
    ],
    [
      "takes no empty id and no number for an id",
      [asks(named("t", ""), named("t", 7)), answers(""), answers(7)],
      ["missing_call_id 0.0", "missing_call_id 0.1", "missing_call_id 1", "missing_call_id 2"],
    ],
    [
      "matches nothing by order",
      [asks(named("t", "a")), answers(undefined), text],
      ["unanswered_call 0.0", "missing_call_id 1"],
    ],
    [
      "finds content that is null, absent, an object or a number",
      [
        asks(named("t", "a"), named("t", "b"), named("t", "c"), named("t", "d")),
        answers("a", { content: null }),
        { role: "tool", tool_call_id: "b" },
        answers("c", { content: { x: 1 } }),
        answers("d", { content: 1 }),
      ],
      ["malformed_content 1", "malformed_content 2", "malformed_content 3", "malformed_content 4"],
    ],
    [
      "finds parts without a type",
      [
        asks(named("t", "a"), named("t", "b"), named("t", "c")),
        answers("a", { content: [{ id: 1 }] }),
        answers("b", { content: ["x"] }),
        answers("c", { content: [null] }),
      ],
      ["malformed_content 1", "malformed_content 2", "malformed_content 3"],
    ],
    [
      "finds calls that are no list",
      [{ ...text, tool_calls: { 0: named("t", "a") } }, answers("a")],
      ["malformed_calls 0", "unknown_call_id 1"],
    ],
    [
      "finds a call that cannot be read, and still its id",
      [asks(null, { id: "a" }), answers("a")],
      ["malformed_calls 0.0", "missing_call_id 0.0", "malformed_calls 0.1"],
    ],
    [
      "finds all that is wrong with one result",
      [asks(named("t", "a")), answers("a"), user, answers("a", { name: "u", content: null })],
      ["duplicate_result 3", "result_not_adjacent 3", "name_mismatch 3", "malformed_content 3"],
    ],
  ])("%s", (_, messages, expected) => {
    expect(found(messages)).toEqual(expected);
  });
});

describe("the legacy function_call", () => {
  const asksFunction = { role: "assistant", content: null, function_call: { name: "t" } };
  const answersFunction = { role: "function", name: "t", content: "x" };
  it.each<[string, unknown[], string[]]>([
    ["is matched by name", [asksFunction, answersFunction, text], []],
    ["may be null", [{ ...text, function_call: null }, user], []],
    ["may be empty", [{ ...text, function_call: { name: "", arguments: "" } }, user], []],
    [
      "may not have arguments only",
      [{ ...text, function_call: { name: "", arguments: "{}" } }],
      ["malformed_calls 0"],
    ],
    [
      "may not be answered twice",
      [asksFunction, answersFunction, answersFunction],
      ["duplicate_result 2"],
    ],
    [
      "may not be answered under another name",
      [asksFunction, { ...answersFunction, name: "u" }],
      ["name_mismatch 1"],
    ],
    [
      "may not be answered without a name",
      [asksFunction, { role: "function", content: "x" }],
      ["missing_name 1"],
    ],
    ["must be answered", [asksFunction, user], ["unanswered_call 0"]],
    ["must be there", [asks(named("t", "a")), answersFunction], ["unknown_call_id 1"]],
    [
      "must be there, or its result stands between others like any message",
      [asks(named("t", "a")), answersFunction, answers("a")],
      ["unknown_call_id 1", "result_not_adjacent 2"],
    ],
    [
      "must have a name",
      [{ ...asksFunction, function_call: "t" }, answersFunction],
      ["malformed_calls 0"],
    ],
    [
      "must be answered with content",
      [asksFunction, { ...answersFunction, content: null }],
      ["malformed_content 1"],
    ],
  ])("%s", (_, messages, expected) => {
    expect(found(messages)).toEqual(expected);
  });
});

describe("on request", () => {
  it("finds results without a name", () => {
    const messages = [
      asks(named("t", "a"), named("t", "b"), named("t", "c")),
      answers("a"),
      answers("b", { name: "" }),
      answers("c", { name: "t" }),
    ];
    expect(found(messages, { requireNames: true })).toEqual(["missing_name 1", "missing_name 2"]);
  });

  it("takes content that is null, absent or a list of any objects, and no other", () => {
    const contents = [null, undefined, "", [], [{}], [{ id: 1 }], 7, { x: 1 }, ["x"], [null], [[]]];
    const messages = [
      asks(...contents.map((_, at) => named("t", `${at}`))),
      ...contents.map((content, at) => answers(`${at}`, { content })),
    ];
    expect(found(messages, { content: "objects" })).toEqual(
      [7, 8, 9, 10, 11].map((index) => `malformed_content ${index}`),
    );
    expect(found(messages, { content: "parts" })).toEqual(found(messages));
  });

  it("finds calls that are open at the end", () => {
    const messages = [asks(named("t", "a"), named("t", "b")), answers("b")];
    expect(found(messages, { requireAnswers: true })).toEqual(["unanswered_call 0.0"]);
  });

  it.each([
    [{ requireName: true }, "Did you mean 'requireNames'?"],
    [{ requireNames: 1 }, "requireNames is true or false"],
    [{ content: "object" }, "content is one of 'parts', 'objects'. Did you mean 'objects'?"],
    [{ content: true }, "content is one of"],
    [{ requireAnswers: "yes" }, "requireAnswers is true or false"],
    [Object.create({ requireNames: true }), "takes a plain object of options"],
  ])("refuses %o", (options, message) => {
    expect(() => checkLinkage([], options as object)).toThrow(message);
  });
});

describe("what cannot be read", () => {
  it.each([null, undefined, 7, "[]", {}, { length: 1, 0: user }])(
    "is a finding where %o stands for the conversation",
    (messages) => {
      expect(found(messages)).toEqual(["malformed_message -1"]);
    },
  );

  it.each([null, undefined, 7, "user", [], {}, { role: 7 }, Object.create({ role: "tool" })])(
    "is a finding where %o stands for a message",
    (message) => {
      expect(found([user, message])).toEqual(["malformed_message 1"]);
    },
  );

  it.each([
    "Tool",
    "tool ",
    "tool_result",
    "TOOL",
    "Assistant",
    "model",
    "constructor",
    "__proto__",
    "",
  ])("is a finding where a message has the role %j, whatever it carries", (role) => {
    const carrying = [{}, { tool_call_id: "a" }, { tool_calls: [named("t", "a")] }];
    for (const fields of carrying) {
      expect(found([user, { role, content: "x", ...fields }])).toEqual(["malformed_message 1"]);
    }
  });

  it("is a finding beside the call that a misspelt result leaves open", () => {
    const misspelt = { ...answers("a"), role: "Tool" };
    expect(found([asks(named("t", "a")), misspelt, text])).toEqual([
      "unanswered_call 0.0",
      "malformed_message 1",
    ]);
  });

  const callFields = { tool_calls: [named("t", "a")] };
  const functionFields = { function_call: { name: "t", arguments: "{}" } };
  it.each<[string, string, object]>([
    ["user", "tool_calls", callFields],
    ["system", "tool_calls", callFields],
    ["developer", "tool_calls", callFields],
    ["user", "tool_calls", { tool_calls: {} }],
    ["user", "function_call", functionFields],
    ["system", "function_call", functionFields],
    ["user", "tool_call_id", { tool_call_id: "a" }],
    ["assistant", "tool_call_id", { tool_call_id: "a" }],
    ["developer", "tool_call_id", { tool_call_id: 7 }],
    ["user", "tool_calls and tool_call_id", { ...callFields, tool_call_id: "a" }],
  ])("is a finding where a message of %s carries %s", (role, fields, carrying) => {
    const [finding, ...more] = checkLinkage([{ role, content: "x", ...carrying }]);
    expect(finding).toMatchObject({ code: "malformed_message", index: 0 });
    expect(finding?.reason).toBe(`a message of role '${role}' carries ${fields}`);
    expect(more).toEqual([]);
  });

  it.each<[string, object]>([
    ["tool_calls", callFields],
    ["function_call", functionFields],
  ])("is a finding where a result itself carries %s, and it is read as a result", (_, fields) => {
    expect(found([asks(named("t", "a")), answers("a", fields), text])).toEqual([
      "malformed_message 1",
    ]);
    const called = { role: "assistant", function_call: { name: "t" } };
    const result = { role: "function", name: "t", content: "x" };
    expect(found([called, { ...result, ...fields }, text])).toEqual(["malformed_message 1"]);
    expect(found([called, { ...result, tool_call_id: "a" }])).toEqual(["malformed_message 1"]);
  });

  it("is none where every message has every field, and leaves them empty", () => {
    const empty = {
      tool_calls: null,
      function_call: { name: "", arguments: "" },
      tool_call_id: "",
    };
    const roles = ["assistant", "developer", "system", "user"];
    expect(found(roles.map((role) => ({ role, content: "x", ...empty })))).toEqual([]);
    expect(found(roles.map((role) => ({ role, content: "x", tool_calls: [] })))).toEqual([]);
  });

  it("says the role that was meant, and no content", () => {
    const reasons = checkLinkage([
      { ...user, role: "Tool" },
      { ...user, role: "secret\u202e" },
    ]).map(({ reason }) => reason);
    expect(reasons[0]).toBe("the role 'Tool' is not known. Did you mean 'tool'?");
    expect(reasons[1]).toBe("the role 'secret\\u{202e}' is not known");
  });

  it("is a finding where a call has two names", () => {
    const two = (custom: string) => ({
      id: "a",
      function: { name: "t" },
      custom: { name: custom },
    });
    const [finding, ...more] = checkLinkage([asks(two("u")), answers("a", { name: "t" }), text]);
    expect(finding).toMatchObject({
      code: "malformed_calls",
      callIndex: 0,
      callId: "a",
      reason: "a tool call has two names",
    });
    expect(more).toEqual([]);
    expect(found([asks(two("t")), answers("a"), text])).toEqual([]);
    expect(found([asks(two("")), answers("a", { name: "t" }), text])).toEqual([]);
  });

  it("keeps a result behind it from being called adjacent", () => {
    expect(found([asks(named("t", "a")), null, answers("a")])).toEqual([
      "malformed_message 1",
      "result_not_adjacent 2",
    ]);
  });
});

describe("a list with a hole", () => {
  it("is read to its end", () => {
    const calls = Object.assign([], { 1: named("t", "a") });
    expect(found([{ ...text, tool_calls: calls }, answers("a")])).toEqual([
      "malformed_calls 0.0",
      "missing_call_id 0.0",
    ]);
    expect(found(Object.assign([], { 1: user }))).toEqual(["malformed_message 0"]);
  });
});

describe("a finding", () => {
  const finding = (messages: unknown[]): LinkageFinding | undefined => checkLinkage(messages)[0];

  it("says where, which call and which tool", () => {
    expect(finding([asks(named("t", "a"), named("u", "b")), answers("a"), text])).toEqual({
      code: "unanswered_call",
      index: 0,
      callIndex: 1,
      callId: "b",
      toolName: "u",
      reason: "tool call 'u' with call_id 'b' has no result",
    });
  });

  it.each<[unknown[], string]>([
    [[answers("a")], "tool result for call_id 'a' does not correspond to a prior tool call"],
    [[answers(undefined)], "tool result is missing a call_id"],
    [
      [asks(named("t", "a")), answers("a"), answers("a")],
      "duplicate tool result for call_id 'a': each tool call must have exactly one result",
    ],
    [
      [asks(named("t", "a"), named("t", "a"))],
      "duplicate prior tool call id 'a' makes tool-result linkage ambiguous",
    ],
    [
      [asks(named("t", "a")), answers("a", { name: "u" })],
      "tool result name 'u' does not match the called tool 't' for call_id 'a'",
    ],
    [
      [asks(named("t", "a")), answers("a", { content: {} })],
      "tool result for call_id 'a' has malformed content",
    ],
  ])("uses the words that IORails uses", (messages, reason) => {
    expect(finding(messages)?.reason).toBe(reason);
  });

  it("quotes ids and names escaped and cut, and no content", () => {
    const id = `${"x".repeat(100)}\u202e`;
    const all = checkLinkage([user, answers(id), answers("b", { content: { secret: "content" } })]);
    expect(all[0]?.reason).toContain(`'${"x".repeat(64)}…'`);
    expect(JSON.stringify(all)).not.toContain("secret");
  });
});
