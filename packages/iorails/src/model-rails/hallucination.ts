import type { Flow, RailsConfigData } from "../config/model.js";
import { answerText, guardAnswer } from "./guard-answer.js";
import { promptQuestion } from "./prompt-question.js";
import type { RailOfFlow, RailPorts, RailSubject } from "./rail.js";
import { modelOf } from "./rail-parts.js";
import type { Judgement } from "./verdict-cache.js";
import { passed, ruled } from "./verdicts.js";

/** Further answers of the main model that the one given is compared to. */
const samples = 2;

const warning =
  "Note: asked again, the model did not confirm this answer. Please check it against another source.";

/**
 * `self check hallucination`: the main model answers twice more, and a model is asked whether its first answer agrees.
 *
 * The further answers are made at temperature 1, all else as the model is
 * configured. Where one of them has no text, or asks for tools, there is
 * nothing to compare with and the rail blocks. An empty answer passes unasked.
 */
export function selfCheckHallucination(flow: Flow, data: RailsConfigData): RailOfFlow {
  const agrees = agreement(flow, data);
  return {
    readsWhole: true,
    judge: async (subject, ports) => {
      const answer = answerText(subject);
      if (answer === undefined) return passed;
      return ruled(await agrees(answer, subject, ports), disagreement);
    },
  };
}

/** `hallucination warning`: as `self check hallucination`, but an answer that does not agree gets a warning at its end in place of a block. */
export function hallucinationWarning(flow: Flow, data: RailsConfigData): RailOfFlow {
  const agrees = agreement(flow, data);
  return {
    rewrites: true,
    readsWhole: true,
    judge: async (subject, ports) => {
      const answer = answerText(subject);
      if (answer === undefined) return passed;
      const { verdict, metadata } = await agrees(answer, subject, ports);
      if (verdict === "allow") return { status: "passed", metadata };
      const text = `${answer}\n\n${warning}`;
      return { status: "modified", text, reason: disagreement, metadata };
    },
  };
}

const disagreement = "Self check: further answers do not agree";

function agreement(flow: Flow, data: RailsConfigData) {
  const main = modelOf(flow, data, ["main"]);
  const check = promptQuestion(flow, data, {
    variables: ["paragraph", "statement"],
    temperature: data.lowestTemperature,
    parser: "yes_allows",
  });
  return async (
    statement: string,
    { messages, signal }: RailSubject,
    ports: RailPorts,
  ): Promise<Judgement> => {
    const body = { messages, temperature: 1 };
    const again = Array.from({ length: samples }, () => guardAnswer(ports, main, body, signal));
    // None is left running when another fails.
    await Promise.allSettled(again);
    const paragraph = (await Promise.all(again)).join(". ");
    return check.ask(ports, { paragraph, statement }, signal);
  };
}
