import type { CallerSignal } from "@toolstile/core";
import type { Flow, RailsConfigData } from "../config/model.js";
import { answerText, guardAnswer, inputText, settingsOf } from "./guard-answer.js";
import { compilePrompt, type Prompt } from "./prompt.js";
import type { ModelRail, RailPorts } from "./rail.js";
import { modelOf, parserOf, promptOf } from "./rail-parts.js";
import type { TemplateVariables } from "./template.js";
import { lastUserText } from "./user-text.js";
import { blocked, decided, passed } from "./verdicts.js";

/** As certain as models go that refuse a zero. */
const settings = { temperature: 0.001, maxTokens: 3 };

/** A question of the configuration that a model answers by Yes or No. */
export interface SelfCheck {
  readonly prompt: Prompt;
  readonly ask: (
    ports: RailPorts,
    variables: TemplateVariables,
    signal: CallerSignal | undefined,
    parts?: readonly unknown[] | undefined,
  ) => Promise<"allow" | "block">;
}

/** @throws ToolstileError `ERR_CONFIG` for a prompt, parser or model that is not there. */
export function selfCheck(
  flow: Flow,
  data: RailsConfigData,
  task: string,
  usualParser: "yes_blocks" | "yes_allows",
  variables: readonly string[],
): SelfCheck {
  const model = modelOf(flow, task, data);
  const config = promptOf(flow, task, data);
  const parse = parserOf(flow, config, usualParser);
  const prompt = compilePrompt(config, variables);
  return {
    prompt,
    ask: async (ports, values, signal, parts) => {
      const body = { messages: prompt.render(values, parts), ...settingsOf(prompt, settings) };
      return decided(parse(await guardAnswer(ports, model, body, signal)));
    },
  };
}

/** `self check input`: a model is asked whether what the user said last should be blocked. An empty text is asked about like any other. */
export function selfCheckInput(flow: Flow, data: RailsConfigData): ModelRail {
  const check = selfCheck(flow, data, "self_check_input", "yes_blocks", ["user_input"]);
  return {
    flow: flow.text,
    name: flow.name,
    judge: async ({ messages, signal }, ports) => {
      const user = inputText(lastUserText(messages), check.prompt.keepsParts);
      const verdict = await check.ask(ports, { user_input: user.text }, signal, user.parts);
      return verdict === "allow" ? passed : blocked("Self check: the input is to be blocked");
    },
  };
}

/** `self check output`: a model is asked whether the answer should be blocked. An empty one passes unasked. */
export function selfCheckOutput(flow: Flow, data: RailsConfigData): ModelRail {
  const names = ["user_input", "bot_response"];
  const check = selfCheck(flow, data, "self_check_output", "yes_blocks", names);
  return {
    flow: flow.text,
    name: flow.name,
    judge: async (subject, ports) => {
      const answer = answerText(subject);
      if (answer === undefined) return passed;
      const user = lastUserText(subject.messages);
      const values = { user_input: user?.text ?? "", bot_response: answer };
      const verdict = await check.ask(ports, values, subject.signal, user?.parts);
      return verdict === "allow" ? passed : blocked("Self check: the output is to be blocked");
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
  const check = selfCheck(flow, data, "self_check_facts", "yes_allows", names);
  return {
    flow: flow.text,
    name: flow.name,
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
      const verdict = await check.ask(ports, values, subject.signal, user?.parts);
      return verdict === "allow" ? passed : blocked("Self check: the evidence does not say so");
    },
  };
}
