import type { GuardrailPlugin } from "@toolstile/core/provider";
import { type TextLimitOptions, textLimit } from "./text-limit.js";

/** Names `textLimit` in a guard.yaml: `use: "toolstile-provider-text-limit"`, with these options. */
export const plugin: GuardrailPlugin<TextLimitOptions> = {
  name: "text-limit",
  optionsSchema: {
    type: "object",
    properties: {
      maxCharacters: { type: "integer", minimum: 1 },
      name: { type: "string", minLength: 1 },
    },
    additionalProperties: false,
  },
  create: textLimit,
};
