import { collectGarbage, heapUsed } from "@toolstile/testing/heap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Compiled } from "../src/admission/compile.js";
import { KeptSchemas } from "../src/admission/kept-schemas.js";
import { SchemaCache } from "../src/admission/schema-cache.js";
import { deepFreeze } from "./calls.js";

const setting = {
  defaultDraft: "2020-12",
  maxPatternInput: 65_536,
  unsupportedPatterns: "refuse",
} as const;
const cache = (kept = new KeptSchemas()) => new SchemaCache(setting, kept);
/** Its keys stand in the order in which content is written. */
const schema = (n = 0) => ({ properties: { a: { maxLength: n, type: "string" } }, type: "object" });
/** A schema with each kind of step that compiles: references, properties of Unicode, both engines of patterns. */
const manySided = (n: number) => ({
  $id: `https://example.org/${n}`,
  $defs: { text: { type: "string", pattern: "^\\p{Ll}+/\\p{Ll}+$" } },
  properties: { a: { allOf: [{ $ref: "#/$defs/text" }, { pattern: "^(x+x+)+/y$|^x/y$" }] } },
  patternProperties: { "^b{1,3}": { maxLength: n } },
});
const triesAtTheEndOfTheStack = 400;
const turned = (n = 0) => ({ type: "object", properties: schema(n).properties });
const weight = (() => {
  const one = new KeptSchemas();
  cache(one).get(schema(10));
  return one.bytes;
})();
/** Room for so many of these. */
const roomFor = (count: number) => new KeptSchemas(count * weight);
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Collects garbage until that is so; the callbacks that tell of it come when the engine has time. */
const untilCollected = (isSo: () => boolean) =>
  expect
    .poll(
      () => {
        collectGarbage();
        return isSo();
      },
      { timeout: 20_000 },
    )
    .toBe(true);

