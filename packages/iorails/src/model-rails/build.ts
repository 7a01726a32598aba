import { didYouMean, quoted, ToolstileError } from "@toolstile/core";
import type { Flow, RailsConfigData } from "../config/model.js";
import { contentSafetyInput, contentSafetyOutput } from "./content-safety.js";
import { hallucinationWarning, selfCheckHallucination } from "./hallucination.js";
import { jailbreakDetection } from "./jailbreak.js";
import type { ModelRail } from "./rail.js";
import { selfCheckFacts, selfCheckInput, selfCheckOutput } from "./self-check.js";
import { topicSafetyInput } from "./topic-safety.js";

type Build = (flow: Flow, data: RailsConfigData) => ModelRail;

const inputRails: ReadonlyMap<string, Build> = new Map([
  ["content safety check input", contentSafetyInput],
  ["topic safety check input", topicSafetyInput],
  ["jailbreak detection model", jailbreakDetection],
  ["self check input", selfCheckInput],
]);

const outputRails: ReadonlyMap<string, Build> = new Map([
  ["content safety check output", contentSafetyOutput],
  ["self check output", selfCheckOutput],
  ["self check facts", selfCheckFacts],
  ["self check hallucination", selfCheckHallucination],
  ["hallucination warning", hallucinationWarning],
]);

/**
 * The rails that judge what the user said, in the order of their flows.
 *
 * @throws ToolstileError `ERR_CONFIG` for a flow that is no such rail, or lacks its model, prompt, parser or service.
 */
export function buildInputRails(
  flows: readonly Flow[],
  data: RailsConfigData,
): readonly ModelRail[] {
  return flows.map((flow) => build(flow, data, inputRails, "input"));
}

/**
 * The rails that judge what the model answered, in the order of their flows.
 *
 * @throws ToolstileError `ERR_CONFIG` for a flow that is no such rail, or lacks its model, prompt or parser.
 */
export function buildOutputRails(
  flows: readonly Flow[],
  data: RailsConfigData,
): readonly ModelRail[] {
  return flows.map((flow) => build(flow, data, outputRails, "output"));
}

function build(
  flow: Flow,
  data: RailsConfigData,
  rails: ReadonlyMap<string, Build>,
  direction: string,
): ModelRail {
  const rail = rails.get(flow.name);
  if (rail !== undefined) return rail(flow, data);
  throw new ToolstileError(
    "ERR_CONFIG",
    `There is no ${direction} rail ${quoted(flow.text)}.${didYouMean(flow.name, rails.keys())} There are: ${[...rails.keys()].join(", ")}.`,
  );
}
