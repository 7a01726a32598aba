import type { JsonObject } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { compileSchema, schemaValidation } from "../src/index.js";
import { ask, call, result } from "./calls.js";
import { refusal } from "./refusal.js";

const drafts = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"] as const;

describe("null for a keyword that decides nothing", () => {
  it.each(drafts)("is taken for none in %s", (defaultDraft) => {
    const nothing = { title: null, description: null, format: null };
    const schema = compileSchema(
      {
        type: "object",
        ...nothing,
        properties: { q: { type: "string", ...nothing }, description: { type: "number" } },
      },
      { defaultDraft },
    );
    expect(schema.check({ q: "tea", description: 1 })).toBeUndefined();
    expect(schema.check({ q: 1 })).toMatchObject({ pointer: "/q" });
    expect(schema.check({ description: "1" })).toMatchObject({ pointer: "/description" });
  });

  it("is refused where the keyword decides, and so are other values", () => {
    expect(refusal({ minimum: null })).toContain("minimum must be a number, not null");
    expect(refusal({ properties: { title: null } })).toContain("at /properties/title");
    expect(refusal({ title: 5 })).toContain("title must be text, not a number");
  });

  it("leaves the published meta-schemas as they are", () => {
    const schema = compileSchema({ $ref: "https://json-schema.org/draft/2020-12/schema" });
    expect(schema.check({ title: null })).toMatchObject({ pointer: "/title" });
  });

  it("asks nothing of results as an outputSchema, and everything else of an outputSchema is held", async () => {
    const guard = schemaValidation();
    const tool = (outputSchema: unknown) => ({
      name: "send_mail",
      parameters: true as const,
      outputSchema: outputSchema as JsonObject,
    });
    guard.register?.(tool(null));
    expect(() => guard.register?.(tool("text"))).toThrow("outputSchema");
    const judged = (outputSchema: unknown) =>
      guard.evaluateResult?.(call({}, tool(outputSchema)), result({ content: "sent" }));
    expect(await judged(null)).toMatchObject({ decision: "allow" });
    expect(await judged({ type: "object" })).toMatchObject({ decision: "deny" });
  });
});

describe("an enum", () => {
  it.each(["draft-06", "draft-07", "2019-09", "2020-12"] as const)(
    "that repeats a value or has none is admitted in %s",
    (defaultDraft) => {
      const repeated = compileSchema({ enum: ["a", "", "a"] }, { defaultDraft });
      expect(repeated.check("a")).toBeUndefined();
      expect(repeated.check("")).toBeUndefined();
      expect(repeated.check("b")).toMatchObject({ keyword: "enum" });
      const none = compileSchema({ properties: { a: { enum: [] } } }, { defaultDraft });
      expect(none.check({})).toBeUndefined();
      expect(none.check({ a: null })).toMatchObject({ keyword: "enum", pointer: "/a" });
    },
  );

  it("is refused in draft-04, which forbids both", () => {
    expect(refusal({ enum: ["a", "a"] }, { defaultDraft: "draft-04" })).toContain("twice");
    expect(refusal({ enum: [] }, { defaultDraft: "draft-04" })).toContain("at least one value");
  });
});

describe('unsupportedPatterns: "skip"', () => {
  const parameters = {
    type: "object",
    properties: {
      a: { type: "string", pattern: "^(?:(?!--)[a-z-])+$", maxLength: 5 },
      b: { type: "string", pattern: "^b" },
    },
  };

  it("leaves one pattern out, and holds the value to all else", () => {
    const schema = compileSchema(parameters, { unsupportedPatterns: "skip" });
    expect(schema.skippedPatterns).toEqual(["/properties/a/pattern"]);
    expect(schema.check({ a: "-----" })).toBeUndefined();
    expect(schema.check({ a: "------" })).toMatchObject({ keyword: "maxLength" });
    expect(schema.check({ b: "a" })).toMatchObject({ keyword: "pattern" });
    expect(compileSchema({ pattern: "^b" }).skippedPatterns).toEqual([]);
    expect(refusal(parameters)).toContain("at /properties/a/pattern");
  });

  it("says so with each verdict that lets a call or a result pass", async () => {
    const guard = schemaValidation({ unsupportedPatterns: "skip", coerceTypes: true });
    const metadata = { skippedPatterns: ["/properties/a/pattern"] };
    const tool = { parameters, outputSchema: parameters };
    expect(ask(guard, call({ a: "-" }, tool))).toEqual({ decision: "allow", metadata });
    expect(ask(guard, call({ a: 1 }, tool))).toMatchObject({ decision: "modify", metadata });
    expect(
      await guard.evaluateResult?.(call({}, tool), result({ structured: { a: "-" } })),
    ).toEqual({ decision: "allow", metadata });
    const whole = { parameters: { type: "object", properties: { b: { pattern: "^b" } } } };
    expect(ask(guard, call({ b: "b" }, whole))).toEqual({ decision: "allow" });
  });

  it("refuses a pattern of keys all the same: without it other rules would hold for them", () => {
    const schema = { patternProperties: { "^(?:(?!--)[a-z-])+$": {} } };
    expect(refusal(schema, { unsupportedPatterns: "skip" })).toContain("at /patternProperties");
  });
});
