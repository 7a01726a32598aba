import { anyText, flag, mappingOf, orElse, orNull, section } from "../shape.js";

/** Content safety: what its prompts are told. */
export interface ContentSafetySection {
  /** `enabled`: the value of `reasoning_enabled` in prompts. */
  readonly reasoning: { readonly enabled: boolean };
  /** Read, and of no effect: the refusal is one sentence, in English, as on NeMo's IORails. */
  readonly multilingual: {
    readonly enabled: boolean;
    readonly refusal_messages: Readonly<Record<string, string>> | null;
  };
}

export const contentSafety = section({
  reasoning: orElse(section({ enabled: orElse(flag, false) })),
  multilingual: orElse(
    section({ enabled: orElse(flag, false), refusal_messages: orNull(mappingOf(anyText())) }),
  ),
});
