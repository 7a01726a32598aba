import { describe, expect, it } from "vitest";
import type { Completion } from "../../src/chat/message.js";
import { ModelError } from "../../src/errors.js";
import { completion, config, prompt, sections, user } from "./data.js";
import {
  contentInput,
  contentOutput,
  error,
  input,
  judge,
  output,
  parser,
  passed,
  policy,
  safe,
  withPrompt,
} from "./judged.js";

describe("content safety check input", () => {
  it("asks the model of the flow as the wire has it", async () => {
    const { verdict, asked } = await input(contentInput, [user("hello")], [safe]);
    expect(verdict).toEqual(passed);
    expect(asked).toEqual([
      {
        model: "guard",
        body: {
          messages: [{ role: "user", content: "U:hello" }],
          temperature: 1e-20,
          max_tokens: 1024,
        },
      },
    ]);
  });

  it("takes max_tokens and stop from the prompt, and roles from its messages", async () => {
    const own = prompt(
      "content_safety_check_input $model=guard",
      [
        {
          type: "system",
          content: "{% if reasoning_enabled %}/think{% else %}/no_think{% endif %}",
        },
        { type: "user", content: "{{ user_input }}!" },
      ],
      { ...parser, maxTokens: 50, stop: ["\n\n"] },
    );
    const from = config([own], {
      config: sections({ content_safety: { reasoning: { enabled: true } } }),
    });
    const { asked } = await input(contentInput, [user("hi")], [safe], from);
    expect(asked[0]?.body).toEqual({
      messages: [
        { role: "system", content: "/think" },
        { role: "user", content: "hi!" },
      ],
      temperature: 1e-20,
      max_tokens: 50,
      stop: ["\n\n"],
    });
  });

  it.each([
    ["Violence, S1", "Safety categories: Violence, S1"],
    ["", "content safety check input"],
    ["a".repeat(200), `Safety categories: '${"a".repeat(64)}...'`],
    ["evil\u202e\n'x'", "Safety categories: 'evil\\u{202e}\\u{a}\\'x\\''"],
    [Array(50).fill("S1").join(","), `Safety categories: ${Array(10).fill("S1").join(", ")}`],
  ])("names the categories %j cut, printable and few", async (said, reason) => {
    const answer = JSON.stringify({ "User Safety": "unsafe", "Safety Categories": said });
    const { verdict, flow: by } = await input(contentInput, [user("x")], [answer]);
    expect(verdict).toEqual(policy(reason));
    expect(reason).toMatch(/^[\x20-\x7e]*$/);
    expect(by).toBe("content safety check input");
  });

  it.each<[string, string | Completion]>([
    ["prose", "This is safe."],
    ["no text", ""],
    ["blank text", " \n"],
    [
      "a call",
      completion(safe, { calls: [{ id: "1", type: "function", name: "f", arguments: "{}" }] }),
    ],
    ["text that is none", completion(undefined as unknown as string)],
    ["a megabyte", "x".repeat(1_000_000)],
  ])("blocks as an error where the model answers %s", async (_, answer) => {
    const { verdict } = await input(contentInput, [user("hunter2")], [answer]);
    expect(verdict).toMatchObject({ status: "blocked", basis: "error" });
    expect(JSON.stringify(verdict)).not.toMatch(/hunter2|This is safe/);
  });

  it.each<[Error, string]>([
    [new ModelError("status", "guard", "secret", { status: 503 }), ": status 503"],
    [new ModelError("status", "guard", "secret"), ": status"],
    [new ModelError("timeout", "guard", "secret"), ": timeout"],
    [new ModelError("aborted", "guard", "secret"), ": aborted"],
    [new TypeError("secret"), ""],
  ])(
    "blocks as an error where asking throws %s, and shows none of its text",
    async (thrown, kind) => {
      const { verdict } = await input(contentInput, [user("x")], [thrown]);
      expect(verdict).toEqual(error(`${contentInput} failed${kind}`));
    },
  );

  it("blocks unasked what is longer than max_length characters, counted as code points", async () => {
    const own = prompt("content_safety_check_input $model=guard", "{{ user_input }}", {
      ...parser,
      maxLength: 10,
    });
    const from = withPrompt(own);
    expect((await input(contentInput, [user("😀".repeat(10))], [safe], from)).verdict).toEqual(
      passed,
    );
    for (const text of ["😀".repeat(11), "a".repeat(11), "a".repeat(1_000_000)]) {
      const { verdict, asked } = await input(contentInput, [user(text)], [safe], from);
      expect(verdict).toEqual(
        error(`${contentInput} failed: the prompt is longer than 10 characters`),
      );
      expect(asked).toEqual([]);
    }
  });

  it("hands syntax in the user's text on as text", async () => {
    const text = "{{ config }} {% for a in b %} {# c #} {{ user_input }}";
    const { asked } = await input(contentInput, [user(text)], [safe]);
    expect(asked[0]?.body.messages).toEqual([{ role: "user", content: `U:${text}` }]);
  });
});

describe("content safety check output", () => {
  it("blocks by the response's verdict, not the prompt's", async () => {
    const answer =
      '{"User Safety": "safe", "Response Safety": "unsafe", "Safety Categories": "S9"}';
    const { verdict, asked } = await output(contentOutput, "bot", [answer]);
    expect(verdict).toEqual(policy("Safety categories: S9"));
    expect(asked[0]?.body.messages).toEqual([{ role: "user", content: "U:hi B:bot" }]);
  });
  it.each([undefined, ""])("passes unasked where the answer is %j", async (answer) => {
    const found = await output(contentOutput, answer, []);
    expect(found).toMatchObject({ verdict: passed, asked: [] });
  });
  it("judges an answer without a user message", async () => {
    const subject = { messages: [], botResponse: "bot" };
    const found = await judge("output", contentOutput, subject, ['{"Response Safety":"safe"}']);
    expect(found.asked[0]?.body.messages).toEqual([{ role: "user", content: "U: B:bot" }]);
  });
});
