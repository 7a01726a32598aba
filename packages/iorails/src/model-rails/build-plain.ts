import { type RailTable, railsOf } from "./build-rail.js";
import { hfClassifier, httpClassifier, jailbreakDetection } from "./classifier-rails.js";
import { contextBloatDetection, injectionDetection, regexCheck } from "./detector-rails.js";
import { gliner } from "./gliner.js";
import { languageDetector } from "./language-rail.js";
import { sensitiveData } from "./sensitive-data.js";

/** The input rails that have no prompt. */
export const plainInputRails: RailTable = new Map([
  ["jailbreak detection model", jailbreakDetection],
  ["regex check input", regexCheck],
  ["context bloat detection on input", contextBloatDetection],
  ["language detector check input", languageDetector],
  ["hf classifier check input", hfClassifier],
  ["http classifier check input", httpClassifier],
  ["gliner detect pii on input", gliner],
  ["gliner mask pii on input", gliner],
  ["detect sensitive data on input", sensitiveData],
  ["mask sensitive data on input", sensitiveData],
]);

/** The output rails that have no prompt. */
export const plainOutputRails: RailTable = new Map([
  ["regex check output", regexCheck],
  ["injection detection", injectionDetection],
  ["hf classifier check output", hfClassifier],
  ["http classifier check output", httpClassifier],
  ["gliner detect pii on output", gliner],
  ["gliner mask pii on output", gliner],
  ["detect sensitive data on output", sensitiveData],
  ["mask sensitive data on output", sensitiveData],
]);

/** The rails that judge what the user said, of a configuration without prompts. */
export const buildInputRails = railsOf("input", plainInputRails);
/** The rails that judge what the model answered, of a configuration without prompts. */
export const buildOutputRails = railsOf("output", plainOutputRails);
