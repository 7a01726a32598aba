import { afterEach, describe, expect, it, vi } from "vitest";
import { type CompileOptions, compileSchema } from "../src/index.js";
import { refusal } from "./refusal.js";

const accepts = (schema: unknown, value: unknown, options?: CompileOptions) =>
  compileSchema(schema, options).check(value) === undefined;

describe("the draft", () => {
  const exclusive = { minimum: 0, exclusiveMinimum: true };

  it.each([
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-04/schema",
    "https://json-schema.org/draft-04/schema#",
  ])("is draft-04 where %s says so", ($schema) => {
    const schema = { $schema, type: ["null", "integer"], ...exclusive };
    expect([null, 0, 1].map((value) => accepts(schema, value))).toEqual([true, false, true]);
  });

  it.each([
    ["http://json-schema.org/draft-06/schema#", false],
    ["http://json-schema.org/draft-07/schema#", false],
    ["https://json-schema.org/draft/2019-09/schema", false],
    ["https://json-schema.org/draft/2020-12/schema", true],
    ["http://json-schema.org/draft/2020-12/schema#", true],
  ])("of %s decides whether prefixItems means something", ($schema, means) => {
    expect(accepts({ $schema, prefixItems: [{ type: "string" }] }, [1])).toBe(!means);
  });

  it("is 2020-12 unless said otherwise, and a list of items is refused there", () => {
    const tuple = { items: [{ type: "integer" }] };
    expect(refusal(tuple)).toContain("at /items: it is no valid 2020-12 schema");
    expect(accepts(tuple, ["x"], { defaultDraft: "draft-07" })).toBe(false);
  });

  it("is refused when unknown", () => {
    expect(refusal({ $schema: "https://example.com/my-schema" })).toContain("known drafts");
    expect(
      refusal({ $defs: { a: { $schema: "http://json-schema.org/draft-07/schema#" } } }),
    ).toContain("announces another draft");
  });
});

