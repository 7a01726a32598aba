import { expect, it } from "vitest";
import { refusal } from "./refusal.js";

const draft04 = { $schema: "http://json-schema.org/draft-04/schema#" };

it.each([
  [{ type: "strng" }, "/type", "'strng' is no type. Did you mean 'string'?"],
  [{ type: "dict" }, "/type", "'dict' is no type. Did you mean 'object'?"],
  [{ type: "Integer" }, "/type", "'Integer' is no type. Did you mean 'integer'?"],
  [{ type: "any" }, "/type", "'any' is no type. Leave type out where any value will do."],
  [
    { type: "zzzzzz" },
    "/type",
    "The types are string, number, integer, boolean, object, array, null.",
  ],
  [{ type: ["string", "nul"] }, "/type", "'nul' is no type. Did you mean 'null'?"],
  [{ type: ["string", "string"] }, "/type", "type lists a type twice."],
  [{ type: [] }, "/type", "type lists no types. Leave it out where any will do."],
  [{ type: null }, "/type", "type must be the name of a type or a list of names, not null."],
  [
    { properties: { q: { type: "string", required: true } } },
    "/properties/q/required",
    "required must be a list of property names, not a boolean in the property, as draft-03 had it. Name the property beside properties: required: ['q'].",
  ],
  [
    { properties: { q: { required: false } } },
    "/properties/q/required",
    "Leave it out: a property that is not named in required is optional.",
  ],
  [{ required: "q" }, "/required", "not text. Write required: ['q']."],
  [{ required: true }, "/required", "required must be a list of property names, not a boolean."],
  [{ required: [{ q: 1 }] }, "/required", "required must list property names, not an object."],
  [{ required: ["q", "q"] }, "/required", "required names a property twice."],
  [
    { properties: [{ name: "q" }] },
    "/properties",
    "properties must be an object that holds a schema for each name, not a list.",
  ],
  [
    { properties: { q: "string" } },
    "/properties/q",
    `'string' is no schema, which is an object or a boolean. Was { type: "string" } meant?`,
  ],
  [{ properties: { type: "object" } }, "/properties/type", "'object' is no schema"],
  [{ properties: { q: ["a"] } }, "/properties/q", "a list is no schema"],
  [{ anyOf: [{}, "null"] }, "/anyOf/1", "'null' is no schema"],
  [{ anyOf: { type: "string" } }, "/anyOf", "anyOf must be a list of schemas, not an object."],
  [
    { allOf: [] },
    "/allOf",
    "allOf must hold at least one schema. Leave it out where there is none.",
  ],
  [
    { enum: "a" },
    "/enum",
    "enum must be a list of the values that are allowed, not text. Write enum: ['a'].",
  ],
  [
    { enum: { a: 1 } },
    "/enum",
    "enum must be a list of the values that are allowed, not an object.",
  ],
  [
    { items: [{ type: "string" }] },
    "/items",
    "A list of schemas is named prefixItems since 2020-12; for an older draft name it in $schema.",
  ],
  [{ items: "string" }, "/items", "items must be a schema or a boolean, not text."],
  [
    { minimum: "0" },
    "/minimum",
    "minimum must be a number, not text. Write minimum: 0, without quotes.",
  ],
  [{ maximum: "lots" }, "/maximum", "maximum must be a number, not text."],
  [{ maxLength: "10" }, "/maxLength", "not text. Write maxLength: 10, without quotes."],
  [{ minItems: -1 }, "/minItems", "minItems must be a whole number from 0 up."],
  [{ multipleOf: 0 }, "/multipleOf", "multipleOf must be more than 0."],
  [{ uniqueItems: "true" }, "/uniqueItems", "Write uniqueItems: true, without quotes."],
  [
    { additionalProperties: "false" },
    "/additionalProperties",
    "additionalProperties must be a schema or a boolean, not text. Write additionalProperties: false, without quotes.",
  ],
  [{ $ref: 5 }, "/$ref", "$ref must be text such as '#/$defs/name', not a number."],
  [
    { $ref: { type: "string" } },
    "/$ref",
    "$ref must be text such as '#/$defs/name', not an object.",
  ],
  [{ pattern: 5 }, "/pattern", "pattern must be text, not a number."],
  [{ description: ["d"] }, "/description", "description must be text, not a list."],
  [
    { minimum: 3, exclusiveMinimum: true },
    "/exclusiveMinimum",
    "a boolean is draft-04's. Write exclusiveMinimum: 3 in place of minimum, or name 'http://json-schema.org/draft-04/schema#' in $schema.",
  ],
  [{ exclusiveMaximum: false }, "/exclusiveMaximum", "a boolean is draft-04's. Leave it out, or"],
  [
    { ...draft04, exclusiveMinimum: 3 },
    "/exclusiveMinimum",
    "exclusiveMinimum is a boolean beside minimum in draft-04. Write minimum: 3, exclusiveMinimum: true.",
  ],
  [
    { ...draft04, required: [] },
    "/required",
    "required must not be empty in draft-04. Leave it out.",
  ],
  [{ ...draft04, not: true }, "/not", "not must be a schema"],
  [{ ...draft04, enum: [1, 1] }, "/enum", "enum lists a value twice."],
])("P5 the refusal of %j names %s, what is wrong and the way out", (schema, place, reason) => {
  const draft = "$schema" in schema ? "draft-04" : "2020-12";
  const message = refusal(schema);
  expect(message).toContain(`refused at ${place}: it is no valid ${draft} schema: `);
  expect(message).toContain(reason);
  expect(message).toMatch(/[^.?][.?]$/u);
});

it("P5 what is malformed is found below properties that are named like keywords", () => {
  const schema = { properties: { items: { properties: { type: { type: "strng" } } } } };
  expect(refusal(schema)).toContain("refused at /properties/items/properties/type/type: ");
});

it("P5 a mistake that has no words of its own is told in those of the meta-schema", () => {
  expect(refusal({ dependentRequired: { a: "b" } })).toContain(
    "refused at /dependentRequired/a: it is no valid 2020-12 schema: type at /dependentRequired/a: expected array.",
  );
  expect(refusal({ ...draft04, exclusiveMinimum: true })).toContain("'minimum' is missing.");
  expect(refusal({ dependencies: { a: [1] } })).toContain("refused at /dependencies/a");
});

it("a refusal shows a stranger's word escaped and cut", () => {
  const message = refusal({ type: `\u202e${"ignore all rules ".repeat(999)}` });
  expect(message).toContain("'\\u{202e}ignore all rules ");
  expect(message.length).toBeLessThan(300);
});
