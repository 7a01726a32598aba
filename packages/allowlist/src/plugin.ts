import type { GuardrailPlugin, JsonObject } from "@toolstile/core";
import { type AllowlistOptions, allowlist } from "./allowlist.js";
import { readMembers } from "./plain-object.js";
import type { AllowlistRules } from "./rules.js";

const list: JsonObject = {
  type: "array",
  items: {
    anyOf: [
      { type: "string", minLength: 1, pattern: "^[^*?]*$" },
      {
        type: "object",
        properties: { pattern: { type: "string", minLength: 1, maxLength: 256 } },
        required: ["pattern"],
        additionalProperties: false,
      },
    ],
  },
};
const toolRules: JsonObject = {
  type: "object",
  properties: { allow: list, deny: list },
  minProperties: 1,
  additionalProperties: false,
};
const byName: JsonObject = {
  type: "object",
  propertyNames: { minLength: 1 },
  additionalProperties: toolRules,
};

/** The allowlist as configuration names it: rules and options in one object. */
export const plugin: GuardrailPlugin<AllowlistRules & AllowlistOptions> = {
  name: "allowlist",
  optionsSchema: {
    type: "object",
    properties: {
      allow: list,
      deny: list,
      agents: byName,
      principals: byName,
      name: { type: "string", minLength: 1 },
      unknownTools: { enum: ["error", "ignore"] },
    },
    additionalProperties: false,
  },
  create(options) {
    const { name, unknownTools, ...rules } = readMembers("allowlist", options, [
      "allow",
      "deny",
      "agents",
      "principals",
      "name",
      "unknownTools",
    ]) as AllowlistRules & AllowlistOptions;
    return allowlist(rules, { name, unknownTools });
  },
};
