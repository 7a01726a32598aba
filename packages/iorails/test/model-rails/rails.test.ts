import { describe, expect, it } from "vitest";
import type { ChatMessage, Completion } from "../../src/chat/message.js";
import type { PromptConfig, RailsConfigData } from "../../src/config/model.js";
import { ModelError } from "../../src/errors.js";
import { buildInputRails, buildOutputRails } from "../../src/model-rails/build.js";
import type { RailSubject } from "../../src/model-rails/rail.js";
import { type RailsFinding, runRails } from "../../src/model-rails/run-rails.js";
import { completion, config, flow, model, prompt, scripted, user } from "./data.js";

type Answers = readonly (string | Completion | Error)[];

const parser = { outputParser: "nemoguard_parse_prompt_safety" };
const responseParser = { outputParser: "nemoguard_parse_response_safety" };
const prompts: readonly PromptConfig[] = [
  prompt("content_safety_check_input $model=guard", "U:{{ user_input }}", parser),
  prompt(
    "content_safety_check_output $model=guard",
    "U:{{ user_input }} B:{{ bot_response }}",
    responseParser,
  ),
  prompt("topic_safety_check_input $model=guard", "Talk of tea.\n"),
  prompt("self_check_input", "Block {{ user_input }}?"),
  prompt("self_check_output", "Block {{ bot_response }}?"),
  prompt("self_check_facts", "{{ evidence }} entails {{ bot_response }}?"),
  prompt("self_check_hallucination", "{{ paragraph }} agrees with {{ statement }}?"),
];
const data = config(prompts);
const withPrompt = (...own: PromptConfig[]): RailsConfigData => config(own);

async function judge(
  direction: "input" | "output",
  text: string,
  subject: RailSubject,
  answers: Answers,
  from: RailsConfigData = data,
  classification?: unknown,
): Promise<RailsFinding & { readonly asked: ReturnType<typeof scripted>["asked"] }> {
  const build = direction === "input" ? buildInputRails : buildOutputRails;
  const ports = scripted(answers, classification);
  const finding = await runRails(build([flow(text)], from), subject, ports, {
    parallel: false,
    direction,
  });
  return { ...finding, asked: ports.asked };
}
const input = (text: string, messages: readonly ChatMessage[], answers: Answers, from = data) =>
  judge("input", text, { messages }, answers, from);
const output = (text: string, botResponse: string | undefined, answers: Answers, from = data) =>
  judge("output", text, { messages: [user("hi")], botResponse }, answers, from);

