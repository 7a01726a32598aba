import { isJsonObject, quoted } from "@toolstile/core/provider";
import type { Plain, PlainObject } from "../document/plain-copy.js";
import { type Dialect, dialectOf } from "../drafts/dialects.js";
import { noType, typeNames } from "../drafts/type-names.js";

/** A keyword of some subschema, or with no keyword the subschema itself. */
export interface Place {
  readonly pointer: string;
  readonly keyword?: string | undefined;
  readonly value: Plain | undefined;
  /** The schema that holds the keyword. */
  readonly schema?: PlainObject | undefined;
  /** The property whose schema this is. */
  readonly property?: string | undefined;
}

type Explain = (place: Place, dialect: Dialect) => string | undefined;

const listOfSchemas: Explain = ({ keyword, value }) =>
  Array.isArray(value)
    ? `${keyword} must hold at least one schema. Leave it out where there is none.`
    : `${keyword} must be a list of schemas, not ${kind(value)}.`;

const schemasByName: Explain = ({ keyword, value }) =>
  isJsonObject(value)
    ? undefined
    : `${keyword} must be an object that holds a schema for each name, not ${kind(value)}.`;

const oneSchema = (place: Place) =>
  `${place.keyword} must be a schema or a boolean, not ${kind(place.value)}.${unquoted(place, flagText)}`;

const text: Explain = ({ keyword, value }) =>
  typeof value === "string" ? undefined : `${keyword} must be text, not ${kind(value)}.`;

const reference: Explain = ({ keyword, value }) =>
  typeof value === "string"
    ? undefined
    : `${keyword} must be text such as '#/$defs/name', not ${kind(value)}.`;

const flag = (place: Place) =>
  `${place.keyword} must be true or false, not ${kind(place.value)}.${unquoted(place, flagText)}`;

const number = (place: Place) =>
  `${place.keyword} must be a number, not ${kind(place.value)}.${unquoted(place, numberText)}`;

const count = (place: Place) =>
  typeof place.value === "number"
    ? `${place.keyword} must be a whole number from 0 up.`
    : `${place.keyword} must be a whole number, not ${kind(place.value)}.${unquoted(place, numberText)}`;

/** Explains what is wrong with the value of a keyword, given that something is. */
export const explanations: ReadonlyMap<string, Explain> = new Map<string, Explain>([
  ["type", type],
  ["required", required],
  ["enum", allowed],
  ["items", items],
  ["exclusiveMinimum", exclusive],
  ["exclusiveMaximum", exclusive],
  ["multipleOf", multiple],
  ...each("allOf anyOf oneOf prefixItems", listOfSchemas),
  ...each("properties patternProperties dependencies dependentSchemas", schemasByName),
  ...each("$defs definitions", schemasByName),
  ...each("additionalProperties unevaluatedProperties additionalItems", oneSchema),
  ...each("unevaluatedItems contains propertyNames not if then else contentSchema", oneSchema),
  ...each("$ref $dynamicRef $recursiveRef", reference),
  ...each("pattern format title description $comment $id id $schema $anchor", text),
  ...each("uniqueItems deprecated readOnly writeOnly", flag),
  ...each("minimum maximum", number),
  ...each("minLength maxLength minItems maxItems minProperties maxProperties", count),
  ...each("minContains maxContains", count),
]);

function each(keywords: string, explain: Explain): (readonly [string, Explain])[] {
  return keywords.split(" ").map((keyword) => [keyword, explain] as const);
}

function type({ value }: Place): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "type lists no types. Leave it out where any will do.";
    const wrong = value.find((item) => typeof item !== "string" || !typeNames.includes(item));
    if (wrong === undefined) return "type lists a type twice.";
    return typeof wrong === "string" ? noType(wrong) : `type must list names, not ${kind(wrong)}.`;
  }
  if (typeof value === "string") return noType(value);
  return `type must be the name of a type or a list of names, not ${kind(value)}.`;
}

function required({ value, property }: Place): string {
  if (typeof value === "boolean" && property !== undefined) {
    const way = value
      ? `Name the property beside properties: required: [${quoted(property)}].`
      : "Leave it out: a property that is not named in required is optional.";
    return `required must be a list of property names, not a boolean in the property, as draft-03 had it. ${way}`;
  }
  if (!Array.isArray(value)) {
    const way = typeof value === "string" ? ` Write required: [${quoted(value)}].` : "";
    return `required must be a list of property names, not ${kind(value)}.${way}`;
  }
  if (value.length === 0) return "required must not be empty in draft-04. Leave it out.";
  const wrong = value.find((item) => typeof item !== "string");
  return wrong === undefined
    ? "required names a property twice."
    : `required must list property names, not ${kind(wrong)}.`;
}

function allowed({ value }: Place): string {
  if (!Array.isArray(value)) {
    const way = typeof value === "string" ? ` Write enum: [${quoted(value)}].` : "";
    return `enum must be a list of the values that are allowed, not ${kind(value)}.${way}`;
  }
  return value.length === 0 ? "enum must list at least one value." : "enum lists a value twice.";
}

function items(place: Place, dialect: Dialect): string | undefined {
  if (!Array.isArray(place.value)) return oneSchema(place);
  if (dialect.draft !== "2020-12") return listOfSchemas(place, dialect);
  return "items must be one schema for all items. A list of schemas is named prefixItems since 2020-12; for an older draft name it in $schema.";
}

function exclusive(place: Place, dialect: Dialect): string {
  const { keyword, value, schema } = place;
  const bound = keyword === "exclusiveMinimum" ? "minimum" : "maximum";
  if (dialect.draft === "draft-04") {
    return typeof value === "number"
      ? `${keyword} is a boolean beside ${bound} in draft-04. Write ${bound}: ${value}, ${keyword}: true.`
      : flag(place);
  }
  if (typeof value !== "boolean") return number(place);
  const given = schema?.[bound];
  const way =
    value === false
      ? "Leave it out"
      : `Write ${keyword}: ${typeof given === "number" ? given : "the bound"} in place of ${bound}`;
  return `${keyword} must be a number; a boolean is draft-04's. ${way}, or name '${dialectOf("draft-04").uri}#' in $schema.`;
}

function multiple(place: Place): string {
  return typeof place.value === "number" ? "multipleOf must be more than 0." : number(place);
}

const flagText = /^(?:true|false)$/u;
const numberText = /^-?\d{1,15}$/u;

function unquoted({ keyword, value }: Place, right: RegExp): string {
  const isBare = typeof value === "string" && right.test(value);
  return isBare ? ` Write ${keyword}: ${value}, without quotes.` : "";
}

/** The kind of a value, without the value. */
export function kind(value: Plain | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
