import { quoted } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import { wrongConfig } from "../errors.js";
import { inputText, settingsOf } from "./guard-answer.js";
import { judgement } from "./judgement.js";
import { compilePrompt, constantsOf } from "./prompt.js";
import type { RailOfFlow } from "./rail.js";
import { modelOf, promptOf } from "./rail-parts.js";
import { lastUserText, talkBefore } from "./user-text.js";
import { ruled } from "./verdicts.js";
import { type Reading, unparseable } from "./yes-no.js";

/** The sentence that the topic control model was trained to read at the end of its instructions. Data of NVIDIA's. */
const restriction =
  'If any of the above conditions are violated, please respond with "off-topic". Otherwise, respond with "on-topic". You must respond with "on-topic" or "off-topic".';

/** The word alone, maybe quoted or with a full stop. */
const onTopic = /^["'`*“‘]{0,3}on-topic["'`*”’.!]{0,4}$/u;
const offTopic = /^["'`*“‘]{0,3}off-topic["'`*”’.!]{0,4}$/u;

/**
 * `topic safety check input $model=…`: a guard model reads what the user said last, and the talk before it.
 *
 * It reads the text of users, assistants and the system. Only the answer
 * `on-topic` passes. Any other, which upstream lets pass, blocks.
 */
export function topicSafetyInput(flow: Flow, data: RailsConfigData): RailOfFlow {
  const model = modelOf(flow, data);
  const config = promptOf(flow, data);
  if (config.content === undefined) {
    throw wrongConfig(
      `The prompt of task ${quoted(config.task)} must be one text: give it \`content\` in place of \`messages\`.`,
    );
  }
  const prompt = compilePrompt(config, [], constantsOf(data));
  return {
    judge: async ({ messages, signal }, ports) => {
      const { text } = inputText(lastUserText(messages), false);
      const instructions = String(prompt.render({})[0]?.content).trim();
      const system = instructions.endsWith(restriction)
        ? instructions
        : `${instructions}\n\n${restriction}`;
      const body = {
        messages: [
          { role: "system", content: system },
          ...talkBefore(messages),
          { role: "user", content: text },
        ],
        ...settingsOf(prompt, 0.01, null),
      };
      const question = { rail: flow.text, model, body, parse: topic };
      return ruled(await judgement(ports, question, signal), "Topic safety: off-topic");
    },
  };
}

function topic(answer: string): Reading {
  const word = answer.trim().toLowerCase();
  if (onTopic.test(word)) return { verdict: "allow" };
  return offTopic.test(word) ? { verdict: "block" } : unparseable;
}
