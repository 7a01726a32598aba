import { plainInputRails, plainOutputRails } from "./build-plain.js";
import { type RailTable, railsOf } from "./build-rail.js";
import { contentSafetyInput, contentSafetyOutput } from "./content-safety.js";
import { hallucinationWarning, selfCheckHallucination } from "./hallucination.js";
import { llamaGuard } from "./llama-guard.js";
import { selfCheckFacts, selfCheckInput, selfCheckOutput } from "./self-check.js";
import { topicSafetyInput } from "./topic-safety.js";

const inputRails: RailTable = new Map([
  ["content safety check input", contentSafetyInput],
  ["topic safety check input", topicSafetyInput],
  ["self check input", selfCheckInput],
  ["llama guard check input", llamaGuard],
  ...plainInputRails,
]);

const outputRails: RailTable = new Map([
  ["content safety check output", contentSafetyOutput],
  ["self check output", selfCheckOutput],
  ["self check facts", selfCheckFacts],
  ["self check hallucination", selfCheckHallucination],
  ["hallucination warning", hallucinationWarning],
  ["llama guard check output", llamaGuard],
  ...plainOutputRails,
]);

/** The rails that judge what the user said. */
export const buildInputRails = railsOf("input", inputRails);
/** The rails that judge what the model answered. */
export const buildOutputRails = railsOf("output", outputRails);
