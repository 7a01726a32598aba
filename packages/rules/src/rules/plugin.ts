import type { JsonObject } from "@toolstile/core";
import { type GuardrailPlugin, toolNameSchema } from "@toolstile/core/provider";
import { conditionSchema } from "../conditions/condition-schema.js";
import { countedBy } from "../counting/count.js";
import { addends } from "../counting/total.js";
import { leastCut } from "./cut.js";
import { idPattern } from "./read-rule.js";
import { type RulesOptions, rules } from "./rules.js";
import { transformationKinds, transformationNames } from "./transformations.js";

/** The options that data can say: all but the clock. */
export type RulesPluginOptions = Omit<RulesOptions, "now">;

const text = { type: "string", minLength: 1 };
const pointer = { type: "string", pattern: "^/", description: "a JSON Pointer into the arguments" };
const addedUp =
  "a JSON Pointer to the number in the arguments that is added up, or to the text with of: length. To limit how many calls there are, use @toolstile/rate-limit";
const condition = { $ref: "#/$defs/condition" };

const change: JsonObject = {
  type: "object",
  properties: {
    at: pointer,
    ...Object.fromEntries(
      transformationNames.map((name) => [name, transformationKinds[name].schema]),
    ),
  },
  required: ["at"],
  minProperties: 2,
  maxProperties: 2,
  additionalProperties: false,
};

const toolNames: JsonObject = {
  type: "array",
  minItems: 1,
  items: toolNameSchema,
  description: "The tools that the rule is about. Default: all.",
};

const rule: JsonObject = {
  type: "object",
  properties: {
    id: {
      type: "string",
      pattern: idPattern,
      description: "The name of the rule, and the code of its denials.",
    },
    tools: toolNames,
    when: {
      ...condition,
      description: "The rule applies if this is true, or cannot be told. Default: always.",
    },
    require: { ...condition, description: "The rule applies if this is false, or cannot be told." },
    repeats: {
      type: "integer",
      minimum: 1,
      maximum: 1_000,
      description:
        "The rule applies to the same call again after so many in a row, in one session.",
    },
    total: {
      type: "object",
      properties: {
        at: { ...pointer, description: addedUp },
        of: {
          enum: [...addends],
          description: "the number itself, or the length of a text or a list. Default: value",
        },
        above: { type: "number" },
        per: { enum: [...countedBy] },
      },
      required: ["at", "above"],
      additionalProperties: false,
      description:
        "The rule applies if, with this call, the sum of an argument over a session is above a number.",
    },
    deny: { ...text, description: "Deny the call, for this reason. The model reads it." },
    ask: { ...text, description: "Have a human approve the call, for this reason." },
    expiresInMs: {
      type: "number",
      exclusiveMinimum: 0,
      description: "With ask: how long the question is open.",
    },
    change: {
      anyOf: [change, { type: "array", minItems: 1, items: change }],
      description: "Change the arguments.",
    },
    withhold: { ...text, description: "Keep the result from the model, for this reason." },
    cut: {
      type: "integer",
      minimum: leastCut,
      description: "Cut a result whose texts have more characters than this, and say so in it.",
    },
  },
  required: ["id"],
  additionalProperties: false,
  "x-meant": { hold: "ask", approve: "ask", block: "deny", if: "when" },
};

/** The rules as configuration names them. */
export const plugin: GuardrailPlugin<RulesPluginOptions> = {
  name: "rules",
  optionsSchema: {
    $defs: { condition: conditionSchema },
    type: "object",
    properties: {
      rules: { type: "array", minItems: 1, items: rule },
      name: text,
      unknownTools: { enum: ["error", "ignore"] },
      maxKeys: { type: "integer", minimum: 1 },
    },
    required: ["rules"],
    additionalProperties: false,
  },
  create: rules,
};
