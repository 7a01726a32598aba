import { didYouMean, quoted, ToolstileError } from "@toolstile/core";
import type { Flow, PromptConfig, RailsConfigData } from "../config/model.js";
import { promptFor } from "../config/prompts.js";
import { type OutputParser, outputParsers } from "./parsers.js";

/** @throws ToolstileError `ERR_CONFIG` where the flow's task has no prompt. */
export function promptOf(flow: Flow, task: string, data: RailsConfigData): PromptConfig {
  const prompt = promptFor(data, task, flow.model);
  if (prompt !== undefined) return prompt;
  throw new ToolstileError(
    "ERR_CONFIG",
    `The flow ${quoted(flow.text)} needs a prompt of task ${quoted(task)} under \`prompts\`.`,
  );
}

/**
 * The type of the model that a flow asks: the one it names, or else, if the
 * flow may leave it out, the one of the task's name, or else `main`.
 *
 * @throws ToolstileError `ERR_CONFIG` where there is no such model.
 */
export function modelOf(flow: Flow, fallback: string | undefined, data: RailsConfigData): string {
  const types = data.models.map((model) => model.type);
  if (flow.model === undefined && fallback === undefined) {
    throw new ToolstileError(
      "ERR_CONFIG",
      `The flow ${quoted(flow.text)} names no model. Write ${flow.name} $model=<type>.`,
    );
  }
  const type = flow.model ?? (fallback && types.includes(fallback) ? fallback : "main");
  if (types.includes(type)) return type;
  throw new ToolstileError(
    "ERR_CONFIG",
    `The flow ${quoted(flow.text)} asks a model of type ${quoted(type)}, which \`models\` does not have.${didYouMean(type, types)}`,
  );
}

/** @throws ToolstileError `ERR_CONFIG` for a parser that is not named, where none goes without saying, or not known. */
export function parserOf(
  flow: Flow,
  prompt: PromptConfig,
  usual: string | undefined,
): OutputParser {
  const name = prompt.outputParser ?? usual;
  const parser = name === undefined ? undefined : outputParsers.get(name);
  if (parser !== undefined) return parser;
  const names = [...outputParsers.keys()];
  const fault =
    name === undefined
      ? "names no output_parser, without which every answer would block."
      : `names the output_parser ${quoted(name)}, which is unknown.${didYouMean(name, names)}`;
  throw new ToolstileError(
    "ERR_CONFIG",
    `The prompt of task ${quoted(prompt.task)}, for the flow ${quoted(flow.text)}, ${fault} There are: ${names.join(", ")}.`,
  );
}
