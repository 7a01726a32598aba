import { type RailTable, railsOf } from "./build-rail.js";
import { hfClassifier, httpClassifier, jailbreakDetection } from "./classifier-rails.js";
import { contextBloatDetection, injectionDetection, regexCheck } from "./detector-rails.js";
import { gliner } from "./gliner.js";
import { languageDetector } from "./language-rail.js";
import { sensitiveData } from "./sensitive-data.js";

/** The rails that have no prompt. */
export const plainRails: RailTable = new Map([
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
  ["regex check output", regexCheck],
  ["injection detection", injectionDetection],
  ["hf classifier check output", hfClassifier],
  ["http classifier check output", httpClassifier],
  ["gliner detect pii on output", gliner],
  ["gliner mask pii on output", gliner],
  ["detect sensitive data on output", sensitiveData],
  ["mask sensitive data on output", sensitiveData],
]);

/** Makes the rails of a configuration without prompts. */
export const buildRails = railsOf(plainRails);
