import { didYouMean, quoted } from "@toolstile/core/provider";
import { modelTypesOf, tasksOf } from "../config/flows.js";
import type { Flow, PromptConfig, RailsConfigData } from "../config/model.js";
import { promptFor } from "../config/prompts.js";
import { wrongConfig } from "../errors.js";
import { wrongFlow } from "./build-rail.js";
import { type OutputParser, outputParsers } from "./parsers.js";

/** @throws ToolstileError `ERR_CONFIG` where the flow's task has no prompt. */
export function promptOf(flow: Flow, data: RailsConfigData): PromptConfig {
  const prompt = promptFor(data, flow);
  if (prompt !== undefined) return prompt;
  const task = quoted(tasksOf(flow)[0] ?? "");
  throw wrongFlow(flow, `needs a prompt of task ${task} under \`prompts\`.`);
}

/**
 * The type of the model that a flow asks.
 *
 * @throws ToolstileError `ERR_CONFIG` if there is no such model.
 */
export function modelOf(flow: Flow, data: RailsConfigData, types = modelTypesOf(flow)): string {
  const known = data.models.map((model) => model.type);
  const type = types.find((each) => known.includes(each));
  if (type !== undefined) return type;
  const wanted = types.at(-1);
  throw wrongFlow(
    flow,
    wanted === undefined
      ? `names no model. Write ${flow.name} $model=<type>.`
      : `asks a model of type ${quoted(wanted)}, which \`models\` does not have.${didYouMean(wanted, known)}`,
  );
}

/** @throws ToolstileError `ERR_CONFIG` for a parser that is not named, where none goes without saying, or not known. */
export function parserOf(
  flow: Flow,
  prompt: PromptConfig,
  usual?: string | OutputParser,
): OutputParser {
  const name = prompt.outputParser ?? usual;
  const parser = typeof name === "string" ? outputParsers.get(name) : name;
  if (parser !== undefined) return parser;
  const names = [...outputParsers.keys()];
  const fault =
    typeof name === "string"
      ? `names the output_parser ${quoted(name)}, which is unknown.${didYouMean(name, names)}`
      : "names no output_parser, without which every answer would block.";
  throw wrongConfig(
    `The prompt of task ${quoted(prompt.task)}, for the flow ${quoted(flow.text)}, ${fault} There are: ${names.join(", ")}.`,
  );
}
