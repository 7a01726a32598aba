import { allow, type JsonObject } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SchemaValidationOptions, schemaValidation } from "../src/index.js";
import { ask, call, deepFreeze } from "./calls.js";

function answer(options: SchemaValidationOptions, parameters: JsonObject, args: JsonObject) {
  return ask(schemaValidation(options), call(deepFreeze(args), { parameters }));
}

const search: JsonObject = {
  type: "object",
  properties: {
    query: { type: "string" },
    limit: { type: "integer", default: 10 },
    page: { anyOf: [{ type: "integer" }, { type: "null" }] },
    filter: { $ref: "#/$defs/filter" },
    filters: { type: "array", items: { $ref: "#/$defs/filter" } },
  },
  required: ["query"],
  $defs: {
    filter: {
      allOf: [
        { properties: { exact: { type: "boolean" }, year: { type: ["integer", "number"] } } },
      ],
      properties: { field: { enum: ["title", null] } },
      required: ["field"],
    },
  },
};

describe("dropNulls", () => {
  it("drops a null given for an optional property that takes none, at any depth", () => {
    const args = {
      query: "tea",
      limit: null,
      page: null,
      filter: { field: null, exact: null },
      filters: [{ field: "title" }, { field: "title", year: null }],
    };
    expect(answer({ dropNulls: true }, search, args)).toMatchObject({
      decision: "modify",
      modifiedArgs: {
        query: "tea",
        page: null,
        filter: { field: null },
        filters: [{ field: "title" }, { field: "title" }],
      },
    });
    expect(args.limit).toBeNull();
  });

  it("is off unless asked for", () => {
    expect(answer({}, search, { query: "tea", limit: null })).toMatchObject({ decision: "deny" });
  });

  it("leaves a required null to be denied, and undeclared nulls alone", () => {
    expect(answer({ dropNulls: true }, search, { query: null })).toMatchObject({
      decision: "deny",
    });
    expect(answer({ dropNulls: true }, search, { query: "tea", other: null })).toBe(allow());
  });

  it.each([
    [{ const: null }, true],
    [{ enum: [1] }, false],
    [{ const: 1 }, false],
    [false, false],
    [true, true],
    [{ not: { type: "null" } }, false],
    [{ allOf: [{ type: "string" }] }, false],
    [{ oneOf: [{ type: "null" }, { type: "string" }] }, true],
    [{ oneOf: [{ type: "null" }, {}] }, false],
    [{ anyOf: [{ type: "string" }] }, false],
    [JSON.parse('{"if": {"type": "null"}, "then": false}'), false],
    [JSON.parse('{"if": {"type": "string"}, "else": {"type": "null"}}'), true],
    [{ type: "string", nullable: true }, true],
    [{ minLength: 3, pattern: "x" }, true],
  ])("sees whether %j takes null as a check does", (schema, takes) => {
    const parameters = { properties: { a: schema } };
    expect(answer({}, parameters, { a: null }).decision).toBe(takes ? "allow" : "deny");
    expect(answer({ dropNulls: true }, parameters, { a: null }).decision).toBe(
      takes ? "allow" : "modify",
    );
  });
});

describe("coerceTypes", () => {
  const type = (name: string | string[]): JsonObject => ({ properties: { a: { type: name } } });

  it.each([
    ["5", "integer", 5],
    ["-1.5e3", "number", -1500],
    ["true", "boolean", true],
    ["false", ["boolean", "null"], false],
    [5, "string", "5"],
    [true, "string", "true"],
  ])("turns %j into %s", (given, name, wanted) => {
    expect(answer({ coerceTypes: true }, type(name), { a: given })).toMatchObject({
      decision: "modify",
      modifiedArgs: { a: wanted },
    });
  });

  it.each([
    ["5.5", "integer"],
    ["", "number"],
    [" 5", "integer"],
    ["0x10", "integer"],
    ["1e400", "number"],
    ["9007199254740993", "integer"],
    ["yes", "boolean"],
    ["null", "null"],
    [1, "boolean"],
    [null, "string"],
    [["5"], "integer"],
    ["1".repeat(1000), "number"],
  ])("leaves %j to be denied where %s is wanted", (given, name) => {
    expect(answer({ coerceTypes: true }, type(name), { a: given })).toMatchObject({
      decision: "deny",
    });
  });

  it("changes nothing that is right already", () => {
    expect(answer({ coerceTypes: true }, type(["string", "integer"]), { a: "5" })).toBe(allow());
    expect(answer({ coerceTypes: true }, { properties: { a: {} } }, { a: "5" })).toBe(allow());
  });
});

describe("applyDefaults", () => {
  it("fills in what is absent, defaults inside defaults included, as ordinary objects", () => {
    const parameters: JsonObject = {
      properties: {
        a: { default: { x: 1 }, properties: { y: { default: [2] } } },
        b: { $ref: "#/$defs/b" },
        c: { default: 3 },
      },
      $defs: { b: { type: "string", default: "b" } },
    };
    const verdict = answer({ applyDefaults: true }, parameters, { c: 4 });
    expect(verdict).toMatchObject({
      decision: "modify",
      modifiedArgs: { a: { x: 1, y: [2] }, b: "b", c: 4 },
    });
    expect(Object.getPrototypeOf(verdict.modifiedArgs?.a)).toBe(Object.prototype);
  });

  it("denies with a default that its own schema refuses", () => {
    expect(
      answer({ applyDefaults: true }, { properties: { a: { type: "string", default: 1 } } }, {}),
    ).toMatchObject({ decision: "deny" });
  });

  it("P18 ends in a schema whose defaults contain it", () => {
    const once = { properties: { a: { $ref: "#", default: {} } } };
    expect(answer({ applyDefaults: true }, once, {}).decision).toBe("modify");
    const twice = { properties: { a: { $ref: "#", default: {} }, b: { $ref: "#", default: {} } } };
    expect(answer({ applyDefaults: true }, twice, {})).toMatchObject({
      decision: "deny",
      metadata: { keyword: "cost" },
    });
  });
});

describe("all together", () => {
  const options = { dropNulls: true, coerceTypes: true, applyDefaults: true };
  const value = fc.oneof(
    fc.constantFrom(null, "5", "x", 5, true, "true", "title"),
    fc.record(
      {
        field: fc.constantFrom(null, "title"),
        exact: fc.constantFrom(null, "true", true),
        year: fc.constantFrom("1999", null, 3),
      },
      { requiredKeys: [] },
    ),
  );
  const args = fc.record(
    {
      query: value,
      limit: value,
      page: value,
      filter: value,
      filters: fc.array(value, { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );

  it("amends what it gave back no further", () => {
    fc.assert(
      fc.property(args, (given) => {
        const verdict = answer(options, search, given as JsonObject);
        if (verdict.decision !== "modify") return;
        expect(answer(options, search, verdict.modifiedArgs)).toBe(allow());
      }),
    );
  });

  it("allows nothing that the schema, asked plainly, does not", () => {
    fc.assert(
      fc.property(args, (given) => {
        const verdict = answer(options, search, given as JsonObject);
        if (verdict.decision === "deny") return;
        const used = verdict.decision === "modify" ? verdict.modifiedArgs : (given as JsonObject);
        expect(answer({}, search, used)).toBe(allow());
      }),
    );
  });
});
