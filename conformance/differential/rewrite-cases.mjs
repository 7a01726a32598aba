import { mainModel, requestOf } from "./cases.mjs";
import { conversation } from "./conversation.mjs";
import { piecesOf } from "./regex-cases.mjs";
import { harmless, injected } from "./snippets.mjs";

/** @typedef {import("./draw.mjs").Draw} Draw */

/** Names that the service of entities finds. @type {Readonly<Record<string, string>>} */
const names = {
  Ann: "person",
  "O'Neil": "person",
  "Jürgen 😀": "person",
  Bonn: "city",
  日本: "city",
  1234: "number",
};

const plain = "we meet at noon and talk about seats, trains or weather; then go home.".split(" ");

/** @param {Draw} draw */
function text(draw) {
  const parts = draw.times(1, 5, () => {
    const kind = draw.next;
    if (kind < 0.25) return draw.of(Object.keys(names));
    if (kind < 0.4) return draw.of(injected).text;
    if (kind < 0.5) return draw.of(harmless).text;
    if (kind < 0.55) return draw.of(["a".repeat(30), "ab ".repeat(20), "0123456789".repeat(4)]);
    if (kind < 0.6) return draw.of(["forbidden", "Forbidden", "[PERSON]", "secret", "\n"]);
    return draw.some(plain, 2, 6).join(" ");
  });
  return parts.join(" ");
}

const flowsOf = {
  input: [
    "context bloat detection on input",
    "gliner mask pii on input",
    "gliner detect pii on input",
    "regex check input",
    "self check input",
  ],
  output: [
    "injection detection",
    "injection detection",
    "gliner mask pii on output",
    "gliner detect pii on output",
    "regex check output",
    "self check output",
  ],
};

const patterns = [
  "forbidden",
  "(?i)forbidden",
  "\\[PERSON\\]",
  "Ann",
  "\\[\\w+\\]",
  "secret$",
  "select",
  "^we",
  "script",
  "  ",
];

/** @param {Draw} draw @param {"input" | "output"} direction */
const entities = (draw, direction) => [
  direction,
  { entities: draw.some(["person", "city", "number"], 1, 3) },
];

/** @param {Draw} draw */
const bloat = (draw) => ({
  max_chars: draw.of([20, 40, 60, 5000]),
  min_chars: draw.of([0, 10, 50, 80]),
  ...(draw.chance(0.5) ? { min_entropy: draw.of([0, 2, 3, 3.5]) } : {}),
  ...(draw.chance(0.4) ? { max_repetition_ratio: draw.of([0, 0.2, 0.4, 1]) } : {}),
  ...(draw.chance(0.4) ? { max_run_ratio: draw.of([0.05, 0.1, 0.5, 1]) } : {}),
  ...(draw.chance(0.3) ? { ngram_size: draw.of([1, 2, 3]) } : {}),
  ...(draw.chance(0.9) ? { action: draw.of(["reject", "truncate", "truncate", "warn"]) } : {}),
});

/** @param {Draw} draw */
const injection = (draw) => ({
  injections: draw.some(["sqli", "template", "code", "xss"], 1, 4),
  ...(draw.chance(0.9) ? { action: draw.of(["reject", "omit", "omit"]) } : {}),
});

/** A configuration of rails of which some rewrite. @param {Draw} draw */
export function rewriteCase(draw) {
  const directions = draw.of([["input"], ["output"], ["output"], ["input", "output"]]);
  /** @type {any} */
  const rails = { config: {} };
  for (const direction of /** @type {("input" | "output")[]} */ (directions)) {
    const flows = [...new Set(draw.some(flowsOf[direction], 1, 4))];
    rails[direction] = { flows, ...(draw.chance(0.3) ? { parallel: true } : {}) };
  }
  const flows = [...(rails.input?.flows ?? []), ...(rails.output?.flows ?? [])].join();
  if (rails.input && draw.chance(0.15)) rails.input.speculative_generation = true;
  if (rails.output && draw.chance(0.75)) {
    const writes = /mask|injection/.test(rails.output.flows.join());
    const fits = writes && draw.chance(0.9);
    rails.output.streaming = {
      enabled: true,
      ...(draw.chance(0.6) ? { chunk_size: draw.whole(1, 6) } : {}),
      ...(fits ? { context_size: 0, stream_first: false } : {}),
      ...(!fits && draw.chance(0.5)
        ? { context_size: draw.whole(0, 4), stream_first: draw.chance(0.5) }
        : {}),
    };
  }
  if (flows.includes("gliner")) {
    rails.config.gliner = {
      server_endpoint: draw.of(["@BASE@/entities", "@BASE@/entities/v1/chat/completions"]),
      ...Object.fromEntries(
        directions.map((direction) => entities(draw, /** @type {any} */ (direction))),
      ),
    };
  }
  if (flows.includes("regex")) {
    const section = () => ({
      patterns: draw.some(patterns, 1, 3),
      case_insensitive: draw.chance(0.3),
    });
    rails.config.regex_detection = Object.fromEntries(
      directions.map((direction) => [direction, section()]),
    );
  }
  if (flows.includes("bloat")) rails.config.context_bloat_detection = bloat(draw);
  if (flows.includes("injection")) rails.config.injection_detection = injection(draw);
  const judged = directions.filter((direction) => flows.includes(`self check ${direction}`));
  const prompts = judged.map((direction) => ({
    task: `self_check_${direction}`,
    content:
      direction === "input"
        ? "Judge: {{ user_input }}"
        : "Judge: {{ user_input }} / {{ bot_response }}",
  }));
  const answer = text(draw);
  const judge = {
    type: "judge",
    engine: "openai",
    model: "judge",
    parameters: { base_url: "@BASE@" },
  };
  const models = [
    mainModel,
    ...judged.map((direction) => ({ ...judge, type: `self_check_${direction}` })),
  ];
  return {
    config: { models, rails, ...(prompts.length > 0 ? { prompts } : {}) },
    ...requestOf(draw, directions, (answered) =>
      conversation(draw, () => text(draw), { answered }),
    ),
    script: { answer, pieces: piecesOf(draw, answer), forbidden: ["forbidden"], entities: names },
  };
}
