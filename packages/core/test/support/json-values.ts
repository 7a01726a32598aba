import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/protocol/guardrail.js";

/** Text full of what a hurried JSON scanner trips over. */
export const trickyText = fc.string({
  unit: fc.constantFrom(
    '"',
    "\\",
    ":",
    "{",
    "}",
    "[",
    "]",
    ",",
    "u",
    "0",
    " ",
    "\n",
    "é",
    "😀",
    "a",
  ),
  maxLength: 12,
});

const keys = fc
  .oneof(
    fc.constantFrom("a", "b", "to", "constructor", "toString", "length", "0", "1", ""),
    trickyText,
  )
  .filter((key) => key !== "__proto__");

const numbers = fc
  .oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 1, -1, 0.1, 5e-324, 1.5e-7, 123456.789, 2 ** 53 - 1, -(2 ** 53) + 1),
  )
  .map((number) =>
    // Integers that a double cannot hold exactly have tests of their own, and so has -0.
    Number.isInteger(number) && !Number.isSafeInteger(number) ? 7 : number + 0,
  );

const { value, object } = fc.letrec<{ value: JsonValue; object: JsonObject; list: JsonValue[] }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant(null),
      fc.boolean(),
      numbers,
      trickyText,
      tie("list"),
      tie("object"),
    ),
    object: fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    list: fc.array(tie("value"), { maxLength: 4 }),
  }),
);

/** JSON that core accepts, with tricky keys and strings. */
export const jsonValues: fc.Arbitrary<JsonValue> = value;
export const jsonObjects: fc.Arbitrary<JsonObject> = object;

/** Whether a value is frozen at every level. */
export function isDeepFrozen(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return true;
  return Object.isFrozen(given) && Object.values(given).every(isDeepFrozen);
}

/** A plain copy that is not frozen and shares nothing. */
export function thawed<T>(given: T): T {
  return structuredClone(given);
}
