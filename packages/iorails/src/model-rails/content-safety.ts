import type { Flow, RailsConfigData } from "../config/model.js";
import { answerText, inputText, roomForThought, settingsOf } from "./guard-answer.js";
import { judgement } from "./judgement.js";
import { compilePrompt, constantsOf } from "./prompt.js";
import type { ModelRail } from "./rail.js";
import { modelOf, parserOf, promptOf } from "./rail-parts.js";
import { lastUserText } from "./user-text.js";
import { categoriesReason, passed, ruled } from "./verdicts.js";

/** NIM takes no zero, and this is as near as upstream goes. */
const settings = { temperature: 1e-20, maxTokens: roomForThought };

/**
 * `content safety check input $model=…`: a guard model judges what the user said last.
 *
 * It blocks where there is nothing to judge: no user message, or one of
 * images alone that the prompt does not hand on as `{{ user_input }}` whole.
 */
export function contentSafetyInput(flow: Flow, data: RailsConfigData): ModelRail {
  const model = modelOf(flow, data);
  const config = promptOf(flow, data);
  const parse = parserOf(flow, config, undefined);
  const prompt = compilePrompt(config, ["user_input", "reasoning_enabled"], constantsOf(data));
  return {
    flow: flow.text,
    name: flow.name,
    judge: async ({ messages, signal }, ports) => {
      const user = inputText(lastUserText(messages), prompt.keepsParts);
      const asked = prompt.render(
        { user_input: user.text, reasoning_enabled: data.config.content_safety.reasoning.enabled },
        user.parts,
      );
      const body = { messages: asked, ...settingsOf(prompt, settings) };
      const found = await judgement(ports, { rail: flow.text, model, body, parse }, signal);
      return ruled(found, categoriesReason(found, flow.name));
    },
  };
}

/** `content safety check output $model=…`: a guard model judges the answer. An empty one passes unasked. */
export function contentSafetyOutput(flow: Flow, data: RailsConfigData): ModelRail {
  const model = modelOf(flow, data);
  const config = promptOf(flow, data);
  const parse = parserOf(flow, config, undefined);
  const prompt = compilePrompt(
    config,
    ["user_input", "bot_response", "reasoning_enabled"],
    constantsOf(data),
  );
  return {
    flow: flow.text,
    name: flow.name,
    judge: async (subject, ports) => {
      const answer = answerText(subject);
      if (answer === undefined) return passed;
      const user = lastUserText(subject.messages);
      const asked = prompt.render(
        {
          user_input: user?.text ?? "",
          bot_response: answer,
          reasoning_enabled: data.config.content_safety.reasoning.enabled,
        },
        user?.parts,
      );
      const body = { messages: asked, ...settingsOf(prompt, settings) };
      const question = { rail: flow.text, model, body, parse };
      const found = await judgement(ports, question, subject.signal);
      return ruled(found, categoriesReason(found, flow.name));
    },
  };
}
