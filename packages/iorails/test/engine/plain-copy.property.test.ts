import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { notPlain, plainCopy } from "../../src/engine/plain-copy.js";

describe("plainCopy", () => {
  it("copies as JSON would, or not at all", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const copy = plainCopy(value);
        if (copy !== notPlain) expect(copy).toStrictEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 2_000 },
    );
  });

  it("copies all that came out of JSON, and shares nothing with it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        // Those are left to JSON.
        fc.pre(!Object.getOwnPropertyNames(Object.prototype).some((name) => text.includes(name)));
        const given = JSON.parse(JSON.stringify(value));
        const copy = plainCopy(given);
        expect(copy).toStrictEqual(given);
        if (typeof copy === "object" && copy !== null) expect(copy).not.toBe(given);
      }),
    );
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  it.each<[string, unknown]>([
    ["a member that is not there", { a: undefined }],
    ["a function", { a: () => 1 }],
    ["a number that is none", [Number.NaN]],
    ["a hole in a list", new Array(1)],
    ["an object that speaks for itself", { toJSON: () => "b" }],
    ["one that does so unseen", Object.defineProperty({}, "toJSON", { value: () => "b" })],
    ["a cycle", cycle],
  ])("leaves %s to JSON", (_, value) => {
    expect(plainCopy(value)).toBe(notPlain);
  });

  it("keeps a key that would be the prototype as a member, as JSON does", () => {
    const copy = plainCopy(JSON.parse('{"__proto__": {"a": 1}}')) as object;
    expect(Object.getOwnPropertyNames(copy)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  describe("with a planted root prototype", () => {
    afterEach(() => {
      delete (Object.prototype as unknown as Record<string, unknown>)["content"];
    });

    it("loses no member to a setter", () => {
      Object.defineProperty(Object.prototype, "content", { set() {}, configurable: true });
      const copy = plainCopy(JSON.parse('{"content": "a"}')) as object;
      expect(Object.getOwnPropertyDescriptor(copy, "content")?.value).toBe("a");
    });
  });
});
