import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCompletion } from "../../src/chat/completion.js";
import type { AskedCall } from "../../src/chat/message.js";
import { toolCall } from "../../src/chat/wire.js";

const call = (rest: Partial<AskedCall> = {}): AskedCall => ({
  id: "a",
  type: "function",
  name: "f",
  arguments: "{}",
  ...rest,
});
const written = (rest: Partial<AskedCall>): unknown => toolCall(call(rest));

describe("toolCall", () => {
  it.each<[string, Partial<AskedCall>, unknown]>([
    [
      "arguments byte for byte",
      { arguments: ' {"x" : 1.0, "é":"\\u00e9"}' },
      {
        id: "a",
        type: "function",
        function: { name: "f", arguments: ' {"x" : 1.0, "é":"\\u00e9"}' },
      },
    ],
    [
      "blank arguments as {}",
      { arguments: " \n" },
      { id: "a", type: "function", function: { name: "f", arguments: "{}" } },
    ],
    [
      "arguments that are no text as JSON",
      { arguments: { x: 1 } },
      { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
    ],
    [
      "a hosted tool's call by its type alone",
      { type: "web_search", name: undefined, arguments: "" },
      { id: "a", type: "web_search" },
    ],
    [
      "a custom tool's call with its text",
      { type: "custom", arguments: "" },
      { id: "a", type: "custom", custom: { name: "f", input: "" } },
    ],
    [
      "no id where there is none",
      { id: undefined },
      { type: "function", function: { name: "f", arguments: "{}" } },
    ],
  ])("writes %s", (_, rest, expected) => {
    expect(written(rest)).toEqual(expected);
    expect(Object.keys(written(rest) as object)).toEqual(Object.keys(expected as object));
  });

  it("writes what readCompletion reads again as the same", () => {
    const text = fc.string({ minLength: 1 });
    const calls = fc.array(
      fc.record({
        id: text,
        type: fc.constantFrom("function", "custom"),
        name: text,
        arguments: fc.json(),
      }),
    );
    fc.assert(
      fc.property(fc.string(), calls, (content, asked) => {
        const message = { role: "assistant", content, tool_calls: asked.map(toolCall) };
        expect(readCompletion({ choices: [{ message }] }, "main")).toMatchObject({
          content,
          calls: asked,
        });
      }),
    );
  });
});