describe("SchemaCache", () => {
  it("P17 shares one entry among equal schemas, frozen or not, in any order of keys", () => {
    const shared = cache();
    const first = shared.get(schema());
    expect(shared.get(schema())).toBe(first);
    expect(shared.get(deepFreeze(schema()))).toBe(first);
    expect(shared.get(turned())).toBe(first);
    expect(shared.get(schema(1))).not.toBe(first);
  });

  it("P17 compiles once for all guards that read schemas alike, and apart for others", () => {
    const first = new SchemaCache(setting).get(schema());
    expect(new SchemaCache({ ...setting }).get(schema())).toBe(first);
    for (const other of [
      { ...setting, defaultDraft: "draft-07" as const },
      { ...setting, maxPatternInput: 1 },
      { ...setting, unsupportedPatterns: "skip" as const },
    ]) {
      expect(new SchemaCache(other).get(schema())).not.toBe(first);
    }
  });

  it("P17 compiles once for 100,000 refreshes of a list", () => {
    const shared = cache();
    const entries = new Set<Compiled>();
    const text = JSON.stringify(schema());
    for (let i = 0; i < 100_000; i++) entries.add(shared.get(JSON.parse(text) as object));
    expect(entries.size).toBe(1);
  });

  it("P17 keeps no more than its weight, however few they are", () => {
    const kept = roomFor(10);
    const small = cache(kept);
    for (const n of range(100)) small.get(schema(n));
    expect(kept.size).toBeGreaterThan(5);
    expect(kept.size).toBeLessThan(12);
    small.get({ description: "x".repeat(100_000) });
    expect(kept.size).toBe(0);
    small.get(schema());
    expect(kept.size).toBe(1);
  });

  it("P17 counts its weight truly, whatever it is asked in whatever order", () => {
    const heavy = (n: number) => ({ ...schema(n), description: "x".repeat(5_000) });
    const makers = [schema, turned, heavy];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(30)), { maxLength: 60 }), (asked) => {
        const kept = roomFor(8);
        for (const [maker, n] of asked) {
          cache(kept).get((makers[maker] as typeof schema)(n));
          expect(kept.bytes).toBeLessThanOrEqual(8 * weight);
        }
        // This one has no room, and all others give way to it first.
        cache(kept).get({ description: "x".repeat(100_000) });
        expect([kept.size, kept.bytes]).toEqual([0, 0]);
      }),
      { numRuns: 20 },
    );
  });

  it("P17 knows a schema by few texts, in however many orders its keys come", () => {
    const kept = new KeptSchemas();
    const names = [..."abcdef"];
    const orders = names.flatMap((first) =>
      names.map((second) => [...new Set([first, second, ...names])]),
    );
    const one = cache(kept);
    for (const order of orders) {
      one.get({ properties: Object.fromEntries(order.map((name) => [name, true])) });
    }
    expect(kept.size).toBe(1);
    expect(kept.bytes).toBeLessThan(25_000);
  });

  it("P17 finds most of a list that is a little longer than what it keeps, gone through in order", () => {
    const small = cache(roomFor(100));
    const known = new Map<number, Compiled>();
    let again = 0;
    for (const round of range(10)) {
      for (const n of range(110)) {
        const compiled = small.get(schema(n + 10));
        if (round > 2 && known.get(n) !== compiled) again++;
        known.set(n, compiled);
      }
    }
    expect(again / (7 * 110)).toBeLessThan(0.4);
  });

  it("P17 finds a schema in force beyond what it keeps, and forgets it with its tool", async () => {
    const kept = roomFor(30);
    const runner = cache(kept);
    let inForce = range(100).map((n) => deepFreeze(schema(n)));
    const compiled = inForce.map((each) => runner.get(each));
    const other = cache(kept);
    expect(inForce.map((_, n) => other.get(deepFreeze(schema(n))))).toEqual(compiled);
    expect(inForce.every((_, n) => other.get(schema(n)) === compiled[n])).toBe(true);
    expect(kept.findable).toBe(100);
    inForce = [];
    compiled.length = 0;
    await untilCollected(() => kept.findable <= kept.size);
    expect(runner.get(schema(99)).check({ a: 1 })).toBeDefined();
  });

  it("P17 finds no more schemas in force than weigh four times as much as it keeps", () => {
    const kept = roomFor(10);
    const held = range(100).map((n) => deepFreeze(schema(n)));
    for (const each of held) cache(kept).get(each);
    expect(kept.findable).toBeGreaterThan(20);
    expect(kept.findable).toBeLessThanOrEqual(40);
  });

  it("P17 keeps fifty of the longest schemas in less than 100 MB", { tags: "long" }, () => {
    const kept = cache();
    const before = heapUsed();
    for (let n = 0; n < 50; n++) {
      kept.get({ required: Array.from({ length: 20_000 }, (_, i) => `${n}-${i}`) });
    }
    expect(heapUsed() - before).toBeLessThan(100e6);
    expect(kept.get(true).check(1)).toBeUndefined();
  });

  const named = (count: number, n: number, member: object) =>
    Object.fromEntries(range(count).map((p) => [`p${n}_${p}`, member]));
  it.each<[string, (n: number) => object]>([
    ["one property", (n) => ({ properties: named(1, n, { type: "string" }) })],
    ["five properties", (n) => ({ properties: named(5, n, { type: "string", maxLength: 9 }) })],
    ["fifty properties", (n) => ({ properties: named(50, n, { type: "string" }) })],
    ["many values", (n) => ({ enum: range(150).map((value) => `v${value}_${n}`) })],
    ["a pattern", (n) => ({ pattern: `(a|b)*c${n}` })],
  ])("P17 weighs no less than it takes, with %s", { tags: "long" }, (_, make) => {
    const kept = new KeptSchemas();
    const one = cache(kept);
    const keep = (n: number) => {
      const compiled = one.get(make(n));
      for (let time = 0; time < 10_000 && !compiled.hasCode; time++) compiled.check({ ["a"]: n });
    };
    for (const n of range(20)) keep(1_000 + n);
    const [before, weighed] = [heapUsed(), kept.bytes];
    for (const n of range(150)) keep(n);
    expect(heapUsed() - before).toBeLessThan(kept.bytes - weighed);
  });

  it("gives the same verdicts whatever it holds, and however small it is", () => {
    const schemas = [
      ...Array.from({ length: 12 }, (_, n) => schema(n)),
      { properties: { a: { pattern: "(a|b)*c" } }, required: ["a"] },
      { type: "dict" },
      { anyOf: [{ required: ["b"] }, { properties: { a: { const: "ab" } } }] },
      false,
    ];
    const values = [{}, { a: "" }, { a: "ab" }, { a: "abc" }, { a: 1 }, { b: null }, []];
    const verdicts = (held: SchemaCache, asked: object | boolean) => {
      try {
        const compiled = held.get(asked);
        return values.map((value) => compiled.check(value) ?? "valid");
      } catch (error) {
        return String(error);
      }
    };
    const caches = [cache(roomFor(1)), cache(roomFor(3)), cache(), cache(new KeptSchemas(1))];
    fc.assert(
      fc.property(fc.array(fc.nat(schemas.length - 1), { maxLength: 25 }), (order) => {
        for (const index of order) {
          const asked = schemas[index] as object | boolean;
          const alone = verdicts(cache(), asked);
          for (const held of caches) expect(verdicts(held, asked)).toEqual(alone);
        }
      }),
      { numRuns: 10 },
    );
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

  it("does not remember a refusal whose reason passes", () => {
    const shared = cache();
    Object.defineProperty(Object.prototype, "planted", {
      enumerable: true,
      configurable: true,
      writable: true,
    });
    try {
      expect(() => shared.get(schema())).toThrow("enumerable members");
    } finally {
      Reflect.deleteProperty(Object.prototype, "planted");
    }
    expect(shared.get(schema()).check({ a: "" })).toBeUndefined();
  });

  it.each(["refuse", "skip"] as const)(
    "does not remember that the stack was too full to compile, where what is unsupported is to %s",
    (unsupportedPatterns) => {
      const shared = new SchemaCache({ ...setting, unsupportedPatterns }, new KeptSchemas());
      const tried: object[] = [];
      const tryOnTheWayBack = (): void => {
        try {
          tryOnTheWayBack();
        } catch {
          // The end of the stack.
        }
        // Each time the stack has a little more room, so that it is full at another step.
        if (tried.length === triesAtTheEndOfTheStack) return;
        tried.push(manySided(tried.length));
        try {
          shared.get(tried.at(-1) as object);
        } catch {
          // It is asked for again below.
        }
      };
      tryOnTheWayBack();
      expect(tried).toHaveLength(triesAtTheEndOfTheStack);
      for (const each of tried) {
        const compiled = shared.get(each);
        expect(compiled.skipped).toEqual([]);
        expect(compiled.check({ a: "x/y" })).toBeUndefined();
        expect(compiled.check({ a: "" })).toBeDefined();
      }
    },
  );

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
