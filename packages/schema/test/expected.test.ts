import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { compileSchema, schemaValidation } from "../src/index.js";
import { call } from "./calls.js";

const message = (schema: unknown, value: unknown) => compileSchema(schema).check(value)?.message;

/** In each value stands a word that no message may hold. */
const secret = "hunter2";

const broken: readonly (readonly [schema: object, value: unknown, expected: string])[] = [
  [{ type: "integer" }, secret, "type at the top level: expected integer"],
  [{ type: ["integer", "null"] }, secret, "type at the top level: expected integer or null"],
  [
    { enum: ["low", 5, null, true] },
    secret,
    "enum at the top level: expected 'low' or 5 or null or true",
  ],
  [{ enum: [] }, secret, "enum at the top level: expected one of 0 declared values"],
  [
    { enum: Array.from("abcdefghijklm") },
    secret,
    "enum at the top level: expected one of 13 declared values",
  ],
  [{ enum: ["a", { b: 1 }] }, secret, "enum at the top level: expected one of 2 declared values"],
  [
    { enum: ["a".repeat(65), "b"] },
    secret,
    "enum at the top level: expected one of 2 declared values",
  ],
  [
    { enum: Array.from("abcdef", (letter) => letter.repeat(40)) },
    secret,
    "enum at the top level: expected one of 6 declared values",
  ],
  [{ const: "v1" }, secret, "const at the top level: expected 'v1'"],
  [{ const: { a: 1 } }, { secret }, "const at the top level: expected the declared value"],
  [{ pattern: "^a+$" }, secret, "pattern at the top level: expected text that matches '^a+$'"],
  [{ maxLength: 1 }, secret, "maxLength at the top level: expected at most 1 character"],
  [{ minLength: 9 }, secret, "minLength at the top level: expected at least 9 characters"],
  [{ maximum: 5 }, 4111, "maximum at the top level: expected at most 5"],
  [{ minimum: 5000 }, 4111, "minimum at the top level: expected at least 5000"],
  [{ exclusiveMaximum: 5.5 }, 4111, "exclusiveMaximum at the top level: expected less than 5.5"],
  [{ exclusiveMinimum: 5000 }, 4111, "exclusiveMinimum at the top level: expected more than 5000"],
  [{ multipleOf: 0.5 }, 4111.2, "multipleOf at the top level: expected a multiple of 0.5"],
  [{ maxItems: 1 }, [secret, 1], "maxItems at the top level: expected at most 1 item"],
  [{ minItems: 2 }, [secret], "minItems at the top level: expected at least 2 items"],
  [
    { prefixItems: [{}], items: false },
    [secret, 1],
    "items at the top level: expected at most 1 item",
  ],
  [
    { uniqueItems: true },
    [secret, secret],
    "uniqueItems at the top level: expected items that differ",
  ],
  [
    { contains: { const: 1 } },
    [secret],
    "contains at the top level: expected at least 1 item of a certain form",
  ],
  [
    { contains: { type: "string" }, minContains: 0, maxContains: 1 },
    [secret, secret],
    "contains at the top level: expected 0 to 1 item of a certain form",
  ],
  [
    { maxProperties: 1 },
    { [secret]: 1, a: 1 },
    "maxProperties at the top level: expected at most 1 property",
  ],
  [
    { minProperties: 2 },
    { [secret]: 1 },
    "minProperties at the top level: expected at least 2 properties",
  ],
  [{ required: ["q"] }, { [secret]: 1 }, "required at the top level: 'q' is missing"],
  [
    { dependentRequired: { [secret]: ["q"] } },
    { [secret]: 1 },
    "dependentRequired at the top level: 'q' is missing",
  ],
  [
    { propertyNames: { pattern: "^a" } },
    { [secret]: 1 },
    "propertyNames at the top level: a name breaks pattern: expected text that matches '^a'",
  ],
  [{ propertyNames: false }, { [secret]: 1 }, "propertyNames at the top level: no name is allowed"],
  [
    { anyOf: [{ type: "integer" }, { type: "null" }] },
    secret,
    "anyOf at the top level: expected integer or null",
  ],
  [
    {
      anyOf: [
        { type: "string", maxLength: 1 },
        { type: ["null", "string"], minLength: 9 },
      ],
    },
    secret,
    "anyOf at the top level: matches none of 2 alternatives, which take string or null",
  ],
  [
    { oneOf: [{ type: "null" }, { maxLength: 1 }] },
    secret,
    "oneOf at the top level: matches none of 2 alternatives",
  ],
  [
    { oneOf: [{}, { type: "string" }] },
    secret,
    "oneOf at the top level: matches more than one alternative",
  ],
  [{ not: { type: "string" } }, secret, "not at the top level: matches what is ruled out"],
  [{ properties: { a: false } }, { a: secret }, "false schema at /a: nothing is allowed here"],
  [{ if: {}, then: { type: "null" } }, secret, "type at the top level: expected null"],
  [
    { additionalProperties: false },
    { [secret]: 1 },
    "additionalProperties at /*: this property is not declared",
  ],
  [
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { [secret]: 1 },
    "unevaluatedProperties at /*: an undeclared property does not fit",
  ],
  [
    { unevaluatedItems: false },
    [secret],
    "unevaluatedItems at the top level: an undeclared item does not fit",
  ],
];

