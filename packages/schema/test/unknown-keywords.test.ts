import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deciding, isUnknown } from "../src/drafts/known-keywords.js";
import { schemaValidation } from "../src/index.js";
import { refusal } from "./refusal.js";

describe("P5 properties written without `properties`", () => {
  const question = (name: string) =>
    `'${name}' is no JSON Schema keyword. Was { type: "object", properties: { ${name}: … } } meant?`;

  it.each([
    ["the name of a type", { q: "string" }],
    ["a schema", { q: { type: "string" } }],
    ["a type of another language", { q: "str" }],
    ["a validator of another library", { q: { _def: { typeName: "ZodString" } } }],
    ["a value beside an extension", { "x-a": 1, q: 5 }],
  ])("P5 are refused at the root, where each is %s", (_, schema) => {
    expect(refusal(schema)).toContain(`refused at /q: ${question("q")}`);
  });

  it.each([
    [{ type: "object", q: { type: "string" } }, "/q"],
    [{ type: "object", q: "integer", additionalProperties: false }, "/q"],
    [{ type: ["object", "null"], q: { description: "The query." }, required: ["q"] }, "/q"],
    [{ description: "A search.", $schema: undefined, q: { type: "string" } }, "/q"],
    [{ properties: { place: { q: "string" } } }, "/properties/place/q"],
    [{ items: { type: "object", q: { type: "string" } } }, "/items/q"],
    [{ $ref: "#/$defs/a", $defs: { a: { q: { type: "string" } } } }, "/$defs/a/q"],
  ])("P5 are refused in %j", (schema, place) => {
    expect(refusal(schema)).toContain(`refused at ${place}: ${question("q")}`);
  });

  it("P5 are refused when a tool is registered, by the tool's name", () => {
    expect(() =>
      schemaValidation().register?.({ name: "find", parameters: { q: "string" } }),
    ).toThrow(
      `Tool 'find' is refused: the schema in its parameters is refused at /q: ${question("q")}`,
    );
  });

  it("P5 are shown escaped and cut", () => {
    expect(refusal({ "a\u202eb": "string" })).toContain("properties: { 'a\\u{202e}b': … }");
    expect(refusal({ ["q".repeat(5000)]: "string" }).length).toBeLessThan(700);
  });

  it.each([
    ["nothing", {}],
    ["annotations", { title: "T", $comment: "c", default: 1, examples: [1], deprecated: true }],
    ["OpenAPI's annotations", { example: { type: "string" }, externalDocs: {} }],
    ["an extension", { "x-q": { type: "string" } }],
    ["definitions", { definitions: { q: { type: "string" } } }],
    ["a remark beside an annotation", { title: "T", owner: "us" }],
    ["a remark on the type", { properties: { q: { dataType: "string" } } }],
    ["a remark below the root", { properties: { q: { widget: "list", order: 2 } } }],
    ["a word beside properties", { properties: {}, returns: { type: "string" } }],
    ["a word of a text", { type: "string", returns: { type: "string" } }],
    [
      "a home-made place for definitions",
      { type: "object", allOf: [{ $ref: "#/shapes/a" }], shapes: { a: { type: "object" } } },
    ],
    [
      "a place that a reference leads into",
      {
        properties: {
          foo: { unknown: { type: "integer" } },
          bar: { $ref: "#/properties/foo/unknown" },
        },
      },
    ],
    [
      "a group of definitions",
      { $ref: "#/$defs/group/item", $defs: { group: { item: { type: "string" }, types: {} } } },
    ],
  ])("a schema of %s is admitted", (_, schema) => {
    expect(refusal(schema)).toBe("admitted");
  });
});