describe("what people write", () => {
  afterEach(() => vi.restoreAllMocks());

  it("takes OpenAPI's nullable, which widens the type and nothing else", () => {
    expect(accepts({ type: "string", nullable: true }, null)).toBe(true);
    expect(accepts({ type: "string", nullable: false }, null)).toBe(false);
    expect(accepts({ type: "string", enum: ["x"], nullable: true }, null)).toBe(false);
    expect(accepts({ type: "string", enum: ["x", null], nullable: true }, null)).toBe(true);
  });

  it("applies every keyword, also a type beside anyOf", () => {
    expect(accepts({ type: "string", anyOf: [{ type: "string" }, { type: "null" }] }, null)).toBe(
      false,
    );
  });

  it("takes unknown formats and vendor keywords as annotations, and prints nothing", () => {
    const spies = (["log", "warn", "error", "info"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => {}),
    );
    const schema = {
      type: "integer",
      format: "uint",
      "x-vendor": { $ref: "nowhere" },
      example: 5,
      discriminator: 1,
    };
    expect(accepts(schema, 5)).toBe(true);
    expect(accepts({ type: "string", format: "email" }, "no address")).toBe(true);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  it.each([
    ["an unknown type", { properties: { a: { type: "dict" } } }, "at /properties/a/type:"],
    [
      "required: null",
      { required: null },
      "at /required: it is no valid 2020-12 schema: required must be a list of property names, not null.",
    ],
    ["a negative length", { maxLength: -1 }, "at /maxLength"],
    [
      "a dropped definition",
      { properties: { f: { $ref: "#/$defs/Filter" } } },
      "at /properties/f/$ref: $ref '#/$defs/Filter' points at nothing",
    ],
    ["a remote reference", { $ref: "https://example.com/a.json" }, "nothing is ever fetched"],
    ["a broken reference", { $ref: "http://[" }, "no URI reference"],
    ["a reference to no schema", { $ref: "#/x", x: 5 }, "there is no schema there"],
    ["two equal ids", { $defs: { a: { $id: "x:a" }, b: { $id: "x:a" } } }, "same id"],
    ["no schema at all", "object", "a schema is an object or a boolean"],
    ["a function", { default: () => 1 }, "at /default: the schema holds a value that is not JSON"],
    [
      "a bad pattern",
      { pattern: "(" },
      "at /pattern: the pattern cannot be admitted: it has an unmatched '('",
    ],
    [
      "a pattern beyond RE2",
      { properties: { a: { pattern: "(a)\\1" } } },
      "at /properties/a/pattern: the pattern cannot be admitted: it uses a backreference",
    ],
    [
      "lookbehind in a key pattern",
      { patternProperties: { "(?<=a)": {} } },
      "at /patternProperties/(?<=a): the pattern cannot be admitted: it uses lookbehind",
    ],
  ])("refuses %s, with the place and the reason", (_, schema, reason) => {
    expect(refusal(schema)).toContain(reason);
  });

  it("refuses what is only reached by reference as strictly as the rest", () => {
    const many = { anyOf: Array.from({ length: 250 }, (_, value) => ({ const: value })) };
    for (const own of [{}, { properties: { many } }]) {
      const refers = (x: unknown) => refusal({ ...own, allOf: [{ $ref: "#/x" }], x });
      expect(refers({ maxLength: "5" })).toContain("at /x/maxLength: it is no valid 2020-12");
      expect(refers({ type: "strng" })).toContain("'strng' is no type");
      expect(refers({ required: "ab" })).toContain("at /x/required");
      expect(refers({ properties: 5 })).toContain("at /x/properties");
      expect(refers({ properties: { y: { minimum: "1" } } })).toContain("/x/properties/y/minimum");
      expect(refers({ $ref: "#/x/z", z: { enum: 5 } })).toContain("at /x/z/enum");
    }
  });

  it("resolves local references under a remote $id", () => {
    const schema = {
      $id: "https://schemas.example.com/tool.json",
      properties: { c: { $ref: "#/$defs/C" }, d: { $ref: "tool.json#/$defs/C" } },
      $defs: { C: { type: "string" } },
    };
    expect(accepts(schema, { c: "ok", d: "ok" })).toBe(true);
    expect(accepts(schema, { d: 1 })).toBe(false);
  });

  it("knows the published meta-schemas without fetching them", () => {
    expect(
      accepts({ $ref: "https://json-schema.org/draft/2020-12/schema" }, { minLength: -1 }),
    ).toBe(false);
    expect(accepts({ $ref: "http://json-schema.org/draft-07/schema#" }, { minLength: 1 })).toBe(
      true,
    );
  });

  it("does not change the value it checks", () => {
    const value = Object.freeze({ n: "1" });
    expect(
      accepts({ properties: { n: { type: "integer", default: 1 }, m: { default: 2 } } }, value),
    ).toBe(false);
    expect(value).toEqual({ n: "1" });
  });
});

describe("own properties", () => {
  const inherited = ["constructor", "toString", "hasOwnProperty", "__proto__", "valueOf"];

  it.each(inherited)("P8 requires a property named %s to be there", (name) => {
    expect(accepts({ required: [name] }, {})).toBe(false);
    expect(accepts({ required: [name] }, JSON.parse(`{"${name}": 1}`))).toBe(true);
    expect(accepts({ properties: JSON.parse(`{"${name}": {"type": "string"}}`) }, {})).toBe(true);
    expect(
      accepts(
        { properties: JSON.parse(`{"${name}": {"type": "string"}}`) },
        JSON.parse(`{"${name}": 1}`),
      ),
    ).toBe(false);
    expect(accepts({ dependentRequired: JSON.parse(`{"${name}": ["x"]}`) }, {})).toBe(true);
    expect(accepts({ dependentSchemas: JSON.parse(`{"${name}": false}`) }, {})).toBe(true);
    expect(accepts({ additionalProperties: false }, JSON.parse(`{"${name}": 1}`))).toBe(false);
    expect(
      accepts(
        { allOf: [{ patternProperties: { "^x": true } }], unevaluatedProperties: false },
        JSON.parse(`{"${name}": 1}`),
      ),
    ).toBe(false);
    expect(accepts({ propertyNames: { maxLength: 3 } }, JSON.parse(`{"${name}": 1}`))).toBe(false);
  });

  it.each(inherited)("P8 compares members named %s like any other", (name) => {
    const value = JSON.parse(`{"${name}": {"a": 1}}`);
    const equal = JSON.parse(`{"${name}": {"a": 1}}`);
    const other = JSON.parse(`{"${name}": {"a": 2}}`);
    expect(accepts({ const: value }, equal)).toBe(true);
    expect(accepts({ const: value }, other)).toBe(false);
    expect(accepts({ enum: [1, value] }, equal)).toBe(true);
    expect(accepts({ enum: [1, value] }, {})).toBe(false);
    expect(accepts({ uniqueItems: true }, [value, equal])).toBe(false);
    expect(accepts({ uniqueItems: true }, [value, other, {}])).toBe(true);
  });
});

it("requires a property whose name is empty like any other", () => {
  for (const required of [[""], ["a", ""], ["", "a"]]) {
    expect(compileSchema({ required }).check({ a: 1 })?.message).toBe(
      "required at the top level: '' is missing",
    );
    expect(accepts({ required }, { "": 1, a: 1 })).toBe(true);
    expect(accepts({ dependentRequired: { b: required } }, { b: 1, a: 1 })).toBe(false);
    expect(accepts({ dependentRequired: { b: required } }, { b: 1, a: 1, "": 1 })).toBe(true);
    expect(accepts({ dependentRequired: { b: required } }, { a: 1 })).toBe(true);
  }
});

describe("numbers and texts", () => {
  it("compares as JSON: 1.0 is 1, the order of keys is nothing, text is no number", () => {
    expect(
      accepts({ uniqueItems: true }, [
        { a: 1, b: [0] },
        { b: [-0], a: 1.0 },
      ]),
    ).toBe(false);
    expect(
      accepts({ uniqueItems: true }, [
        1,
        "1",
        [1],
        ["1"],
        { a: 1 },
        { a: "1" },
        true,
        "true",
        null,
        "null",
      ]),
    ).toBe(true);
    expect(accepts({ enum: Array.from({ length: 40 }, (_, i) => i) }, "1")).toBe(false);
    expect(accepts({ enum: Array.from({ length: 40 }, (_, i) => i) }, 39)).toBe(true);
  });

  it("finds decimal multiples", () => {
    expect([19.99, 0.3, 1e308, -4.35].map((value) => accepts({ multipleOf: 0.01 }, value))).toEqual(
      [true, true, true, true],
    );
    expect([0.001, 1e-7].map((value) => accepts({ multipleOf: 0.01 }, value))).toEqual([
      false,
      false,
    ]);
  });

  it("counts code points, a lone surrogate as one", () => {
    const faces = "\u{1F600}".repeat(3);
    expect([2, 3, 4].map((maxLength) => accepts({ maxLength }, faces))).toEqual([
      false,
      true,
      true,
    ]);
    expect([3, 4, 6].map((minLength) => accepts({ minLength }, faces))).toEqual([
      true,
      false,
      false,
    ]);
    expect(accepts({ minLength: 2, maxLength: 2 }, "\ud83d\ud83d")).toBe(true);
    expect(accepts({ minLength: 2, maxLength: 2 }, "\ude00\ud83d")).toBe(true);
  });
});

describe("the message", () => {
  it.each([
    [
      { anyOf: [{ type: "string" }, { type: "null" }] },
      1,
      "anyOf at the top level: expected string or null",
    ],
    [
      JSON.parse('{"if": true, "then": {"required": ["a"]}}'),
      {},
      "required at the top level: 'a' is missing",
    ],
    [{ type: ["string", "null"] }, 1, "type at the top level: expected string or null"],
    [
      { properties: { "a/b~c": { type: "string" } } },
      { "a/b~c": 1 },
      "type at /a~1b~0c: expected string",
    ],
    [
      { dependentRequired: { a: ["b"] } },
      { a: 1 },
      "dependentRequired at the top level: 'b' is missing",
    ],
    [{ properties: { a: false } }, { a: 1 }, "false schema at /a: nothing is allowed here"],
    [false, 1, "false schema at the top level: nothing is allowed here"],
    [
      { propertyNames: { maxLength: 1 } },
      { long: 1 },
      "propertyNames at the top level: a name breaks maxLength: expected at most 1 character",
    ],
  ])("for %j says what is wrong", (schema, value, message) => {
    expect(compileSchema(schema).check(value)?.message).toBe(message);
  });

  it("refuses options that it does not have", () => {
    expect(() => compileSchema({}, { formats: "assert" } as CompileOptions)).toThrow(
      "compileSchema() has no option 'formats'",
    );
  });
});
