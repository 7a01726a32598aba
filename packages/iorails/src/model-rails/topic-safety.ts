import { quoted, ToolstileError } from "@toolstile/core";
import type { Flow, RailsConfigData } from "../config/model.js";
import { CannotJudge } from "./cannot-judge.js";
import { guardAnswer, inputText, settingsOf } from "./guard-answer.js";
import { compilePrompt } from "./prompt.js";
import type { ModelRail } from "./rail.js";
import { modelOf, promptOf } from "./rail-parts.js";
import { lastUserText } from "./user-text.js";
import { blocked, passed } from "./verdicts.js";

/** What the topic control model was trained to read at the end of its instructions. Data of NVIDIA's. */
const restriction =
  'If any of the above conditions are violated, please respond with "off-topic". Otherwise, respond with "on-topic". You must respond with "on-topic" or "off-topic".';

/** The word alone, maybe quoted or with a full stop. */
const onTopic = /^["'`*“‘]{0,3}on-topic["'`*”’.!]{0,4}$/u;
const offTopic = /^["'`*“‘]{0,3}off-topic["'`*”’.!]{0,4}$/u;

/**
 * `topic safety check input $model=…`: a guard model reads the whole conversation.
 *
 * Only the answer `on-topic` passes. Any other, which upstream lets pass, blocks.
 */
export function topicSafetyInput(flow: Flow, data: RailsConfigData): ModelRail {
  const model = modelOf(flow, undefined, data);
  const config = promptOf(flow, "topic_safety_check_input", data);
  if (config.content === undefined) {
    throw new ToolstileError(
      "ERR_CONFIG",
      `The prompt of task ${quoted(config.task)} must be one text: give it \`content\` in place of \`messages\`.`,
    );
  }
  const prompt = compilePrompt(config, []);
  return {
    flow: flow.text,
    name: flow.name,
    judge: async ({ messages, signal }, ports) => {
      inputText(lastUserText(messages), true);
      const instructions = String(prompt.render({})[0]?.content).trim();
      const system = instructions.endsWith(restriction)
        ? instructions
        : `${instructions}\n\n${restriction}`;
      const body = {
        messages: [{ role: "system", content: system }, ...messages],
        ...settingsOf(prompt, { temperature: 0.01, maxTokens: 10 }),
      };
      const answer = (await guardAnswer(ports, model, body, signal)).trim().toLowerCase();
      if (onTopic.test(answer)) return passed;
      if (offTopic.test(answer)) return blocked("Topic safety: off-topic");
      throw new CannotJudge("the model's answer is neither on-topic nor off-topic");
    },
  };
}
