import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pythonJson, textsIn } from "../../src/tool-rails/python-json.js";

describe("Python's JSON", () => {
  it("is JSON of the same value, in ASCII, for every value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = pythonJson(value);
        expect(text).toMatch(/^[\x20-\x7e]*$/);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("has a blank behind commas and colons, and escapes what is not ASCII", () => {
    const value = { b: [1, "ö\n", null], ü: { a: true } };
    expect(pythonJson(value)).toBe(String.raw`{"b": [1, "\u00f6\n", null], "\u00fc": {"a": true}}`);
  });
});

describe("the texts in a value", () => {
  it("are all that stands in it, names of members too", () => {
    expect(textsIn({ a: ["b", 1, { c: "d" }], e: null })).toEqual(["a", "b", "c", "d", "e"]);
  });
});
