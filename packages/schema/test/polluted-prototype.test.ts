import { afterEach, describe, expect, it } from "vitest";
import { compileSchema, type SchemaValidationOptions, schemaValidation } from "../src/index.js";
import { compileBothWays } from "./both-ways.js";
import { ask, call, mail, mailSchema } from "./calls.js";

const planted: string[] = [];
function plant(name: string, value: unknown, enumerable = true): void {
  planted.push(name);
  Object.defineProperty(Object.prototype, name, {
    value,
    enumerable,
    configurable: true,
    writable: true,
  });
}
afterEach(() => {
  for (const name of planted.splice(0)) Reflect.deleteProperty(Object.prototype, name);
});

const strict = {
  properties: { a: { type: "string" }, b: { type: "string" } },
  required: ["a"],
  dependentRequired: { b: ["a"] },
  additionalProperties: false,
};
const unevaluated = {
  allOf: [{ properties: { a: {} } }, { patternProperties: { "^b": {} } }],
  unevaluatedProperties: false,
};

describe("P8 with data planted on Object.prototype", () => {
  it.each([true, false])("P8 a required property stays missing (enumerable: %s)", (enumerable) => {
    const compiled = compileBothWays(strict);
    expect(compiled.hasCode).toBe(true);
    plant("a", "planted", enumerable);
    expect(compiled.check({})).toMatchObject({ keyword: "required" });
    expect(compiled.check({ a: "own" })).toBeUndefined();
    plant("b", 5, enumerable);
    expect(compiled.check({ a: "own" })).toBeUndefined();
  });

  it("P8 members that nobody gave are neither allowed nor denied", () => {
    const compiled = compileBothWays(strict);
    const open = compileBothWays(unevaluated);
    plant("planted", true);
    expect(compiled.check({ a: "own" })).toBeUndefined();
    expect(compiled.check({ a: "own", planted: true })).toMatchObject({
      keyword: "additionalProperties",
    });
    expect(open.check({ a: 1, b1: 2 })).toBeUndefined();
    expect(open.check({ a: 1, planted: 2 })).toMatchObject({ keyword: "unevaluatedProperties" });
  });

  const names = [
    ..."type enum const required properties additionalProperties $ref allOf not items default nullable".split(
      " ",
    ),
    ..."errors instancePath parentData rootData schema keyword params evaluated props valid left take test".split(
      " ",
    ),
    ..."coerceTypes useDefaults removeAdditional allErrors strict code ownProperties decision code metadata".split(
      " ",
    ),
    ..."dropNulls forbidUndeclared applyDefaults resultSchema defaultDraft parameters outputSchema structured".split(
      " ",
    ),
  ];

  it.each(names)("P8 the verdicts are the same with %s planted", (name) => {
    const provider = schemaValidation();
    const denied = call({ ...mail, to: [5] }, { parameters: mailSchema });
    const allowed = call(mail, { parameters: mailSchema });
    expect(ask(provider, denied).decision).toBe("deny");
    expect(ask(provider, allowed).decision).toBe("allow");
    for (const value of [true, "allow", {}, []]) {
      plant(name, value);
      expect(ask(provider, denied)).toMatchObject({ decision: "deny" });
      expect(Object.getOwnPropertyDescriptor(ask(provider, denied), "decision")?.value).toBe(
        "deny",
      );
      expect(ask(provider, allowed).decision).toBe("allow");
    }
  });

  it.each(names)("P8 a schema first seen with %s planted is refused and not misread", (name) => {
    plant(name, {});
    const provider = schemaValidation();
    expect(provider.evaluate(call({ to: [5] }, { parameters: mailSchema }))).toMatchObject({
      decision: "deny",
    });
    expect(() => compileSchema(strict)).toThrow("Object.prototype has enumerable members");
  });

  const hidden: [string, unknown][] = [
    ["validate", () => true],
    ["code", () => undefined],
    ["type", "string"],
    ["schemaType", "string"],
    ["valid", true],
    ["createErrors", true],
  ];

  it.each(hidden)("P8 a schema first seen with a hidden %s planted is held", (name, value) => {
    // The text is new, so that it is compiled now.
    const first = { const: 1, title: name };
    plant(name, value, false);
    const compiled = compileBothWays(first);
    expect(compiled.check(2)).toMatchObject({ keyword: "const" });
    expect(compiled.check(1)).toBeUndefined();
    Reflect.deleteProperty(Object.prototype, name);
    expect(compiled.check(2)).toMatchObject({ keyword: "const" });
    expect(compileBothWays({ const: 3 }).check(2)).toMatchObject({ keyword: "const" });
  });

  it("P8 options are own properties", () => {
    plant("dropNulls", true, false);
    plant("resultSchema", false, false);
    const provider = schemaValidation({} satisfies SchemaValidationOptions);
    expect(provider.evaluateResult).toBeDefined();
    const parameters = { properties: { a: { type: "string" } } };
    expect(provider.evaluate(call({ a: null }, { parameters }))).toMatchObject({
      decision: "deny",
    });
  });
});