it.each(broken)("for %j says what was expected and nothing of %j", (schema, value, expected) => {
  expect(message(schema, value)).toBe(expected);
  const reason = JSON.stringify(
    schemaValidation().evaluate(
      call({ args: value as never }, { parameters: { properties: { args: schema as never } } }),
    ),
  );
  expect(reason).toContain("do not match its schema");
  // A declared name that happens to be the word is the author's.
  expect(reason.replaceAll("4111.2", secret).replaceAll("4111", secret)).not.toContain(secret);
});

describe("an undeclared property", () => {
  const schema = {
    properties: {
      subject: {},
      place: { properties: { street: {} }, additionalProperties: false },
    },
    additionalProperties: false,
  };

  it.each([
    [
      { subjekt: 1 },
      "additionalProperties at /*: this property is not declared. Did you mean 'subject'?",
    ],
    [
      { place: { stret: 1 } },
      "additionalProperties at /place/*: this property is not declared. Did you mean 'street'?",
    ],
    [{ stret: 1 }, "additionalProperties at /*: this property is not declared"],
    [{ subject: 1, subjekt: 1 }, "additionalProperties at /*: this property is not declared"],
  ])(
    "in %j is told the nearest name that its own object lacks, if there is one",
    (value, expected) => {
      expect(message(schema, value)).toBe(expected);
    },
  );

  it("is compared with a bounded number of names", () => {
    const wide = (count: number) => ({
      properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, {}])),
      additionalProperties: false,
    });
    expect(message(wide(64), { nome63: 1 })).toContain("Did you mean 'name63'?");
    expect(message(wide(65), { nome63: 1 })).not.toContain("Did you mean");
  });
});

it("says the same where the checks are metered", () => {
  const branch = { anyOf: [{ type: "integer" }, { type: "null" }] };
  const tree = {
    properties: { left: { $ref: "#" }, right: { $ref: "#" }, value: branch },
    anyOf: Array.from({ length: 9 }, () => ({})),
  };
  expect(message(tree, { left: { value: secret } })).toBe(
    "anyOf at /left/value: expected integer or null",
  );
});

it("is bounded, whatever the author wrote", { tags: "longer" }, () => {
  const word = fc.oneof(
    fc.string({ unit: "binary", maxLength: 500 }),
    fc.nat(400).map((length) => "\u{1F600}'".repeat(length)),
  );
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 20 }), (name, values) => {
      const schemas = [
        { enum: values },
        { const: name },
        { required: [name] },
        { properties: { [`${name}x`]: {} }, additionalProperties: false },
        { anyOf: values.map((value) => ({ const: value })) },
      ].filter((schema) => !("anyOf" in schema && values.length === 0));
      for (const schema of schemas) {
        const told = message(schema, { other: 1 }) ?? "";
        expect(told).not.toBe("");
        expect(told.length).toBeLessThan(900);
        expect(told).toMatch(/^[\x20-\x7e…]*$/u);
      }
    }),
    { numRuns: inject("long") ? 60 : 10 },
  );
});
