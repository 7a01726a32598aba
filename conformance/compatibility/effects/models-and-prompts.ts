import { asking, askingOf, type Effect, judge, main, status } from "./probe.js";

const selfCheck = { rails: { input: { flows: ["self check input"] } } };
const question = { task: "self_check_input", content: "Block {{ user_input }}?" };
const first = { ...question, content: "first {{ user_input }}" };
const second = { ...question, content: "second {{ user_input }}" };
const cached = { ...judge, type: "self_check_input" };

/** The number of times that the judge is asked for these messages. */
const timesAsked =
  (...prompts: readonly string[]): Effect["ask"] =>
  async ({ rails, asked }) => {
    for (const prompt of prompts) await rails.generate({ prompt });
    return asked.filter(({ who }) => who === "j").length;
  };

/** The members of the first request, which is the judge's. */
const judged =
  (of: (message: { role: string; content: string }) => unknown): Effect["ask"] =>
  async (session) =>
    (await asking(({ body }) => of(body.messages[0]))(session))[0];

export const models: readonly Effect[] = [
  {
    key: "models[].type",
    given: { ...selfCheck, models: [judge, main], prompts: [question] },
    values: ["self_check_input", "other"],
    replies: { m: ["No", "fine"], j: "No" },
    ask: asking(({ who }) => who),
    sees: [
      ["j", "m"],
      ["m", "m"],
    ],
  },
  {
    key: "models[].engine",
    given: { models: [{ type: "main", model: "m" }] },
    values: ["openai", "nim"],
    ask: asking(({ url }) => url.host),
    sees: [["api.openai.com"], ["integrate.api.nvidia.com"]],
  },
  {
    key: "models[].model",
    values: ["m", "n"],
    replies: { n: "fine" },
    ask: asking(({ body }) => body.model),
    sees: [["m"], ["n"]],
  },
  {
    key: "models[].api_key_env_var",
    values: ["K1", "K2"],
    ask: asking(({ headers }) => headers.get("authorization")),
    sees: [["Bearer first"], ["Bearer second"]],
  },
  {
    key: "models[].parameters",
    values: [
      { ...main.parameters, temperature: 0 },
      { ...main.parameters, temperature: 1 },
    ],
    ask: asking(({ body }) => body.temperature),
    sees: [[0], [1]],
  },
  {
    key: "models[].cache.enabled",
    given: { ...selfCheck, models: [cached, main], prompts: [question] },
    values: [true, false],
    replies: { j: "No" },
    ask: timesAsked("a", "a"),
    sees: [1, 2],
  },
  {
    key: "models[].cache.maxsize",
    given: {
      ...selfCheck,
      models: [{ ...cached, cache: { enabled: true } }, main],
      prompts: [question],
    },
    values: [1, 2],
    replies: { j: "No" },
    ask: timesAsked("a", "b", "a"),
    sees: [3, 2],
  },
];

export const prompts: readonly Effect[] = [
  {
    key: "prompts[].task",
    given: {
      rails: { input: { flows: ["self check input $model=main"] } },
      prompts: [first, second],
    },
    values: ["self_check_input $model=main", "self_check_output"],
    replies: { m: "No" },
    ask: judged(({ content }) => content),
    sees: ["first hello", "second hello"],
  },
  {
    key: "prompts[].content",
    given: { ...selfCheck, prompts: [question] },
    values: ["first {{ user_input }}", "second {{ user_input }}"],
    replies: { m: "No" },
    ask: judged(({ content }) => content),
    sees: ["first hello", "second hello"],
  },
  {
    key: "prompts[].messages",
    given: { ...selfCheck, prompts: [{ task: "self_check_input" }] },
    values: [[{ type: "user", content: "first" }], [{ type: "user", content: "second" }]],
    replies: { m: "No" },
    ask: judged(({ content }) => content),
    sees: ["first", "second"],
  },
  {
    key: "prompts[].messages[].type",
    given: { ...selfCheck, prompts: [{ task: "self_check_input", messages: [{ content: "?" }] }] },
    values: ["system", "user"],
    replies: { m: "No" },
    ask: judged(({ role }) => role),
    sees: ["system", "user"],
  },
  {
    key: "prompts[].messages[].content",
    given: { ...selfCheck, prompts: [{ task: "self_check_input", messages: [{ type: "user" }] }] },
    values: ["first", "second"],
    replies: { m: "No" },
    ask: judged(({ content }) => content),
    sees: ["first", "second"],
  },
  {
    key: "prompts[].output_parser",
    given: { ...selfCheck, prompts: [question] },
    values: ["yes_blocks", "yes_allows"],
    replies: { m: ["No", "fine"] },
    ask: status(),
    sees: ["passed", "blocked"],
  },
  {
    key: "prompts[].max_tokens",
    given: { ...selfCheck, models: [cached, main], prompts: [question] },
    values: [3, 7],
    replies: { j: "No" },
    ask: askingOf("j", ({ body }) => body.max_tokens),
    sees: [[3], [7]],
  },
  {
    key: "prompts[].stop",
    given: { ...selfCheck, models: [cached, main], prompts: [question] },
    values: [["."], ["\n"]],
    replies: { j: "No" },
    ask: askingOf("j", ({ body }) => body.stop),
    sees: [[["."]], [["\n"]]],
  },
  {
    key: "prompts[].max_length",
    given: { ...selfCheck, prompts: [question] },
    values: [100, 5],
    replies: { m: ["No", "fine"] },
    ask: status(),
    sees: ["passed", "blocked"],
  },
  {
    key: "prompts[].models",
    given: { ...selfCheck, prompts: [first, second] },
    values: [["openai/m"], ["openai/other"]],
    replies: { m: "No" },
    ask: judged(({ content }) => content),
    sees: ["first hello", "second hello"],
  },
  {
    key: "prompts[].mode",
    given: { ...selfCheck, prompts: [{ ...first, models: ["openai/m"] }, second] },
    values: ["standard", "compact"],
    replies: { m: "No" },
    ask: judged(({ content }) => content),
    sees: ["first hello", "second hello"],
  },
  {
    key: "prompting_mode",
    given: { ...selfCheck, prompts: [{ ...first, mode: "compact" }, second] },
    values: ["compact", "standard"],
    replies: { m: "No" },
    ask: judged(({ content }) => content),
    sees: ["first hello", "second hello"],
  },
  {
    key: "instructions",
    given: { ...selfCheck, prompts: [{ ...question, content: "{{ general_instructions }}" }] },
    values: [
      [{ type: "general", content: "Be kind." }],
      [{ type: "general", content: "Be short." }],
    ],
    replies: { m: "No" },
    ask: judged(({ content }) => content),
    sees: ["Be kind.", "Be short."],
  },
  {
    key: "lowest_temperature",
    given: { ...selfCheck, models: [cached, main], prompts: [question] },
    values: [0.01, 0.5],
    replies: { j: "No" },
    ask: askingOf("j", ({ body }) => body.temperature),
    sees: [[0.01], [0.5]],
  },
];