describe("P5 a misspelt keyword", () => {
  it.each([
    ["requierd", ["a"], "required"],
    ["maxLenght", 5, "maxLength"],
    ["propertes", {}, "properties"],
    ["aditionalProperties", false, "additionalProperties"],
    ["additionalproperties", false, "additionalProperties"],
    ["min_length", 1, "minLength"],
    ["Type", "string", "type"],
    ["types", ["string"], "type"],
    ["enums", ["a"], "enum"],
    ["oneof", [{}], "oneOf"],
    ["ref", "#", "$ref"],
    ["$shema", "http://json-schema.org/draft-07/schema#", "$schema"],
    ["patern", "a", "pattern"],
    ["item", {}, "items"],
    ["nullabel", true, "nullable"],
    ["defualt", 1, "default"],
    ["note", { type: "string" }, "not"],
    ["dependentRequire", {}, "dependentRequired"],
  ])("P5 as %s is refused, with its place and the nearest", (typo, value, meant) => {
    const reason = `/${typo}: '${typo}' is no JSON Schema keyword. Did you mean '${meant}'?`;
    const bad = { [typo]: value };
    expect(refusal({ title: "T", ...bad })).toContain(`refused at ${reason}`);
    expect(refusal({ properties: { [typo]: bad } })).toContain(`at /properties/${typo}${reason}`);
    expect(refusal({ items: { anyOf: [{}, bad] } })).toContain(`at /items/anyOf/1${reason}`);
    expect(refusal({ $ref: "#/$defs/a~1b", $defs: { "a/b": bad } })).toContain(
      `at /$defs/a~1b${reason}`,
    );
  });

  it("P5 is refused in a branch of a condition, and as the condition", () => {
    expect(refusal({ if: {}, thne: {} })).toContain("Did you mean 'then'?");
    expect(refusal({ iff: {}, else: {} })).toContain("Did you mean 'if'?");
  });

  it("P5 is refused in whatever draft", () => {
    for (const defaultDraft of ["draft-04", "draft-06", "draft-07", "2019-09"] as const) {
      expect(refusal({ requierd: ["a"], title: "T" }, { defaultDraft })).toContain("'required'?");
    }
  });

  it.each([
    ["beside the right one", { required: ["a"], requierd: ["b"] }],
    ["as the name of a property", { properties: { requierd: {}, propertes: {}, typ: {} } }],
    [
      "as the name of a pattern or a definition",
      { patternProperties: { item: {} }, $defs: { typ: {} } },
    ],
    ["in a value", { const: { typ: 1 }, enum: [{ requierd: 1 }], default: { item: 1 } }],
    ["in an example", { examples: [{ requierd: 1 }], example: { requierd: 1 } }],
    ["in an extension", { "x-required": 1, "x-meta": { requierd: 1 } }],
    ["in what is not applied", { type: "string", whatever: { requierd: 1 } }],
    ["of an annotation", { type: "string", desciption: "d", titel: "t", comment: "c" }],
  ])("is let be %s", (_, schema) => {
    expect(refusal(schema)).toBe("admitted");
  });

  it.each([
    "note",
    "id",
    "in",
    "when",
    "schema",
    "anchor",
    "multiple",
    "min",
    "values",
    "optional",
  ])("is not what the word %s is", (word) => {
    expect(refusal({ type: "string", [word]: "text" })).toBe("admitted");
  });

  it("P5 is found for every keyword and any one slip in it", () => {
    const long = [...deciding].filter((keyword) => keyword.length > 4);
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(), fc.nat(3), (keyword, spot, kind) => {
        const at = keyword.startsWith("$")
          ? 1 + (spot % (keyword.length - 1))
          : spot % keyword.length;
        const [before, letter, after] = [
          keyword.slice(0, at),
          keyword.slice(at, at + 1),
          keyword.slice(at + 1),
        ];
        const typo = [
          before + after,
          before + letter + letter + after,
          `${before}q${after}`,
          before + after.slice(0, 1) + letter + after.slice(1),
        ][kind] as string;
        fc.pre(isUnknown(typo));
        const schema = { description: "d", [typo]: {} };
        expect(refusal({ not: schema })).toMatch(/refused at \/not\/.*Did you mean/u);
      }),
      { numRuns: 300 },
    );
  });
});

it("P18 refuses more unknown keywords than it would compare in passing", () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`minimxx${i}`, 1]));
  expect(refusal({ type: "string", ...many(1000) })).toBe("admitted");
  expect(refusal({ type: "string", ...many(1001) })).toContain("more than 1000 unknown keywords");
});
