import type { Shape } from "../shape.js";
import { type CelSection, cel } from "./cel.js";
import { type ContentSafetySection, contentSafety } from "./content-safety.js";
import {
  type ContextBloatDetectionSection,
  contextBloatDetection,
} from "./context-bloat-detection.js";
import { type GlinerSection, gliner } from "./gliner.js";
import { type HfClassifierSection, hfClassifier } from "./hf-classifier.js";
import { type HttpClassifierSection, httpClassifier } from "./http-classifier.js";
import { type InjectionDetectionSection, injectionDetection } from "./injection-detection.js";
import { type JailbreakDetectionSection, jailbreakDetection } from "./jailbreak-detection.js";
import { type LanguageDetectorSection, languageDetector } from "./language-detector.js";
import { type RegexDetectionSection, regexDetection } from "./regex-detection.js";
import {
  type SensitiveDataDetectionSection,
  sensitiveDataDetection,
} from "./sensitive-data-detection.js";

/** The content of `rails.config`: each section under its own keys, with every default filled in. */
export interface ConfigSections {
  readonly cel: CelSection;
  readonly content_safety: ContentSafetySection;
  readonly context_bloat_detection: ContextBloatDetectionSection;
  readonly gliner: GlinerSection;
  readonly hf_classifier: HfClassifierSection;
  readonly http_classifier: HttpClassifierSection;
  readonly injection_detection: InjectionDetectionSection;
  readonly jailbreak_detection: JailbreakDetectionSection;
  readonly language_detector: LanguageDetectorSection;
  readonly regex_detection: RegexDetectionSection;
  readonly sensitive_data_detection: SensitiveDataDetectionSection;
}

type Table = { readonly [Key in keyof ConfigSections]: Shape<ConfigSections[Key]> };

/** The sections of `rails.config` that this engine reads, by their keys. */
export const configSections: Table = {
  cel,
  content_safety: contentSafety,
  context_bloat_detection: contextBloatDetection,
  gliner,
  hf_classifier: hfClassifier,
  http_classifier: httpClassifier,
  injection_detection: injectionDetection,
  jailbreak_detection: jailbreakDetection,
  language_detector: languageDetector,
  regex_detection: regexDetection,
  sensitive_data_detection: sensitiveDataDetection,
};

/**
 * Sections of services and libraries that this engine does not use. They may
 * stand in a configuration, and are not read; a flow that needs one is refused.
 */
export const otherSections: readonly string[] = [
  "ai_defense",
  "autoalign",
  "clavata",
  "crowdstrike_aidr",
  "f5",
  "fact_checking",
  "fiddler",
  "guardrails_ai",
  "pangea",
  "patronus",
  "policyai",
  "polygraf",
  "privateai",
  "prompt_security",
  "trend_micro",
  "zscaler_aiguard",
];
