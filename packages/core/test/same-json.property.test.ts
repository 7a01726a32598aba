import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, sameJson } from "../src/json/canonical.js";
import { thawed } from "../src/json/own.js";
import { defaultLimits, snapshot } from "../src/json/snapshot.js";
import { jsonValues } from "./support/json-values.js";

/** Values that JSON holds, and among them what it does not. */
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(0, -0, 1, "", "a", "\ud800", true, null, undefined, Number.NaN, 1n),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "\ud800"), tie("value"), { maxKeys: 3 }),
    fc.constantFrom<unknown>(new Date(0), new Map(), Object.create({ a: 1 }), () => 1),
  ),
})).value;

/** The same question asked of the texts. */
function haveSameText(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}

/** A copy in which one member stands elsewhere, is left out, or is another. */
function nearly(value: unknown, seed: number): unknown {
  if (typeof value !== "object" || value === null) return seed % 7 === 0 ? "other" : value;
  if (Array.isArray(value)) return value.map((each, index) => nearly(each, seed + 3 * index));
  const entries = Object.entries(value).map(([key, member]) => [key, nearly(member, seed + 1)]);
  if (seed % 3 === 1) entries.reverse();
  if (seed % 5 === 1) entries.push(["unsaid", undefined]);
  return Object.fromEntries(entries);
}

describe("sameJson", () => {
  it("answers as the canonical texts do, whatever it is given", () => {
    fc.assert(
      fc.property(anything, anything, (one, other) => {
        expect(sameJson(one, other)).toBe(haveSameText(one, other));
      }),
    );
  });

  it("answers as the texts do of values that are nearly the same", () => {
    let same = 0;
    fc.assert(
      fc.property(fc.oneof(anything, jsonValues), fc.nat(), (value, seed) => {
        const other = nearly(value, seed);
        const answer = haveSameText(value, other);
        if (answer) same += 1;
        expect(sameJson(value, other)).toBe(answer);
        expect(sameJson(other, value)).toBe(answer);
      }),
      { numRuns: 500 },
    );
    expect(same).toBeGreaterThan(0);
  });

  it("is false where a member stands on the root prototype only", () => {
    Object.defineProperty(Object.prototype, "planted", { value: 1, configurable: true });
    try {
      expect(sameJson({ planted: 1 }, { other: 1 })).toBe(false);
      expect(sameJson({ other: 1 }, { planted: 1 })).toBe(false);
    } finally {
      Reflect.deleteProperty(Object.prototype, "planted");
    }
  });

  it("is false of what goes in a circle", () => {
    const one: Record<string, unknown> = {};
    one["self"] = one;
    const other: Record<string, unknown> = {};
    other["self"] = other;
    expect(sameJson(one, other)).toBe(false);
  });

  it("is false of a list and an object with the same members", () => {
    expect(sameJson([1], { 0: 1 })).toBe(false);
    expect(sameJson({ 0: 1 }, [1])).toBe(false);
  });
});

describe("thawed", () => {
  it("is the same JSON, and can be changed to the leaves", () => {
    fc.assert(
      fc.property(jsonValues, (value) => {
        const frozen = snapshot(value, { ...defaultLimits, maxDepth: 200 });
        const copy = thawed(frozen);
        expect(copy).toEqual(frozen);
        const left = [copy];
        for (const each of left) {
          if (typeof each !== "object" || each === null) continue;
          expect(Object.isFrozen(each)).toBe(false);
          left.push(...Object.values(each));
        }
      }),
    );
  });
});
