import type { Flow, RailsConfigData } from "../config/model.js";
import { answerText, inputText, roomForThought, settingsOf } from "./guard-answer.js";
import { judgement } from "./judgement.js";
import { compilePrompt, constantsOf } from "./prompt.js";
import type { ModelRail } from "./rail.js";
import { modelOf, parserOf, promptOf } from "./rail-parts.js";
import { lastUserText } from "./user-text.js";
import { categoriesReason, passed, ruled } from "./verdicts.js";
import { type Reading, unparseable } from "./yes-no.js";

const settings = { temperature: 1e-20, maxTokens: roomForThought };

/**
 * `llama guard check input` and `llama guard check output`: the model of type `llama_guard` judges.
 *
 * Its answer is `safe`, or `unsafe` and then categories. NeMo takes any answer
 * that begins with "safe" for the former.
 */
export function llamaGuard(
  flow: Flow,
  data: RailsConfigData,
  direction: "input" | "output",
): ModelRail {
  const model = modelOf(flow, data);
  const config = promptOf(flow, data);
  const parse = config.outputParser === undefined ? verdictOf : parserOf(flow, config, undefined);
  const answer = direction === "output" ? ["bot_response"] : [];
  const prompt = compilePrompt(config, ["user_input", ...answer], constantsOf(data));
  return {
    flow: flow.text,
    name: flow.name,
    judge: async (subject, ports) => {
      const { messages, signal } = subject;
      const said = answerText(subject);
      if (direction === "output" && said === undefined) return passed;
      const last = lastUserText(messages);
      const user = direction === "input" ? inputText(last, prompt.keepsParts) : last;
      const values = { user_input: user?.text ?? "", bot_response: said ?? "" };
      const asked = prompt.render(values, user?.parts);
      const body = { messages: asked, ...settingsOf(prompt, settings) };
      const found = await judgement(ports, { rail: flow.text, model, body, parse }, signal);
      return ruled(found, categoriesReason(found, flow.name));
    },
  };
}

/** The words of the answer, the first of which is the verdict. */
function verdictOf(answer: string): Reading {
  const words = answer
    .trim()
    .toLowerCase()
    .split(/[\s,]+/);
  if (words.length === 1 && words[0] === "safe") return { verdict: "allow" };
  if (words[0] !== "unsafe") return unparseable;
  return {
    verdict: "block",
    categories: answer
      .trim()
      .split(/[\s,]+/)
      .slice(1),
  };
}
