import { describe, expect, it } from "vitest";
import { textOf } from "../src/index.js";

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
      "takes no text that is a number for text",
      [{ type: "text", text: 7 }],
      '[{"type":"text","text":7}]',
    ],
  ])("%s", (_, content, text) => {
    expect(textOf({ content })).toBe(text);
  });
});
