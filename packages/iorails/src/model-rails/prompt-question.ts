import type { CallerSignal } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import { settingsOf } from "./guard-answer.js";
import { judgement } from "./judgement.js";
import type { OutputParser } from "./parsers.js";
import { compilePrompt, constantsOf, type Prompt } from "./prompt.js";
import type { RailPorts } from "./rail.js";
import { modelOf, parserOf, promptOf } from "./rail-parts.js";
import type { TemplateVariables } from "./template.js";
import type { Judgement } from "./verdict-cache.js";

/** A prompt of the configuration, and the model that is asked with it. */
export interface PromptQuestion {
  readonly prompt: Prompt;
  readonly ask: (
    ports: RailPorts,
    variables: TemplateVariables,
    signal: CallerSignal | undefined,
    parts?: readonly unknown[] | undefined,
  ) => Promise<Judgement>;
}

/** The way in which a flow asks. */
export interface QuestionSettings {
  /** The variables of the prompt. */
  readonly variables: readonly string[];
  readonly temperature: number;
  /** The parser of the answer where the prompt names none, by its name or itself. Absent: the prompt must. */
  readonly parser?: string | OutputParser | undefined;
}

/** @throws ToolstileError `ERR_CONFIG` for a prompt, parser or model that is not there. */
export function promptQuestion(
  flow: Flow,
  data: RailsConfigData,
  { variables, temperature, parser }: QuestionSettings,
): PromptQuestion {
  const model = modelOf(flow, data);
  const config = promptOf(flow, data);
  const parse = parserOf(flow, config, parser);
  const prompt = compilePrompt(config, variables, constantsOf(data));
  return {
    prompt,
    ask: async (ports, values, signal, parts) => {
      const body = { messages: prompt.render(values, parts), ...settingsOf(prompt, temperature) };
      return judgement(ports, { rail: flow.text, model, body, parse }, signal);
    },
  };
}
