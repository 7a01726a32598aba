import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { hasShape, shapeOf } from "../../src/tool-rails/same-json.js";

const json = fc.jsonValue({ maxDepth: 4 });
const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const shapeIn = (value: unknown) => shapeOf(parsed(value));

describe("hasShape", () => {
  it("is true of a value that has not changed", () => {
    fc.assert(fc.property(json, (value) => hasShape(parsed(value), shapeIn(value))));
  });

  it("is true only of what JSON would write as it was", () => {
    const anything = fc.anything({
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
    });
    fc.assert(
      fc.property(fc.oneof(json, anything), fc.oneof(json, anything), (value, earlier) => {
        for (const [now, then] of [
          [value, earlier],
          [value, value],
        ]) {
          const text = JSON.stringify(then);
          if (text === undefined || !hasShape(now, shapeIn(then))) continue;
          expect(JSON.stringify(now)).toBe(text);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("finds a change at any place of a value", () => {
    const place = fc.nat();
    fc.assert(
      fc.property(
        fc.oneof(fc.array(json), fc.dictionary(fc.string(), json)),
        place,
        (value, at) => {
          const now = parsed(value);
          const places = membersOf(now);
          fc.pre(places.length > 0);
          const { holder, key } = places[at % places.length] as Place;
          holder[key] = { changed: holder[key] };
          expect(hasShape(now, shapeIn(value))).toBe(false);
        },
      ),
    );
  });

  const shape = shapeIn({ a: 1 });
  it.each<[string, object]>([
    ["speaks for itself", { a: 1, toJSON: () => ({}) }],
    ["does so unseen", Object.defineProperty({ a: 1 }, "toJSON", { value: () => ({}) })],
    ["is of a class", Object.assign(new (class A {})(), { a: 1 })],
    ["inherits its member", Object.create({ a: 1 })],
    ["has one more, inherited", Object.assign(Object.create({ b: 1 }), { a: 1 })],
    ["has one more that is not there", { a: 1, b: undefined }],
    ["has it unseen", Object.defineProperty({}, "a", { value: 1 })],
  ])("is false of what %s", (_, value) => {
    expect(hasShape(value, shape)).toBe(false);
  });

  describe("with a planted root prototype", () => {
    afterEach(() => {
      delete (Object.prototype as unknown as Record<string, unknown>)["a"];
    });

    it("is false where the planted member is what is missing", () => {
      (Object.prototype as unknown as Record<string, unknown>)["a"] = 1;
      expect(hasShape({}, shape)).toBe(false);
    });
  });
});

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function membersOf(value: unknown): readonly Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...membersOf(holder[key])]);
}
