import { describe, expect, it } from "vitest";
import { declaredBy } from "../src/tool/declared-schema.js";
import { describeIssue } from "../src/tool/schema-issue.js";
import { allNames } from "../src/tool/schema-place.js";

describe("P2 what is said of a schema's issue", () => {
  const said = (issue: object | null | undefined, schema: object = {}, args: object = {}) =>
    describeIssue(issue as never, schema as never, args as never);

  it("is nothing of no issue", () => {
    expect([said(undefined), said(null), said("x" as never)]).toEqual(["", "", ""]);
  });

  it("has the place by any path that can be walked", () => {
    const schema = { properties: { a: { type: "string" } } };
    for (const path of [["a"], new Set(["a"]), [{ key: "a" }]]) {
      expect(said({ message: "", path }, schema, { a: 1 })).toBe(" at /a: expected string");
    }
  });

  it("is what a reference within the schema states, and not one to elsewhere", () => {
    const schema = {
      $defs: { deep: { size: { type: "number" } } },
      properties: {
        size: { $ref: "#/$defs/deep/size" },
        other: { $ref: "x#/$defs/deep/size" },
        root: { $ref: "#" },
      },
      type: "object",
    };
    expect(said({ message: "", path: ["size"] }, schema, { size: "x" })).toBe(
      " at /size: expected number",
    );
    expect(said({ message: "", path: ["other"] }, schema, { other: "x" })).toBe(" at /other");
    expect(said({ message: "", path: ["root"] }, schema, { root: "x" })).toBe(
      " at /root: expected object",
    );
  });

  it("is of an item of a list what the schema says of its place", () => {
    const schema = {
      properties: { list: { prefixItems: [{ type: "string" }], items: { type: "boolean" } } },
    };
    const at = (place: number) =>
      said({ message: "", path: ["list", place] }, schema, { list: [1, 1] });
    expect([at(0), at(1)]).toEqual([
      " at /list/0: expected string",
      " at /list/1: expected boolean",
    ]);
  });

  it("names values that are short, and counts others", () => {
    const of = (values: readonly unknown[]) =>
      said({ message: "", path: ["a"] }, { properties: { a: { enum: values } } }, { a: "x" });
    expect(of([null, 1, true, "b"])).toBe(" at /a: expected null or 1 or true or 'b'");
    expect(of([{}, 1])).toBe(" at /a: expected one of 2 declared values");
    expect(of(["y".repeat(64)])).toBe(` at /a: expected '${"y".repeat(64)}'`);
    expect(of(["y".repeat(65)])).toBe(" at /a: expected one of 1 declared values");
    expect(of(Array.from({ length: 12 }, (_, at) => at))).toContain("0 or 1");
    expect(of(Array.from({ length: 13 }, (_, at) => at))).toContain("one of 13 declared values");
  });

  it("joins that a member is missing with what is expected of it", () => {
    const schema = { properties: { a: { type: "string" } } };
    expect(said({ message: "", path: ["a"] }, schema)).toBe(" at /a: missing, expected string");
    expect(said({ message: "", path: [], expected: "(string | number)" })).toBe(
      ": expected string | number",
    );
  });

  it("is nothing of a bound that is not for a value of its type", () => {
    const of = (schema: object, a: unknown) =>
      said({ message: "", path: ["a"] }, { properties: { a: schema } }, { a });
    expect(of({ type: ["string", "number"], minLength: 3 }, 1)).toBe(" at /a");
    expect(of({ type: ["string", "array"], minItems: 3 }, "x")).toBe(" at /a");
    expect(of({ type: ["string", "number"], minimum: 5 }, "1")).toBe(" at /a");
    expect(of({ type: "string", minLength: 3 }, "x")).toBe(
      " at /a: expected at least 3 characters",
    );
  });

  it("is what a schema states that refers to itself, or has an alternative that is none", () => {
    const schema = {
      $defs: { t: { anyOf: [{ $ref: "#/$defs/t" }, null, { type: "number" }] } },
      properties: { a: { $ref: "#/$defs/t" } },
    };
    expect(said({ message: "", path: ["a"] }, schema, { a: "x" })).toBe(" at /a: expected number");
    expect(said({ message: "", path: ["a", "b"] }, schema, { a: null })).toBe(" at /a/*: missing");
  });

  it("is nothing of a format for a value that is no text", () => {
    const a = { type: ["string", "number"], format: "email" };
    const issue = { message: "", path: ["a"], code: "invalid_format" };
    expect(said(issue, { properties: { a } }, { a: 1 })).toBe(" at /a");
    expect(said(issue, { properties: { a } }, { a: "x" })).toBe(
      " at /a: expected text of the format 'email'",
    );
  });

  it("repeats 200 characters of the author's at most", () => {
    const of = (length: number) => said({ message: "y".repeat(length), path: [] });
    expect([of(200), of(201)]).toEqual([`: ${"y".repeat(200)}`, ""]);
  });

  it("knows the names that a schema declares at any place", () => {
    const schema = { default: null, properties: { a: { items: { properties: { b: {} } } } } };
    expect([...allNames(schema)].sort()).toEqual(["a", "b"]);
  });

  it("is read from a choice of numbers, which are not the names of others", () => {
    for (const options of [
      [1, 0, 2],
      ["a", "b"],
    ]) {
      expect(declaredBy({ type: "picklist", options })).toEqual({ enum: options });
    }
    const named = { type: "enum", entries: { Low: 0, High: 1, 0: "Low", 1: "High" } };
    expect(declaredBy(named)).toEqual({ enum: [0, 1] });
  });

  it("is read twelve levels deep, and no deeper", () => {
    const nested = (levels: number): object =>
      levels === 0 ? { type: "string" } : { type: "array", item: nested(levels - 1) };
    const inmost = (levels: number) => {
      let each: unknown = declaredBy(nested(levels));
      for (let level = 0; level < levels; level++) each = (each as { items: unknown }).items;
      return each;
    };
    expect([inmost(1), inmost(12), inmost(13)]).toEqual([
      { type: "string" },
      { type: "string" },
      {},
    ]);
  });

  it("is that a member is not declared only where the library forbids it", () => {
    const schema = { properties: { a: { type: "object" } } };
    const of = (issue: object) => said({ message: "", path: ["a"], ...issue }, schema, { a: 7 });
    expect(of({ type: "strict_object", expected: "Object" })).toBe(" at /a: expected object");
    expect(of({ type: "object", expected: "never" })).toBe(" at /a: expected object");
    expect(of({ code: "custom", keys: ["b"] })).toBe(" at /a: expected object");
    expect(of({ code: "unrecognized_keys", keys: "b" })).toBe(" at /a: expected object");
    expect(of({ type: "strict_object", expected: "never" })).toContain("is not declared");
    expect(of({ code: "unrecognized_keys", keys: ["b"] })).toContain("is not declared");
  });

  it("is read from a list of zod 3 as from others", () => {
    const text = { _def: { typeName: "ZodString" } };
    expect(declaredBy({ _def: { typeName: "ZodArray", type: text } })).toEqual({
      type: "array",
      items: { type: "string" },
    });
  });

  it("tells a member of an odd name by the spelling of a pointer", () => {
    const schema = { properties: { "a/b~c": { type: "string" } } };
    expect(said({ message: "", path: ["a/b~c"] }, schema, { "a/b~c": 1 })).toBe(
      " at /a~1b~0c: expected string",
    );
  });
});
