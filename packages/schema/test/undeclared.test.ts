import { allow, type JsonObject } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { schemaValidation } from "../src/index.js";
import { call } from "./calls.js";

const strict = schemaValidation({ forbidUndeclared: true });
const judge = (parameters: JsonObject, args: JsonObject) =>
  strict.evaluate(call(args, { parameters }));

const search: JsonObject = {
  type: "object",
  properties: {
    query: { type: "string" },
    limit: { type: "integer" },
    filters: { type: "array", items: { $ref: "#/$defs/filter" } },
  },
  required: ["query"],
  $defs: { filter: { properties: { field: {} } } },
};

describe("forbidUndeclared", () => {
  it("denies a misspelt property, naming the declared one and not what was said", () => {
    const verdict = judge(search, { query: "x", limti: 5 });
    expect(verdict).toMatchObject({
      decision: "deny",
      code: "undeclared_property",
      reason:
        "arguments for tool 'send_mail' do not match its schema: undeclared property at /*. Did you mean 'limit'?",
    });
    expect(JSON.stringify(verdict)).not.toContain("limti");
  });

  it("finds it below, and hints at nothing that is there already", () => {
    expect(
      judge(search, { query: "x", filters: [{ field: 1 }, { fieldd: 1, field: 2 }] }),
    ).toMatchObject({
      reason: expect.stringMatching(/undeclared property at \/filters\/1\/\*$/u),
    });
  });

  it("allows declared properties, and is off unless asked for", () => {
    expect(judge(search, { query: "x", filters: [{ field: 1 }] })).toBe(allow());
    expect(
      schemaValidation().evaluate(call({ query: "x", limti: 5 }, { parameters: search })),
    ).toBe(allow());
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["a free object", { type: "object" }, { x: 1 }],
    [
      "additionalProperties",
      { properties: { a: {} }, additionalProperties: { type: "number" } },
      { x: 1 },
    ],
    ["patternProperties", { properties: { a: {} }, patternProperties: { "^x": {} } }, { x: 1 }],
    ["unevaluatedProperties", { properties: { a: {} }, unevaluatedProperties: true }, { x: 1 }],
    [
      "an open part",
      { allOf: [{ properties: { a: {} } }, { additionalProperties: true }] },
      { x: 1 },
    ],
    [
      "a property of an alternative",
      { properties: { a: {} }, anyOf: [{ properties: { x: {} } }, { properties: { y: {} } }] },
      { x: 1 },
    ],
    [
      "a property of a reference",
      { properties: { a: {} }, $ref: "#/$defs/r", $defs: { r: { properties: { x: {} } } } },
      { x: 1 },
    ],
    ["what stands under a property without a schema", { properties: { a: {} } }, { a: { x: 1 } }],
  ])("leaves %s alone", (_, parameters, args) => {
    expect(judge(parameters, args)).toBe(allow());
  });

  it("says first what the schema itself forbids", () => {
    expect(judge(search, { limti: 5 })).toMatchObject({ code: "schema" });
  });
});
