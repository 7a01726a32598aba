import type { JsonObject } from "@toolstile/core";
import { type GuardrailPlugin, readOptions, toolNameSchema } from "@toolstile/core/provider";
import { type AllowlistOptions, allowlist, allowlistOptions } from "./allowlist.js";
import { type AllowlistRules, rulesTable } from "./rules.js";

const list: JsonObject = {
  type: "array",
  items: toolNameSchema,
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
    const { name, unknownTools, ...rules } = readOptions("allowlist", options, {
      ...rulesTable,
      ...allowlistOptions,
    });
    return allowlist(rules, { name, unknownTools });
  },
};
