import { describe, expect, it } from "vitest";
import type { Compiled } from "../src/compile.js";
import { SchemaCache } from "../src/schema-cache.js";
import { deepFreeze } from "./calls.js";

const setting = { defaultDraft: "2020-12", maxPatternInput: 65_536 } as const;
const cache = (limit = 10) => new SchemaCache(setting, limit);
const schema = (n = 0) => ({ type: "object", properties: { a: { type: "string", maxLength: n } } });

describe("SchemaCache", () => {
  it("P17 shares one entry among equal schemas, frozen or not, in any order of keys", () => {
    const shared = cache();
    const first = shared.get(schema());
    expect(shared.get(schema())).toBe(first);
    expect(shared.get(deepFreeze(schema()))).toBe(first);
    const turned = { properties: { a: { maxLength: 0, type: "string" } }, type: "object" };
    expect(shared.get(turned)).toBe(first);
    expect(shared.get(schema(1))).not.toBe(first);
  });

  it("P17 compiles once for 100,000 refreshes of a list", () => {
    const shared = cache();
    const entries = new Set<Compiled>();
    const text = JSON.stringify(schema());
    for (let i = 0; i < 100_000; i++) entries.add(shared.get(JSON.parse(text) as object));
    expect(entries.size).toBe(1);
  });

  it("P17 forgets the least recently used beyond its limit", () => {
    const small = cache(2);
    const zero = small.get(schema(0));
    const one = small.get(schema(1));
    expect(small.get(schema(0))).toBe(zero);
    small.get(schema(2));
    expect(small.get(schema(0))).toBe(zero);
    expect(small.get(schema(1))).not.toBe(one);
  });

  it("does not know by identity what can still change", () => {
    const shared = cache();
    const shallow = Object.freeze(schema());
    const before = shared.get(shallow);
    shallow.properties.a.maxLength = 5;
    expect(shared.get(shallow)).not.toBe(before);
    let calls = 0;
    const tricky = deepFreeze(
      Object.defineProperty({}, "type", {
        enumerable: true,
        get: () => (calls++ === 0 ? "string" : "number"),
      }),
    );
    expect(() => shared.get(tricky)).toThrow("accessor");
  });

  it("refuses a schema each time it is asked, and compiles it once", () => {
    const shared = cache();
    const error = (() => {
      try {
        shared.get({ type: "dict" });
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(Error);
    expect(() => shared.get({ type: "dict" })).toThrow(error as Error);
  });

  it.each([
    [
      "a cycle",
      () => {
        const self: { not?: object } = {};
        self.not = self;
        return self;
      },
      "not JSON",
    ],
    ["half a million characters", () => ({ description: "x".repeat(600_000) }), "too long"],
    ["a class instance", () => ({ not: new Date(0) }), "not JSON"],
  ])("refuses %s", (_, make, reason) => {
    expect(() => cache().get(make())).toThrow(reason);
  });

  it("takes the schemas true and false", () => {
    expect(cache().get(true).check(1)).toBeUndefined();
    expect(cache().get(false).check(1)).toBeDefined();
  });
});
