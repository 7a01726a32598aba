import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "../src/json/canonical.js";
import type { JsonValue } from "../src/protocol/guardrail.js";
import { jsonValues } from "./support/json-values.js";

/** The same value with the keys of each object in another order. */
function shuffled(value: JsonValue, seed: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => shuffled(each, seed));
  const entries = Object.entries(value).map(
    ([key, member]) => [key, shuffled(member as JsonValue, seed)] as const,
  );
  return Object.fromEntries(
    seed % 2 === 0 ? entries.reverse() : [...entries.slice(1), ...entries.slice(0, 1)],
  );
}

it("is the text of the value, and of its own reading", () => {
  fc.assert(
    fc.property(jsonValues, (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

it("is the same whatever the order of keys", () => {
  fc.assert(
    fc.property(jsonValues, fc.nat(), (value, seed) => {
      expect(canonicalJson(shuffled(value, seed))).toBe(canonicalJson(value));
    }),
  );
});

it("differs for values that differ", () => {
  fc.assert(
    fc.property(jsonValues, jsonValues, (one, other) => {
      // Strict equality of two readings, with no canonical text involved.
      const same = isDeeplyEqual(one, other);
      expect(canonicalJson(one) === canonicalJson(other)).toBe(same);
    }),
  );
});

function isDeeplyEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) && isDeeplyEqual((one as never)[key], (other as never)[key]),
    )
  );
}
