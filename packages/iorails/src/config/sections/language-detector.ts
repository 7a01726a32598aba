import {
  anyText,
  checked,
  flag,
  listOf,
  mappingOf,
  orElse,
  orNull,
  section,
  text,
  whole,
} from "../shape.js";

/** The languages of `language detector check input`. */
export interface LanguageDetectorSection {
  /** Codes of languages. */
  readonly allowed_languages: readonly string[] | null;
  readonly blocked_languages: readonly string[] | null;
  readonly fail_open: boolean;
  readonly num_characters_for_prediction: number | null;
  /** By the code of the language. */
  readonly refusal_messages: Readonly<Record<string, string>> | null;
}

export const languageDetector = checked(
  section({
    allowed_languages: orNull(listOf(text)),
    blocked_languages: orNull(listOf(text)),
    fail_open: orElse(flag, false),
    num_characters_for_prediction: orNull(whole(1)),
    refusal_messages: orNull(mappingOf(anyText())),
  }),
  ({ allowed_languages, blocked_languages }, report) => {
    if (allowed_languages !== null && blocked_languages !== null) {
      report([], "must have one of allowed_languages and blocked_languages, and not both");
    }
  },
);
