import type { JsonObject } from "@toolstile/core";
import { isJsonObject, parseArguments } from "@toolstile/core/provider";
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { faultsOf, optionFaults } from "./expectation.js";

/** A copy of the options that fit, or what is wrong with them or with their schema. */
export type CheckedOptions =
  | { readonly options: JsonObject }
  | { readonly fault: string; readonly cause?: unknown };

/**
 * Hold options to the JSON Schema that their plugin declares: draft 2020-12,
 * or draft-07 where `$schema` says so.
 *
 * Nothing is coerced, filled in or dropped, and no remote `$ref` is fetched.
 */
export function checkPluginOptions(schema: JsonObject, given: unknown): CheckedOptions {
  const options = plainCopy(given);
  if ("fault" in options)
    return { fault: `was given options that cannot be read: ${options.fault}.` };
  let errors: readonly ErrorObject[];
  try {
    const validate = known.get(schema) ?? validatorOf(schema);
    if (typeof validate === "string") {
      return { fault: `has an optionsSchema that cannot be read: ${validate}.` };
    }
    if (validate(options.copy)) return { options: options.copy };
    errors = validate.errors ?? [];
  } catch (cause) {
    return { fault: "has an optionsSchema that is not a valid JSON Schema.", cause };
  }
  return {
    fault: `was given options that do not fit: ${faultsOf(errors)}`,
    cause: optionFaults(errors),
  };
}

/** Making a validator takes tens of milliseconds, and a file may name one plugin a thousand times. */
const known = new WeakMap<JsonObject, ValidateFunction>();

/** The number of schemas whose validators are kept for plugins that give a new object each time. */
const mostKept = 32;
const byText = new Map<string, ValidateFunction>();

/** @returns the reason why the schema cannot be read, if it cannot. */
function validatorOf(schema: JsonObject): ValidateFunction | string {
  const rules = plainCopy(schema);
  if ("fault" in rules) return rules.fault;
  const text = JSON.stringify(rules.copy);
  const validate = byText.get(text) ?? compiled(rules.copy);
  if (byText.size >= mostKept) byText.clear();
  byText.set(text, validate);
  known.set(schema, validate);
  return validate;
}

function compiled(schema: JsonObject): ValidateFunction {
  // One Ajv for each: two plugins may give their schemas the same $id.
  const ajv = usesDraft7(schema) ? new Ajv(setting) : new Ajv2020(setting);
  return ajv.compile(closed(schema));
}

/** Said in full: Ajv reads its options from an ordinary object, where a polluted prototype would answer. */
const setting: Options = {
  allErrors: true,
  strict: false,
  logger: false,
  // For what was expected, and the names that an unknown one is compared with.
  verbose: true,
  messages: false,
  ownProperties: true,
  validateFormats: false,
  validateSchema: true,
  removeAdditional: false,
  useDefaults: false,
  coerceTypes: false,
  $data: false,
  discriminator: false,
  passContext: false,
};

function usesDraft7(schema: JsonObject): boolean {
  const dialect = Object.hasOwn(schema, "$schema") ? schema["$schema"] : undefined;
  return (
    typeof dialect === "string" && /^http:\/\/json-schema\.org\/draft-07\/schema#?$/.test(dialect)
  );
}

/** Keywords by which a schema says what becomes of options that `properties` does not name. */
const sayMore = [
  "additionalProperties",
  "unevaluatedProperties",
  "patternProperties",
  "propertyNames",
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "dependentSchemas",
];

/** A misspelt option must not be silently off only because the plugin's schema forgot to close. */
function closed(schema: JsonObject): JsonObject {
  const isOpen =
    Object.hasOwn(schema, "properties") &&
    !sayMore.some((keyword) => Object.hasOwn(schema, keyword));
  return isOpen ? { ...schema, additionalProperties: false } : schema;
}

/** Plain JSON, frozen to the leaves, each property read once; bounded as a call's arguments are. */
function plainCopy(value: unknown): { readonly copy: JsonObject } | { readonly fault: string } {
  if (!isJsonObject(value)) return { fault: "they must be an object" };
  const parsed = parseArguments(value);
  return parsed.ok ? { copy: parsed.args } : { fault: parsed.reason };
}
