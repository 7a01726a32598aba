import { describe, expect, it } from "vitest";
import { choice, faultOf, fn, piece } from "./assembled.js";

describe("CompletionAssembler, on calls", () => {
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
