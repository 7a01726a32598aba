import { describe, expect, it } from "vitest";
import { textOf } from "../src/index.js";
import { textOfResult } from "../src/provider/index.js";
import { polluted } from "./support/runners.js";

describe("textOf", () => {
  it.each([
    ["gives a text as it is", "two\nlines", "two\nlines"],
    ["gives the text of one part", [{ type: "text", text: "tea" }], "tea"],
    [
      "puts a line break between the texts of parts",
      [
        { type: "text", text: "tea" },
        { type: "text", text: "" },
      ],
      "tea\n",
    ],
    ["gives nothing of no parts", [], ""],
    [
      "writes all parts as JSON where one is no text",
      [
        { type: "text", text: "tea" },
        { type: "image", data: "aGk=" },
      ],
      '[{"type":"text","text":"tea"},{"type":"image","data":"aGk="}]',
    ],
    [
      "loses nothing that a part of text says beside its text",
      [{ type: "text", text: "tea", annotations: { audience: ["user"] } }],
      '[{"type":"text","text":"tea","annotations":{"audience":["user"]}}]',
    ],
    [
      "takes no part of another type for text",
      [{ type: "note", text: "tea" }],
      '[{"type":"note","text":"tea"}]',
    ],
    [
      "takes no text that is a number for text",
      [{ type: "text", text: 7 }],
      '[{"type":"text","text":7}]',
    ],
  ])("%s", (_, content, text) => {
    expect(textOf({ content })).toBe(text);
  });
});

describe("all that a model may read of a result", () => {
  it.each([
    ["a text", { content: "tea" }, "tea"],
    ["the structured answer after it", { content: "tea", structured: { a: 1 } }, 'tea\n{"a":1}'],
    [
      "nothing of a structured answer that is not there",
      { content: "", structured: undefined },
      "",
    ],
    [
      "each part, and as JSON what is no text",
      {
        content: [
          { type: "text", text: "tea" },
          { type: "image", data: "aGk=" },
          { type: "note", text: "milk" },
          { type: "text", text: 7 },
        ],
      },
      'tea\n{"type":"image","data":"aGk="}\n{"type":"note","text":"milk"}\n{"type":"text","text":7}',
    ],
  ])("has %s", (_, result, text) => {
    expect(textOfResult(result as never)).toBe(text);
  });
});

describe("a part of text without a text", () => {
  it("P15 has none that is planted on the root prototype", async () => {
    const part = { type: "text", note: "tea" };
    await polluted({ text: "planted" }, async () => {
      expect(textOf({ content: [part] as never })).toBe(JSON.stringify([part]));
      expect(textOfResult({ content: [part] } as never)).toBe(JSON.stringify(part));
    });
  });
});
