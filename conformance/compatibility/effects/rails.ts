import {
  asking,
  calling,
  type Effect,
  judge,
  main,
  resulting,
  status,
  streamed,
  withTool,
} from "./probe.js";

const patterns = {
  regex_detection: { input: { patterns: ["bad"] }, output: { patterns: ["bad"] } },
};
const checks = (direction: string) => [
  `self check ${direction}`,
  `self check ${direction} $variant=other`,
];
const questions = ["input", "output"].flatMap((direction) =>
  [`self_check_${direction}`, `self_check_${direction} $variant=other`].map((task) => ({
    task,
    content: direction === "input" ? "{{ user_input }}" : "{{ bot_response }}",
  })),
);
const judges = [
  main,
  { ...judge, type: "self_check_input" },
  { ...judge, type: "self_check_output" },
];
const twoChecks = (direction: string) => ({
  models: judges,
  rails: { [direction]: { flows: checks(direction) } },
  prompts: questions,
});

/** Output rails of a stream, and how many chunks are judged with which text. */
const inStream = (streaming: object) => ({
  models: judges,
  rails: { output: { flows: ["self check output"], streaming: { enabled: true, ...streaming } } },
  prompts: questions,
});
const judgedInStream: Effect["ask"] = async (session) => {
  await streamed(session);
  const judged = session.asked.filter(({ who }) => who === "j");
  return judged.map(({ body }) => body.messages[0].content);
};

const safety = (direction: string) => ({
  task: `tool_safety_check_${direction} $model=judge $variant=v`,
  content: "?",
});
const safetyTwice = (section: string, spelling: string) => ({
  models: [withTool, judge],
  rails: {
    [section]: {
      per_tool: {
        t: [
          `tool safety check ${spelling} $model=judge $variant=v`,
          `tool safety check ${spelling} $model=judge $variant=w`,
        ],
      },
    },
  },
  prompts: ["v", "w"].flatMap((variant) =>
    ["input", "output"].map((direction) => ({
      task: safety(direction).task.replace("=v", `=${variant}`),
      content: "?",
    })),
  ),
});
const timesJudged: Effect["ask"] = async (session) => {
  await resulting("a result", "t")(session);
  return session.asked.filter(({ who }) => who === "j").length;
};
const callsJudged: Effect["ask"] = async (session) => {
  await status()(session);
  return session.asked.filter(({ who }) => who === "j").length;
};

/** The sections under each of their names. */
const toolSections = ["tool_output", "tool_call"].flatMap((section): readonly Effect[] => [
  {
    key: `rails.${section}.flows`,
    values: [["tool call validation"], []],
    replies: { m: calling({}) },
    ask: status(),
    sees: ["blocked", "passed"],
  },
  {
    key: `rails.${section}.parallel`,
    given: safetyTwice(section, "output"),
    values: [true, false],
    replies: { m: calling({}), j: "unsafe" },
    ask: callsJudged,
    sees: [2, 1],
  },
]);
const resultSections = ["tool_input", "tool_result"].flatMap((section): readonly Effect[] => [
  {
    key: `rails.${section}.flows`,
    values: [["tool result validation"], []],
    ask: resulting("a result", "other"),
    sees: ["blocked", "passed"],
  },
  {
    key: `rails.${section}.parallel`,
    given: safetyTwice(section, "input"),
    values: [true, false],
    replies: { j: "unsafe" },
    ask: timesJudged,
    sees: [2, 1],
  },
]);

const perTool = {
  models: [withTool],
  rails: {
    config: {
      regex_detection: {
        tool_call: { t: { patterns: ["bad"] } },
        tool_result: { t: { patterns: ["bad"] } },
      },
    },
  },
};

export const rails: readonly Effect[] = [
  {
    key: "rails.input.flows",
    given: { rails: { config: patterns } },
    values: [["regex check input"], []],
    ask: status("bad"),
    sees: ["blocked", "passed"],
  },
  {
    key: "rails.input.parallel",
    given: twoChecks("input"),
    values: [true, false],
    replies: { j: "Yes" },
    ask: asking(({ who }) => who),
    sees: [["j", "j"], ["j"]],
  },
  {
    key: "rails.input.speculative_generation",
    given: twoChecks("input"),
    values: [true, false],
    replies: { j: "Yes" },
    ask: async (session) => (await asking(({ who }) => who)(session)).includes("m"),
    sees: [true, false],
  },
  {
    key: "rails.output.flows",
    given: { rails: { config: patterns } },
    values: [["regex check output"], []],
    replies: { m: "bad" },
    ask: status(),
    sees: ["blocked", "passed"],
  },
  {
    key: "rails.output.parallel",
    given: twoChecks("output"),
    values: [true, false],
    replies: { j: "Yes" },
    ask: asking(({ who }) => who),
    sees: [
      ["m", "j", "j"],
      ["m", "j"],
    ],
  },
  {
    key: "rails.output.streaming.enabled",
    given: { rails: { output: { flows: ["regex check output"] }, config: patterns } },
    values: [true, false],
    ask: streamed,
    sees: [["fine"], "ERR_INVALID_OPTION"],
  },
  {
    key: "rails.output.streaming.chunk_size",
    given: inStream({ context_size: 0 }),
    values: [1, 2],
    replies: { m: "one two", j: "No" },
    ask: judgedInStream,
    sees: [["one ", "two"], ["one two"]],
  },
  {
    key: "rails.output.streaming.context_size",
    given: inStream({ chunk_size: 1 }),
    values: [0, 1],
    replies: { m: "one two", j: "No" },
    ask: judgedInStream,
    sees: [
      ["one ", "two"],
      ["one ", "one two"],
    ],
  },
  {
    key: "rails.output.streaming.stream_first",
    given: inStream({}),
    values: [true, false],
    replies: { m: "bad", j: "Yes" },
    ask: streamed,
    sees: [["bad", "[violation]"], ["[violation]"]],
  },
  ...toolSections,
  ...resultSections,
  {
    key: "rails.tool_call.per_tool",
    given: perTool,
    values: [{ t: ["regex check tool call"] }, {}],
    replies: { m: calling({ a: "bad" }) },
    ask: status(),
    sees: ["blocked", "passed"],
  },
  {
    key: "rails.tool_result.per_tool",
    given: perTool,
    values: [{ t: ["regex check tool result"] }, {}],
    ask: resulting("bad", "t"),
    sees: ["blocked", "passed"],
  },
];
