import { mainModel, requestOf } from "./cases.mjs";
import { conversation } from "./conversation.mjs";

/** @typedef {import("./draw.mjs").Draw} Draw */

const words = [
  ..."blue green Straße STRASSE naïve key=1 1234 a1b2 日本 😀 ÀÉ ß İ ſ _ - ... (x) Key [a] a.b".split(
    " ",
  ),
  "line one\nline two",
  "tab\there",
  "end\n",
  " ",
];
const atoms = [
  ..."blue green ß İ ſ k K é 日 😀 \\d \\D \\w \\W \\s \\S \\. . [a-z] [^a-z] [a-e1-3é] \\[ \\( \\t \\n x =".split(
    " ",
  ),
];
const places = ["^", "$", "\\b", "\\B", "\\A", "\\Z"];
const repeats = ["*", "+", "?", "*?", "+?", "{1,3}", "{2}", "{0,2}?"];
const flags = ["(?i)", "(?m)", "(?s)", "(?im)", "(?x)", "(?a)"];
/** What is no pattern, or needs an engine that goes back. */
const impossible = [
  "(",
  "[a",
  "a**",
  "(?P<n>a)(?P=n)",
  "(a)\\1",
  "(?=a)",
  "(?<!a)b",
  "*a",
  "a{3,1}",
  "(?>a)",
];

/** @param {Draw} draw @param {number} depth @returns {string} */
function piece(draw, depth) {
  if (draw.chance(0.12)) return draw.of(places);
  const atom =
    depth > 0 && draw.chance(0.25)
      ? `(${draw.of(["", "?:", "?i:"])}${draw.times(1, 3, () => piece(draw, depth - 1)).join(draw.chance(0.4) ? "|" : "")})`
      : draw.of(atoms);
  // A repetition of a group that repeats takes CPython years.
  const repeatable = !atom.startsWith("(") || !/[*+{?]/.test(atom.slice(2));
  return repeatable && draw.chance(0.25) ? atom + draw.of(repeats) : atom;
}

/** @param {Draw} draw */
export function pattern(draw) {
  if (draw.chance(0.02)) return draw.of(impossible);
  const flag = draw.chance(0.12) ? draw.of(flags) : "";
  return flag + draw.times(1, 4, () => piece(draw, 2)).join("");
}

/** @param {Draw} draw */
const text = (draw) => draw.times(1, 5, () => draw.of(words)).join(draw.chance(0.8) ? " " : "");

/** @param {Draw} draw */
const section = (draw) => ({
  patterns: draw.times(draw.chance(0.05) ? 0 : 1, 3, () => pattern(draw)),
  ...(draw.chance(0.4) ? { case_insensitive: draw.chance(0.7) } : {}),
});

/** Mistakes in a configuration, as people make them. @type {Readonly<Record<string, (rails: any) => void>>} */
const mistakes = {
  "a flow that there is not": (rails) => rails.input?.flows.push("regex chek input"),
  "a flow of the other section": (rails) => rails.output?.flows.push("regex check input"),
  "a flow in other letters": (rails) => rails.input?.flows.push("Regex Check Input"),
  "a flow with two blanks": (rails) => rails.output?.flows.push("regex check  output"),
  "a flow without its prompt": (rails) => rails.output?.flows.push("self check output"),
  "a flow twice": (rails) => rails.input?.flows.push("regex check input"),
  "a parameter that its flow does not have": (rails) => {
    if (rails.input) rails.input.flows = ["regex check input $model=x"];
  },
  "a parameter without a value": (rails) => rails.input?.flows.push("regex check input $x"),
  "a key that there is not": (rails) => {
    rails.config.regex_detection.inputs = { patterns: ["x"] };
  },
  "a key in the singular": (rails) => {
    if (rails.config.regex_detection.input) rails.config.regex_detection.input.pattern = ["x"];
  },
  "a text in place of a list": (rails) => {
    if (rails.config.regex_detection.input) rails.config.regex_detection.input.patterns = "x";
  },
  "a text in place of true": (rails) => {
    if (rails.config.regex_detection.output)
      rails.config.regex_detection.output.case_insensitive = "yes";
  },
  "a flow without its section": (rails) => {
    delete rails.config.regex_detection.input;
  },
  "rails of retrieval": (rails) => {
    rails.retrieval = { flows: ["regex check retrieval"] };
  },
};

/** A configuration of rails with patterns. @param {Draw} draw */
export function regexCase(draw) {
  const directions = draw.of([["input"], ["output"], ["input", "output"], ["input", "output"]]);
  /** @type {any} */
  const rails = { config: { regex_detection: {} } };
  for (const direction of directions) {
    rails[direction] = {
      flows: [`regex check ${direction}`],
      ...(draw.chance(0.2) ? { parallel: draw.chance(0.7) } : {}),
    };
    rails.config.regex_detection[direction] = section(draw);
  }
  if (draw.chance(0.1)) rails.config.regex_detection.retrieval = section(draw);
  if (rails.output && draw.chance(0.75)) {
    rails.output.streaming = {
      enabled: draw.chance(0.95),
      ...(draw.chance(0.6) ? { chunk_size: draw.whole(1, 6) } : {}),
      ...(draw.chance(0.6) ? { context_size: draw.whole(0, 4) } : {}),
      ...(draw.chance(0.6) ? { stream_first: draw.chance(0.5) } : {}),
    };
  }
  if (rails.input && draw.chance(0.1)) rails.input.speculative_generation = true;
  const intended = { models: [mainModel], rails: structuredClone(rails) };
  const mistake = draw.chance(0.06) ? draw.of(Object.keys(mistakes)) : undefined;
  if (mistake !== undefined) mistakes[mistake]?.(rails);
  const answer = draw.chance(0.04) ? draw.of(["", " "]) : text(draw);
  return {
    config: { models: [mainModel], rails },
    ...(mistake === undefined ? {} : { mistake, intended }),
    ...requestOf(draw, directions, (answered) =>
      conversation(draw, () => text(draw), { answered }),
    ),
    script: { answer, pieces: piecesOf(draw, answer) },
  };
}

/** A text in pieces, none of which ends inside of a character. @param {Draw} draw @param {string} answer */
export function piecesOf(draw, answer) {
  const points = Array.from(answer);
  const pieces = [];
  for (let at = 0; at < points.length; ) {
    const length = draw.whole(1, 7);
    pieces.push(points.slice(at, at + length).join(""));
    at += length;
  }
  return pieces;
}
