import type { JsonObject } from "@toolstile/core";
import { anyText, listOf, mapping, number, orElse, section, text } from "../shape.js";

/** The entities that are looked for in one direction. */
export interface SensitiveDataOptions {
  readonly entities: readonly string[];
  readonly mask_token: string;
  readonly score_threshold: number;
}

/** The entities of the rails on sensitive data. */
export interface SensitiveDataDetectionSection {
  /** Recognisers in Presidio's form without code. */
  readonly recognizers: readonly JsonObject[];
  readonly input: SensitiveDataOptions;
  readonly output: SensitiveDataOptions;
  /** Read, and of no effect: this engine has no retrieval. */
  readonly retrieval: SensitiveDataOptions;
}

const options = section({
  entities: orElse(listOf(text), []),
  mask_token: orElse(anyText(), "*"),
  score_threshold: orElse(number(0, 1), 0.2),
});

export const sensitiveDataDetection = section({
  recognizers: orElse(listOf(mapping), []),
  input: orElse(options),
  output: orElse(options),
  retrieval: orElse(options),
});
