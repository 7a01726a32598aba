import { describe, expect, it } from "vitest";
import { answers, asks, found, named, text, user } from "./conversation.js";

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
      "takes an empty id for none, and a number for one that is malformed",
      [asks(named("t", ""), named("t", 7)), answers(""), answers(7)],
      ["missing_call_id 0.0", "malformed_call_id 0.1", "missing_call_id 1", "malformed_call_id 2"],
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
