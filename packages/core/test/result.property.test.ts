import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { readResult, toolResult } from "../src/call/result.js";
import { isDeepFrozen } from "./support/json-values.js";

class Masked extends Array<string> {
  toJSON(): string {
    return "told";
  }
}

const awkward = fc.constantFrom<unknown>(
  new Date(0),
  new Map([["a", 1]]),
  new Array(2),
  Object.create(null),
  Object.create({ inherited: 1 }),
  { toJSON: () => "told" },
  Object.defineProperty({ a: "kept back" }, "toJSON", { value: () => "told" }),
  Object.assign(Object.create(Object.assign(Object.create(null), { toJSON: () => "told" })), {
    a: "kept back",
  }),
  Masked.of("kept back"),
  { ["__proto__"]: 1 },
  JSON.parse('{"__proto__":{"a":1}}'),
  "\ud800",
  { "\udc00": 1 },
  -0,
  2 ** 60,
  Number.NaN,
  undefined,
  () => 1,
  Symbol("x"),
  deep(70),
);

function deep(levels: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

/** Nearly plain JSON, with something awkward somewhere. */
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.anything({ maxDepth: 2, withSparseArray: true, withDate: true, withNullPrototype: true }),
    awkward,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 3 }), tie("value"), { maxKeys: 4 }),
  ),
})).value;

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, held);
  } catch {
    return undefined;
  }
}

/** Numbers that JSON would write as null keep their names, and what it would empty is refused. */
function held(this: Record<string, unknown>, _key: string, written: unknown): unknown {
  const isCode = (each: unknown) => ["function", "symbol"].includes(typeof each);
  if (Array.isArray(this) && isCode(written)) throw new TypeError("in a list");
  if (typeof written === "object" && written !== null && JSON.stringify(written) === "{}") {
    const prototype: unknown = Object.getPrototypeOf(written);
    const isPlain = prototype === null || prototype === Object.prototype;
    if (!isPlain || Object.values(written).some(isCode)) throw new TypeError("emptied");
  }
  return typeof written === "number" && !Number.isFinite(written) ? `${written}` : written;
}

describe("a result's structured half", () => {
  it("is what JSON makes of the value without loss, to the order of its keys, and frozen; or the result is refused", {
    tags: "longer",
  }, () => {
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(value !== undefined);
        const text = textOf(value);
        const claimed = toolResult({ content: "x", structured: value as never });
        if (text === undefined) {
          expect(() => readResult(claimed, "c", "n")).toThrow();
          return;
        }
        const { structured } = readResult(claimed, "c", "n");
        expect(JSON.stringify(structured)).toBe(text);
        expect(structured).toStrictEqual(JSON.parse(text));
        expect(isDeepFrozen(structured)).toBe(true);
      }),
      { numRuns: inject("long") ? 2_000 : 200 },
    );
  });
});
