import type { JsonObject } from "../protocol/guardrail.js";
import type { JsonSchemaArguments, ObjectOrJson } from "./json-schema-arguments.js";
import type { Normalised, StandardSchema } from "./standard-schema.js";
import type { Tool } from "./tool.js";

/**
 * The type of a tool's arguments, as far as the tool says it: from its Standard Schema, from
 * a JSON Schema that is written out, or from its function. Otherwise `JsonObject`.
 */
export type ToolArguments<Declared> = Declared extends { readonly parameters: infer Schema }
  ? Schema extends StandardSchema
    ? ObjectOrJson<Normalised<Schema>>
    : JsonSchemaArguments<Schema>
  : Declared extends Tool<infer Args>
    ? ObjectOrJson<Args>
    : JsonObject;
