import type { CallerSignal } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import { answerText, inputText, roomForThought, settingsOf } from "./guard-answer.js";
import { type Judgement, judgement } from "./judgement.js";
import { compilePrompt, constantsOf, type Prompt } from "./prompt.js";
import type { ModelRail, RailPorts } from "./rail.js";
import { modelOf, parserOf, promptOf } from "./rail-parts.js";
import type { TemplateVariables } from "./template.js";
import { lastUserText } from "./user-text.js";
import { passed, ruled } from "./verdicts.js";

/** A question of the configuration that a model answers by Yes or No. */
export interface SelfCheck {
  readonly prompt: Prompt;
  readonly ask: (
    ports: RailPorts,
    variables: TemplateVariables,
    signal: CallerSignal | undefined,
    parts?: readonly unknown[] | undefined,
  ) => Promise<Judgement>;
}

/** @throws ToolstileError `ERR_CONFIG` for a prompt, parser or model that is not there. */
export function selfCheck(
  flow: Flow,
  data: RailsConfigData,
  usualParser: "yes_blocks" | "yes_allows",
  variables: readonly string[],
): SelfCheck {
  const model = modelOf(flow, data);
  const config = promptOf(flow, data);
  const parse = parserOf(flow, config, usualParser);
  const settings = { temperature: data.lowestTemperature, maxTokens: roomForThought };
  const prompt = compilePrompt(config, variables, constantsOf(data));
  return {
    prompt,
    ask: async (ports, values, signal, parts) => {
      const body = { messages: prompt.render(values, parts), ...settingsOf(prompt, settings) };
      return judgement(ports, { rail: flow.text, model, body, parse }, signal);
    },
  };
}

/** `self check input`: a model is asked whether what the user said last should be blocked. An empty text is asked about like any other. */
export function selfCheckInput(flow: Flow, data: RailsConfigData): ModelRail {
  const check = selfCheck(flow, data, "yes_blocks", ["user_input"]);
  return {
    flow: flow.text,
    name: flow.name,
    judge: async ({ messages, signal }, ports) => {
      const user = inputText(lastUserText(messages), check.prompt.keepsParts);
      const found = await check.ask(ports, { user_input: user.text }, signal, user.parts);
      return ruled(found, flow.name);
    },
  };
}

/** `self check output`: a model is asked whether the answer should be blocked. An empty one passes unasked. */
export function selfCheckOutput(flow: Flow, data: RailsConfigData): ModelRail {
  const names = ["user_input", "bot_response", "bot_thinking"];
  const check = selfCheck(flow, data, "yes_blocks", names);
  return {
    flow: flow.text,
    name: flow.name,
    // The thinking is there when the answer is.
    readsWhole: check.prompt.reads("bot_thinking"),
    judge: async (subject, ports) => {
      const answer = answerText(subject);
      if (answer === undefined) return passed;
      const user = lastUserText(subject.messages);
      const values = {
        user_input: user?.text ?? "",
        bot_response: answer,
        bot_thinking: subject.botThinking ?? "",
      };
      const found = await check.ask(ports, values, subject.signal, user?.parts);
      return ruled(found, flow.name);
    },
  };
}

/**
 * `self check facts`: a model is asked whether the evidence entails the answer.
 *
 * It runs only where the request brings evidence: without any, and for an
 * empty answer, it passes unasked. `evidence` is the chunks, a line each.
 */
export function selfCheckFacts(flow: Flow, data: RailsConfigData): ModelRail {
  const names = ["user_input", "bot_response", "evidence"];
  const check = selfCheck(flow, data, "yes_allows", names);
  return {
    flow: flow.text,
    name: flow.name,
    readsWhole: true,
    judge: async (subject, ports) => {
      const answer = answerText(subject);
      const { evidence = [] } = subject;
      if (answer === undefined || evidence.length === 0) return passed;
      const user = lastUserText(subject.messages);
      const values = {
        user_input: user?.text ?? "",
        bot_response: answer,
        evidence: evidence.join("\n"),
      };
      const found = await check.ask(ports, values, subject.signal, user?.parts);
      return ruled(found, "Self check: the evidence does not say so");
    },
  };
}
