import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../src/chat/message.js";
import { withUserText } from "../../src/model-rails/user-text.js";
import { prompt, user } from "./data.js";
import { contentInput, input, parser, passed, safe, withPrompt } from "./judged.js";

describe("what the user said last", () => {
  const asked = async (messages: readonly ChatMessage[]) => {
    const found = await input("self check input", messages, ["No"]);
    const [question] = (found.asked[0]?.body.messages ?? []) as ChatMessage[];
    return question === undefined ? found.verdict : question.content;
  };
  const image = { type: "image_url", image_url: { url: "data:," } };

  it.each<[string, readonly ChatMessage[], string]>([
    ["all of several in a row", [user("a"), user("b")], "Block a\nb?"],
    [
      "all since the model answered",
      [
        user("a"),
        { role: "assistant", content: "x" },
        user("b"),
        user(" "),
        user([{ type: "text", text: "c" }]),
      ],
      "Block b\nc?",
    ],
    [
      "before and after a result that came between",
      [{ role: "assistant", content: "x" }, user("a"), { role: "tool", content: "t" }, user("b")],
      "Block a\nb?",
    ],
    ["before an image alone", [user("a"), user([image])], "Block a?"],
    [
      "before an answer that says nothing",
      [user("a"), { role: "assistant", content: " " }, user("b")],
      "Block a\nb?",
    ],
    ["with the name that the user goes by", [{ ...user("a"), name: "ann" }], "Block ann\na?"],
    ["in a name alone", [user("a"), { ...user(""), name: "obey" }], "Block a\nobey\n?"],
    [
      "before a tool loop",
      [user("a"), { role: "assistant", tool_calls: [] }, { role: "tool", content: "t" }],
      "Block a?",
    ],
    ["before one that is empty", [user("a"), user(""), user(null), user([])], "Block a?"],
    [
      "before one that is blank",
      [user("a"), user(" \n"), user([{ type: "text", text: "\t" }]), user([" "])],
      "Block a?",
    ],
    ["blank, where that is all there is", [user(" ")], "Block  ?"],
    ["empty, where that is all there is", [user("")], "Block ?"],
    [
      "in parts",
      [
        user([
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ]),
      ],
      "Block a\nb?",
    ],
    ["in parts of unknown types", [user(["s", { type: "input_text", text: "a" }])], "Block s\na?"],
    ["of an image that has a text of its own", [user([{ ...image, text: "a" }])], "Block a?"],
    ["beside an image", [user([image, { type: "text", text: "a" }])], "Block a?"],
  ])("is judged %s", async (_, messages, expected) => {
    expect(await asked(messages)).toBe(expected);
  });

  it.each<[string, readonly ChatMessage[]]>([
    ["no message", []],
    [
      "no user message",
      [
        { role: "system", content: "s" },
        { role: "assistant", content: "a" },
        { role: "tool", content: "t" },
      ],
    ],
    ["an image alone", [user([image])]],
    [
      "an image alone after an answer",
      [user("a"), { role: "assistant", content: "x" }, user([image])],
    ],
    ["an image that has a blank text of its own", [user([{ ...image, text: " " }])]],
    ["an image beside blank text", [user([image, { type: "text", text: " " }])]],
    [
      "a document beside text",
      [
        user([
          { type: "text", text: "a" },
          { type: "file", file: {} },
        ]),
      ],
    ],
    ["sound beside text", [user(["a", { type: "input_audio", input_audio: {} }])]],
    ["a document in the message before", [user([{ type: "document_url" }]), user("a")]],
    ["content of no known shape", [user("a"), user({ text: "b" })]],
    ["a number", [user(7)]],
  ])("blocks unasked where there is %s", async (_, messages) => {
    expect(await asked(messages)).toMatchObject({ status: "blocked", basis: "error" });
  });

  it("is replaced where it stands beside an image, and the image stays, without a text of its own", () => {
    const messages = [
      user([
        { ...image, text: "a" },
        { type: "input_text", text: "b" },
      ]),
      user(" "),
    ];
    const [message] = withUserText(messages, "c");
    expect(message?.["content"]).toEqual([{ type: "text", text: "c" }, image]);
  });

  it("does not take a text from a polluted prototype for the image's", async () => {
    Object.defineProperty(Object.prototype, "text", { value: "harmless", configurable: true });
    try {
      expect(await asked([user([image])])).toMatchObject({ status: "blocked", basis: "error" });
    } finally {
      delete (Object.prototype as { text?: unknown }).text;
    }
  });

  it("is handed on whole, images and all, where a prompt's message is one variable", async () => {
    const parts = [image, { type: "text", text: "{{ config }}" }];
    const own = prompt(
      "content_safety_check_input $model=guard",
      [{ type: "user", content: "{{ user_input }}" }],
      { ...parser, maxLength: 12 },
    );
    const from = withPrompt(own);
    for (const content of [parts, [image]]) {
      const found = await input(contentInput, [user(content)], [safe], from);
      expect(found.verdict).toEqual(passed);
      expect(found.asked[0]?.body.messages).toEqual([{ role: "user", content }]);
    }
    const named = [user("a"), { ...user([image]), name: "ann" }];
    const found = await input(contentInput, named, [safe], from);
    expect(found.asked[0]?.body.messages).toEqual([
      {
        role: "user",
        content: [{ type: "text", text: "a" }, { type: "text", text: "ann" }, image],
      },
    ]);
    const long = await input(
      contentInput,
      [user([{ type: "text", text: "a".repeat(13) }])],
      [safe],
      from,
    );
    expect(long.verdict).toMatchObject({ status: "blocked", basis: "error" });
  });
});
