import { describe, expect, it } from "vitest";
import type { AskedCall } from "../../src/chat/message.js";
import { assemble, choice, fn, piece } from "./assembled.js";

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
});
