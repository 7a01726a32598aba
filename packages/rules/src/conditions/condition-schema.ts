import type { JsonObject } from "@toolstile/core";
import { meantBounds } from "../checks/comparisons.js";
import { checkKinds, checkNames } from "../checks/kinds.js";
import { timeSchema } from "./time-window.js";

const pointer = { type: "string", pattern: "^(?:/.*)?$" };
const condition = { $ref: "#/$defs/condition" };
const conditions = { type: "array", minItems: 1, items: condition };

/** The JSON Schema of a condition, for `$defs`. Which keys go together is checked when rules are read. */
export const conditionSchema: JsonObject = {
  type: "object",
  minProperties: 1,
  additionalProperties: false,
  "x-meant": { ...meantBounds, in: "oneOf" },
  properties: {
    at: {
      ...pointer,
      description:
        "Where to look in the arguments, as a JSON Pointer: /to. In /to/*, the * stands for each entry.",
    },
    host: {
      ...pointer,
      description:
        "Where to look in the facts of the host: /agentName, /principal, /attributes/role.",
    },
    result: {
      ...pointer,
      description: "Where to look in the result: /text, /isError, /content, /structured.",
    },
    optional: {
      type: "boolean",
      description:
        "true: the rule does not apply where there is no value. Default false: it applies.",
    },
    present: { type: "boolean", description: "There is a value there, or there is none." },
    ...Object.fromEntries(checkNames.map((name) => [name, checkKinds[name].schema])),
    all: { ...conditions, description: "All of these are true." },
    any: { ...conditions, description: "At least one of these is true." },
    not: { ...condition, description: "This is false." },
    time: timeSchema,
    cel: {
      type: "string",
      minLength: 1,
      description: "This expression in CEL is true. It may name args, tool, host and result.",
    },
  },
};
