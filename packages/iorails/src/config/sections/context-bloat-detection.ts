import { number, oneOf, orElse, section, whole } from "../shape.js";

/** The limits of `context bloat detection on input`. */
export interface ContextBloatDetectionSection {
  /** Code points. */
  readonly max_chars: number;
  /** Code points; a shorter text is judged by its length alone. */
  readonly min_chars: number;
  /** Bits for each character. */
  readonly min_entropy: number;
  readonly max_repetition_ratio: number;
  /** Words. */
  readonly ngram_size: number;
  readonly max_run_ratio: number;
  readonly action: "reject" | "truncate" | "warn";
}

export const contextBloatDetection = section({
  max_chars: orElse(whole(1), 5000),
  min_chars: orElse(whole(0), 50),
  min_entropy: orElse(number(0, 8), 3.5),
  max_repetition_ratio: orElse(number(0, 1), 0.4),
  ngram_size: orElse(whole(1), 3),
  max_run_ratio: orElse(number(0, 1), 0.1),
  action: orElse(oneOf("reject", "truncate", "warn"), "reject"),
});