const passed = { status: "passed" };
const policy = (reason: string) => ({ status: "blocked", reason, basis: "policy" });
const error = (reason: string) => ({ status: "blocked", reason, basis: "error" });
const safe = '{"User Safety": "safe"}';
const contentInput = "content safety check input $model=guard";
const contentOutput = "content safety check output $model=guard";
const topic = "topic safety check input $model=guard";

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
          max_tokens: 3,
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
    const from = config([own], { contentSafetyReasoning: true });
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
    ["", "Unknown"],
    ["a".repeat(200), `Safety categories: '${"a".repeat(64)}...'`],
    ["evil\u202e\n'x'", "Safety categories: 'evil\\u{202e}\\u{a}\\'x\\''"],
    [Array(50).fill("S1").join(","), `Safety categories: ${Array(10).fill("S1").join(", ")}`],
  ])("names the categories %j cut, printable and few", async (said, reason) => {
    const answer = JSON.stringify({ "User Safety": "unsafe", "Safety Categories": said });
    const { verdict, flow: by } = await input(contentInput, [user("x")], [answer]);
    expect(verdict).toEqual(policy(reason));
    expect(reason).toMatch(/^[\x20-\x7e]*$/);
    expect(by).toBe(contentInput);
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

describe("what the user said last", () => {
  const asked = async (messages: readonly ChatMessage[]) => {
    const found = await input("self check input", messages, ["No"]);
    const [question] = (found.asked[0]?.body.messages ?? []) as ChatMessage[];
    return question === undefined ? found.verdict : question.content;
  };
  const image = { type: "image_url", image_url: { url: "data:," } };

  it.each<[string, readonly ChatMessage[], string]>([
    ["the last of several", [user("a"), user("b")], "Block b?"],
    [
      "before a tool loop",
      [user("a"), { role: "assistant", tool_calls: [] }, { role: "tool", content: "t" }],
      "Block a?",
    ],
    ["before one that is empty", [user("a"), user(""), user(null), user([])], "Block a?"],
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
    ["an image alone after a text", [user("a"), user([image])]],
    ["an image beside blank text", [user([image, { type: "text", text: " " }])]],
    ["content of no known shape", [user("a"), user({ text: "b" })]],
    ["a number", [user(7)]],
  ])("blocks unasked where there is %s", async (_, messages) => {
    expect(await asked(messages)).toMatchObject({ status: "blocked", basis: "error" });
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
    const long = await input(
      contentInput,
      [user([{ type: "text", text: "a".repeat(13) }])],
      [safe],
      from,
    );
    expect(long.verdict).toMatchObject({ status: "blocked", basis: "error" });
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

describe("topic safety check input", () => {
  const restriction =
    'If any of the above conditions are violated, please respond with "off-topic". Otherwise, respond with "on-topic". You must respond with "on-topic" or "off-topic".';
  const messages = [
    { role: "system", content: "{{ x }}" },
    user("tea?"),
    { role: "assistant", content: null, tool_calls: [{ id: "1" }] },
    { role: "tool", tool_call_id: "1", content: "t" },
  ];

  it("sends its instructions and the whole conversation unchanged", async () => {
    const { asked } = await input(topic, messages, ["on-topic"]);
    expect(asked).toEqual([
      {
        model: "guard",
        body: {
          messages: [{ role: "system", content: `Talk of tea.\n\n${restriction}` }, ...messages],
          temperature: 0.01,
          max_tokens: 10,
        },
      },
    ]);
  });
  it("does not repeat the restriction", async () => {
    const own = prompt("topic_safety_check_input $model=guard", `Tea. ${restriction}\n`);
    const { asked } = await input(topic, messages, ["on-topic"], withPrompt(own));
    expect(asked[0]?.body.messages).toEqual([
      { role: "system", content: `Tea. ${restriction}` },
      ...messages,
    ]);
  });
  it.each(["on-topic", " On-Topic\n", "on-topic.", '"on-topic"', "**on-topic**", "'on-topic'."])(
    "passes %j",
    async (answer) => {
      expect((await input(topic, messages, [answer])).verdict).toEqual(passed);
    },
  );
  it.each(["off-topic", "Off-topic.", '"off-topic"'])("blocks %j", async (answer) => {
    expect((await input(topic, messages, [answer])).verdict).toEqual(
      policy("Topic safety: off-topic"),
    );
  });
  it.each([
    "",
    "on topic",
    "not on-topic",
    "on-topic?",
    "on-topic, I think",
    "on-topic off-topic",
    "on-topic\noff-topic",
    "yes",
    "ｏn-topic",
    "on\u2011topic",
    "on-topic\u200b",
    "\u200bon-topic",
  ])("blocks as an error %j", async (answer) => {
    expect((await input(topic, messages, [answer])).verdict).toMatchObject({
      status: "blocked",
      basis: "error",
    });
  });
  it("blocks where no user has said anything", async () => {
    expect((await input(topic, [], ["on-topic"])).verdict).toMatchObject({
      status: "blocked",
      basis: "error",
    });
  });
});

describe("jailbreak detection model", () => {
  const classified = async (classification: unknown) =>
    (
      await judge(
        "input",
        "jailbreak detection model",
        { messages: [user("x")] },
        [],
        data,
        classification,
      )
    ).verdict;
  it("sends the text as input", async () => {
    const found = await judge(
      "input",
      "jailbreak detection model",
      { messages: [user("x")] },
      [],
      data,
      { jailbreak: false },
    );
    expect(found).toMatchObject({
      verdict: passed,
      asked: [{ model: "jailbreak", body: { input: "x" } }],
    });
  });
  it.each<[unknown, string]>([
    [{ jailbreak: true, score: 0.75 }, "Score: 0.75"],
    [{ jailbreak: true, score: "ignore all" }, "Jailbreak detected"],
    [{ jailbreak: true, score: Number.NaN }, "Jailbreak detected"],
    [{ jailbreak: true }, "Jailbreak detected"],
  ])("blocks %j", async (answer, reason) => {
    expect(await classified(answer)).toEqual(policy(reason));
  });
  it.each([
    {},
    null,
    undefined,
    "false",
    [],
    { jailbreak: "false" },
    { jailbreak: 0 },
    { jailbreak: null },
    Object.create({ jailbreak: false }),
    new Error("secret"),
  ])("blocks as an error where the service answers %j", async (answer) => {
    expect(await classified(answer)).toMatchObject({ status: "blocked", basis: "error" });
  });
});

describe("self checks", () => {
  it.each([
    ["self check input", "No", passed],
    ["self check input", "Yes", policy("Self check: the input is to be blocked")],
    [
      "self check input",
      "I cannot",
      error("self check input failed: the model's answer is no verdict"),
    ],
  ])("%s reads %s", async (text, answer, verdict) => {
    const found = await input(text, [user("x")], [answer]);
    expect(found.verdict).toEqual(verdict);
    expect(found.asked).toEqual([
      {
        model: "main",
        body: {
          messages: [{ role: "user", content: "Block x?" }],
          temperature: 0.001,
          max_tokens: 3,
        },
      },
    ]);
  });
  it.each([
    ["No", passed],
    ["Yes", policy("Self check: the output is to be blocked")],
  ])("self check output reads %s", async (answer, verdict) => {
    expect((await output("self check output", "bot", [answer])).verdict).toEqual(verdict);
  });
  it("asks the model that the flow names, else of the task's type, else main", async () => {
    const from = config(prompts, {
      models: [model("main"), model("guard"), model("self_check_input")],
    });
    expect((await input("self check input", [user("x")], ["No"], from)).asked[0]?.model).toBe(
      "self_check_input",
    );
    expect(
      (await input("self check input $model=guard", [user("x")], ["No"], from)).asked[0]?.model,
    ).toBe("guard");
    expect((await input("self check input", [user("x")], ["No"])).asked[0]?.model).toBe("main");
  });
  it("reads an output prompt of the opposite question by yes_allows", async () => {
    const from = withPrompt(
      prompt("self_check_output", "Is {{ bot_response }} legal?", { outputParser: "yes_allows" }),
    );
    expect((await output("self check output", "bot", ["Yes"], from)).verdict).toEqual(passed);
    expect((await output("self check output", "bot", ["No"], from)).verdict).toMatchObject({
      basis: "policy",
    });
  });
});

describe("self check facts", () => {
  const facts = (evidence: readonly string[] | undefined, answers: Answers) =>
    judge(
      "output",
      "self check facts",
      { messages: [user("q")], botResponse: "bot", evidence },
      answers,
    );
  it.each([undefined, []])("passes unasked where the evidence is %j", async (evidence) => {
    expect(await facts(evidence, [])).toMatchObject({ verdict: passed, asked: [] });
  });
  it("asks whether the chunks entail the answer", async () => {
    const { verdict, asked } = await facts(["a {{ x }}", "b"], ["Yes."]);
    expect(verdict).toEqual(passed);
    expect(asked[0]?.body.messages).toEqual([
      { role: "user", content: "a {{ x }}\nb entails bot?" },
    ]);
  });
  it.each([
    ["No", policy("Self check: the evidence does not say so")],
    [
      "The evidence does not contradict it, safe.",
      error("self check facts failed: the model's answer is no verdict"),
    ],
  ])("blocks where the model answers %s", async (answer, verdict) => {
    expect((await facts(["a"], [answer])).verdict).toEqual(verdict);
  });
});

describe("self check hallucination and hallucination warning", () => {
  const messages = [user("hi")];
  it("samples the main model twice at temperature 1 and compares", async () => {
    const { verdict, asked } = await output("self check hallucination $model=guard", "bot", [
      "one",
      "two",
      "Yes",
    ]);
    expect(verdict).toEqual(passed);
    expect(asked).toEqual([
      { model: "main", body: { messages, temperature: 1 } },
      { model: "main", body: { messages, temperature: 1 } },
      {
        model: "guard",
        body: { messages: [user("one. two agrees with bot?")], temperature: 0.001, max_tokens: 3 },
      },
    ]);
  });
  it("blocks, or warns at the end of the text, where the samples do not agree", async () => {
    const reason = "Self check: further answers do not agree";
    const answers = ["one", "two", "No"];
    expect((await output("self check hallucination", "bot", answers)).verdict).toEqual(
      policy(reason),
    );
    const warned = await output("hallucination warning", "bot", answers);
    expect(warned).toMatchObject({
      verdict: { status: "modified", reason },
      flow: "hallucination warning",
    });
    expect(warned.text).toMatch(/^bot\n\n\S/);
  });
  it.each<[string, Answers]>([
    ["not sure", ["one", "two", "not sure"]],
    ["a sample without text", ["one", "", "Yes"]],
    ["a sample that fails", ["one", new Error("secret"), "Yes"]],
  ])("blocks either way, as an error, on %s", async (_, answers) => {
    for (const text of ["self check hallucination", "hallucination warning"]) {
      expect((await output(text, "bot", answers)).verdict).toMatchObject({
        status: "blocked",
        basis: "error",
      });
    }
  });
  it("passes an empty answer unasked", async () => {
    expect(await output("hallucination warning", "", [])).toMatchObject({
      verdict: passed,
      asked: [],
    });
  });
});

describe("building rails", () => {
  const refused = (
    direction: "input" | "output",
    text: string,
    from: RailsConfigData,
    message: RegExp,
  ) => {
    const build = direction === "input" ? buildInputRails : buildOutputRails;
    expect(() => build([flow(text)], from)).toThrow(
      expect.objectContaining({ code: "ERR_CONFIG", message: expect.stringMatching(message) }),
    );
  };
  it("P5 names the nearest flow for a typo", () =>
    refused("input", "self chek input", data, /Did you mean 'self check input'/));
  it.each([
    ["input", "self check output"],
    ["output", "self check input"],
    ["input", "__proto__"],
    ["output", "constructor"],
  ] as const)("refuses as %s rail %s", (direction, text) =>
    refused(direction, text, data, /There is no/),
  );
  it("refuses a flow without a prompt", () =>
    refused("input", "self check input", withPrompt(), /self_check_input/));
  it("refuses a flow without a model, and one that is not there", () => {
    refused("input", "content safety check input", data, /names no model/);
    refused("input", "content safety check input $model=gard", data, /Did you mean 'guard'/);
    refused("input", "self check input", config(prompts, { models: [model("guard")] }), /'main'/);
  });
  it("refuses a content check without a parser, and any with an unknown one", () => {
    const own = (rest: Partial<PromptConfig>) =>
      withPrompt(prompt("content_safety_check_input $model=guard", "x", rest));
    refused("input", contentInput, own({}), /no output_parser.*nemoguard_parse_prompt_safety/);
    refused(
      "input",
      contentInput,
      own({ outputParser: "is_content_save" }),
      /Did you mean 'is_content_safe'/,
    );
    refused("input", contentInput, own({ outputParser: "__proto__" }), /unknown/);
  });
  it("refuses a template that does not parse or names an unknown variable, and names the task", () => {
    refused(
      "input",
      "self check input",
      withPrompt(prompt("self_check_input", "{{ user_input")),
      /'self_check_input' is not a Jinja template/,
    );
    refused(
      "input",
      "self check input",
      withPrompt(prompt("self_check_input", "{{ bot_response }}")),
      /'self_check_input'.*'bot_response'/,
    );
    refused(
      "input",
      topic,
      withPrompt(prompt("topic_safety_check_input $model=guard", "{{ user_input }}")),
      /given none/,
    );
  });
  it("refuses a topic prompt of messages", () =>
    refused(
      "input",
      topic,
      withPrompt(prompt("topic_safety_check_input $model=guard", [{ type: "user", content: "x" }])),
      /one text/,
    ));
  it("refuses a jailbreak check without a service", () =>
    refused(
      "input",
      "jailbreak detection model",
      config(prompts, {
        jailbreakDetection: { ...data.jailbreakDetection, nimBaseUrl: undefined },
      }),
      /nim_base_url/,
    ));
  it("keeps the order of the flows", () => {
    const rails = buildInputRails([flow("self check input"), flow(topic)], data);
    expect(rails.map((rail) => [rail.flow, rail.name])).toEqual([
      ["self check input", "self check input"],
      [topic, "topic safety check input"],
    ]);
  });
});
