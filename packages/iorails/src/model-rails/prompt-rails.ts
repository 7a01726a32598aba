import type { Flow, RailsConfigData } from "../config/model.js";
import { answerText, inputText } from "./guard-answer.js";
import { promptQuestion, type QuestionSettings } from "./prompt-question.js";
import type { Direction, RailOfFlow, RailSubject } from "./rail.js";
import type { TemplateVariables } from "./template.js";
import { lastUserText } from "./user-text.js";
import type { Judgement } from "./verdict-cache.js";
import { categoriesReason, passed, ruled } from "./verdicts.js";
import { type Reading, unparseable } from "./yes-no.js";

/** A rail that asks a model with a prompt. Each prompt has `user_input` and, of an answer, `bot_response`. */
interface PromptRail extends QuestionSettings {
  /** The values of its further variables; undefined where there is nothing to ask. */
  readonly values?: (subject: RailSubject) => TemplateVariables | undefined;
  readonly reason: (found: Judgement) => string;
}

/**
 * Judges what the user said last, or the answer.
 *
 * An input rail blocks where there is nothing to judge: no user message, or one of images alone that
 * the prompt does not hand on as `{{ user_input }}` whole. An empty answer passes unasked.
 */
function promptRail(
  flow: Flow,
  data: RailsConfigData,
  direction: Direction,
  { variables, values = () => ({}), reason, ...settings }: PromptRail,
): RailOfFlow {
  const said = direction === "input" ? ["user_input"] : ["user_input", "bot_response"];
  const question = promptQuestion(flow, data, {
    ...settings,
    variables: [...said, ...variables],
  });
  return {
    // The thinking is there when the answer is.
    readsWhole: question.prompt.reads("bot_thinking"),
    judge: async (subject, ports) => {
      const answer = answerText(subject);
      const more = values(subject);
      if ((direction === "output" && answer === undefined) || more === undefined) return passed;
      const last = lastUserText(subject.messages);
      const user = direction === "input" ? inputText(last, question.prompt.keepsParts) : last;
      const all = { user_input: user?.text ?? "", bot_response: answer ?? "", ...more };
      const found = await question.ask(ports, all, subject.signal, user?.parts);
      return ruled(found, reason(found));
    },
  };
}

/** NIM takes no zero, and this is as near as upstream goes. */
const coldest = 1e-20;

/** `content safety check input $model=…` and `… output …`: a guard model judges. */
export function contentSafety(flow: Flow, data: RailsConfigData, direction: Direction): RailOfFlow {
  const { enabled } = data.config.content_safety.reasoning;
  return promptRail(flow, data, direction, {
    variables: ["reasoning_enabled"],
    temperature: coldest,
    values: () => ({ reasoning_enabled: enabled }),
    reason: (found) => categoriesReason(found, flow.name),
  });
}

/**
 * `llama guard check input` and `llama guard check output`: the model of type `llama_guard` judges.
 *
 * Its answer is `safe`, or `unsafe` and then categories. NeMo takes any answer
 * that begins with "safe" for the former.
 */
export function llamaGuard(flow: Flow, data: RailsConfigData, direction: Direction): RailOfFlow {
  return promptRail(flow, data, direction, {
    variables: [],
    temperature: coldest,
    parser: llamaVerdict,
    reason: (found) => categoriesReason(found, flow.name),
  });
}

/** The words of the answer, the first of which is the verdict. */
function llamaVerdict(answer: string): Reading {
  const [first = "", ...others] = answer.trim().split(/[\s,]+/);
  if (first.toLowerCase() === "unsafe") return { verdict: "block", categories: others };
  return first.toLowerCase() === "safe" && others.length === 0 ? { verdict: "allow" } : unparseable;
}

/** `self check input` and `self check output`: a model is asked whether it should be blocked. An empty text of the user is asked about like any other. */
export function selfCheck(flow: Flow, data: RailsConfigData, direction: Direction): RailOfFlow {
  return promptRail(flow, data, direction, {
    variables: direction === "input" ? [] : ["bot_thinking"],
    temperature: data.lowestTemperature,
    parser: "yes_blocks",
    values: ({ botThinking = "" }) => ({ bot_thinking: botThinking }),
    reason: () => flow.name,
  });
}

/**
 * `self check facts`: a model is asked whether the evidence entails the answer.
 *
 * It runs only where the request brings evidence: without any it passes
 * unasked. `evidence` is the chunks, a line each.
 */
export function selfCheckFacts(
  flow: Flow,
  data: RailsConfigData,
  direction: Direction,
): RailOfFlow {
  const rail = promptRail(flow, data, direction, {
    variables: ["evidence"],
    temperature: data.lowestTemperature,
    parser: "yes_allows",
    values: ({ evidence = [] }) =>
      evidence.length === 0 ? undefined : { evidence: evidence.join("\n") },
    reason: () => "Self check: the evidence does not say so",
  });
  return { ...rail, readsWhole: true };
}
