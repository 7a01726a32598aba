import { mainModel } from "./cases.mjs";
import { conversation } from "./conversation.mjs";
import { calls, declared, toolTurn } from "./per-tool-cases.mjs";

/** @typedef {import("./draw.mjs").Draw} Draw */

const words = "we meet at noon, urgent or not. KEY passwd".split(" ");
const patterns = ["urgent", "KEY$", "^we", "\\bnot\\b", "pass"];

/** A configuration of rails on tools, beside others: `tool_output` and `tool_input`, as 0.24 calls them. @param {Draw} draw */
export function toolRailsCase(draw) {
  /** @type {any} */
  const rails = { config: {} };
  const sections = draw.some(["tool_output", "tool_input", "input", "output"], 1, 4);
  if (sections.includes("tool_output")) rails.tool_output = { flows: ["tool call validation"] };
  if (sections.includes("tool_input")) rails.tool_input = { flows: ["tool result validation"] };
  const directions = sections.filter((each) => !each.startsWith("tool"));
  if (directions.length > 0) rails.config.regex_detection = {};
  for (const direction of directions) {
    rails[direction] = { flows: [`regex check ${direction}`] };
    rails.config.regex_detection[direction] = { patterns: draw.some(patterns, 1, 2) };
  }
  if (rails.output) rails.output.streaming = { enabled: true, stream_first: draw.chance(0.5) };
  const text = () => draw.some(words, 1, 6).join(" ");
  const tools = declared(draw);
  const answer = draw.chance(0.5) ? text() : undefined;
  return {
    config: { models: [mainModel], rails },
    mode: /** @type {"generate" | "stream"} */ (draw.of(["generate", "stream"])),
    messages: [
      ...conversation(draw, text, { answered: false }),
      ...(draw.chance(0.6) ? toolTurn(draw, 1) : []),
    ],
    options: { llm_params: { tools } },
    script: { answer, calls: answer === undefined || draw.chance(0.4) ? calls(draw, 10) : [] },
  };
}
