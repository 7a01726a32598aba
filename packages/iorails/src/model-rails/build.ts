import { plainRails } from "./build-plain.js";
import { railsOf } from "./build-rail.js";
import { hallucinationWarning, selfCheckHallucination } from "./hallucination.js";
import { contentSafety, llamaGuard, selfCheck, selfCheckFacts } from "./prompt-rails.js";
import { topicSafetyInput } from "./topic-safety.js";

/** Makes the rails that judge what the user said, and what the model answered. */
export const buildRails = railsOf(
  new Map([
    ["content safety check input", contentSafety],
    ["topic safety check input", topicSafetyInput],
    ["self check input", selfCheck],
    ["llama guard check input", llamaGuard],
    ["content safety check output", contentSafety],
    ["self check output", selfCheck],
    ["self check facts", selfCheckFacts],
    ["self check hallucination", selfCheckHallucination],
    ["hallucination warning", hallucinationWarning],
    ["llama guard check output", llamaGuard],
    ...plainRails,
  ]),
);
