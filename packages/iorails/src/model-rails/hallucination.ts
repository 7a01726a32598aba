import type { Flow, RailsConfigData } from "../config/model.js";
import { answerText, guardAnswer } from "./guard-answer.js";
import type { ModelRail, RailPorts, RailSubject } from "./rail.js";
import { modelOf } from "./rail-parts.js";
import { selfCheck } from "./self-check.js";
import { blocked, passed } from "./verdicts.js";

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
export function selfCheckHallucination(flow: Flow, data: RailsConfigData): ModelRail {
  const agrees = agreement(flow, data);
  return {
    flow: flow.text,
    name: flow.name,
    judge: async (subject, ports) => {
      const answer = answerText(subject);
      if (answer === undefined || (await agrees(answer, subject, ports))) return passed;
      return blocked(disagreement);
    },
  };
}

/** `hallucination warning`: as `self check hallucination`, but an answer that does not agree gets a warning at its end in place of a block. */
export function hallucinationWarning(flow: Flow, data: RailsConfigData): ModelRail {
  const agrees = agreement(flow, data);
  return {
    flow: flow.text,
    name: flow.name,
    judge: async (subject, ports) => {
      const answer = answerText(subject);
      if (answer === undefined || (await agrees(answer, subject, ports))) return passed;
      return { status: "modified", text: `${answer}\n\n${warning}`, reason: disagreement };
    },
  };
}

const disagreement = "Self check: further answers do not agree";

function agreement(flow: Flow, data: RailsConfigData) {
  const main = modelOf({ ...flow, model: "main" }, undefined, data);
  const names = ["paragraph", "statement"];
  const check = selfCheck(flow, data, "self_check_hallucination", "yes_allows", names);
  return async (
    statement: string,
    { messages, signal }: RailSubject,
    ports: RailPorts,
  ): Promise<boolean> => {
    const body = { messages, temperature: 1 };
    const again = Array.from({ length: samples }, () => guardAnswer(ports, main, body, signal));
    // None is left running when another fails.
    await Promise.allSettled(again);
    const paragraph = (await Promise.all(again)).join(". ");
    return (await check.ask(ports, { paragraph, statement }, signal)) === "allow";
  };
}
