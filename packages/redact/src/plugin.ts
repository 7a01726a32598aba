import type { GuardrailPlugin, JsonObject } from "@toolstile/core";
import { type RedactOptions, redact } from "./guard.js";
import { kindNames } from "./kinds/kinds.js";
import { redactActions } from "./redactor/actions.js";

/** Tokens need a store, which is code. */
const actions: JsonObject = { enum: redactActions.filter((action) => action !== "token") };
const names = ["secret", "personal", ...kindNames];
const onFound: JsonObject = { enum: ["allow", "mask", "deny"] };

/** The redactor as configuration names it. */
export const plugin: GuardrailPlugin<RedactOptions> = {
  name: "redact",
  optionsSchema: {
    type: "object",
    properties: {
      arguments: onFound,
      results: onFound,
      kinds: { type: "array", items: { enum: names }, minItems: 1 },
      action: {
        anyOf: [
          actions,
          { type: "object", propertyNames: { enum: names }, additionalProperties: actions },
        ],
      },
      paths: {
        type: "object",
        propertyNames: { pattern: "^(?:/[^/]*)+$" },
        additionalProperties: { anyOf: [{ const: "keep" }, actions] },
      },
      allow: { type: "array", items: { type: "string" } },
      key: { type: "string", minLength: 16 },
      encoded: { type: "boolean" },
      name: { type: "string", minLength: 1 },
    },
    additionalProperties: false,
  },
  create: (options) => redact(options),
};
