import type { GuardrailPlugin } from "@toolstile/core/provider";
import { type ResultLinkageOptions, resultLinkage } from "./result-linkage.js";

/** Result linkage as configuration names it. */
export const plugin: GuardrailPlugin<ResultLinkageOptions> = {
  name: "result-linkage",
  optionsSchema: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1 },
      requireNames: { type: "boolean" },
    },
    additionalProperties: false,
  },
  create: resultLinkage,
};
