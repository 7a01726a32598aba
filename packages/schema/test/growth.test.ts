import { leastCpuMs, quietCpuMs } from "@toolstile/testing/cpu";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../src/index.js";

type Schema = Record<string, unknown>;
const many = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, index) => make(index));
const record = (count: number, make: (index: number) => unknown, key = (i: number) => `p${i}`) =>
  Object.fromEntries(many(count, (index) => [key(index), make(index)]));
const nested = (depth: number, around: (inner: unknown, index: number) => Schema) =>
  many(depth, (index) => index).reduce<unknown>(around, { type: "string" }) as Schema;
const named = (prefix: string) => (index: number) => `${prefix}${index}`;
const scripts = ["Latin", "Greek", "Cyrillic", "Armenian", "Hebrew", "Arabic", "Syriac", "Thaana"];

/** Each way in which a schema can grow, and a size near the largest that is admitted. */
const dimensions: Record<string, readonly [number, (size: number) => Schema]> = {
  properties: [900, (n) => ({ properties: record(n, () => ({ type: "string" })) })],
  depth: [60, (n) => nested(n, (inner) => ({ properties: { a: inner }, required: ["a"] }))],
  required: [20_000, (n) => ({ required: many(n, named("p")) })],
  "one dependentRequired": [20_000, (n) => ({ dependentRequired: { p0: many(n, named("p")) } })],
  "many dependentRequired": [
    900,
    (n) => ({ dependentRequired: record(n, () => many(20, named("p"))) }),
  ],
  dependentSchemas: [900, (n) => ({ dependentSchemas: record(n, () => ({ minProperties: 1 })) })],
  enum: [20_000, (n) => ({ enum: many(n, named("v")) })],
  "allOf of bounds": [900, (n) => ({ allOf: many(n, (i) => ({ minimum: -i })) })],
  "allOf of sizes": [900, (n) => ({ allOf: many(n, () => ({ minProperties: 1 })) })],
  "anyOf of values": [900, (n) => ({ anyOf: many(n, (i) => ({ const: `v${i}` })) })],
  "oneOf of objects": [
    300,
    (n) => ({ oneOf: many(n, (i) => ({ properties: { p0: { const: i } }, required: ["p0"] })) }),
  ],
  "if and else": [
    60,
    (n) => nested(n, (inner, i) => ({ if: { const: i }, ["then"]: false, else: inner })),
  ],
  "a chain of references": [
    900,
    (n) => ({
      $defs: record(n, (i) => (i === n - 1 ? {} : { $ref: `#/$defs/p${i + 1}` })),
      $ref: "#/$defs/p0",
    }),
  ],
  "references side by side": [
    450,
    (n) => ({
      $defs: record(n, () => ({ type: "string" })),
      properties: record(n, (i) => ({ $ref: `#/$defs/p${i}` })),
    }),
  ],
  patterns: [900, (n) => ({ allOf: many(n, (i) => ({ pattern: `^[a-z]*${i}?$` })) })],
  "patterns for RE2": [300, (n) => ({ allOf: many(n, (i) => ({ pattern: `(a|b)*c${i}` })) })],
  "Unicode patterns": [60, (n) => ({ allOf: many(n, (i) => ({ pattern: `^\\p{L}*${i}?$` })) })],
  "Unicode properties": [
    8,
    (n) => ({ allOf: many(n, (i) => ({ pattern: `^\\p{Script=${scripts[i]}}*$` })) }),
  ],
  patternProperties: [
    900,
    (n) => ({ patternProperties: record(n, () => ({ type: "string" }), named("^k")) }),
  ],
  lookahead: [200, (n) => ({ pattern: `^(?!${many(n, named("w")).join("|")})\\w+$` })],
  "the length of a pattern": [4_000, (n) => ({ pattern: `^${"a".repeat(n)}$` })],
  "the length of names": [
    20_000,
    (n) => ({
      properties: record(
        10,
        () => ({ type: "string" }),
        (i) => `${i}`.padEnd(n, "x"),
      ),
    }),
  ],
  "the length of values": [20_000, (n) => ({ enum: many(10, (i) => `${i}`.padEnd(n, "x")) })],
  "the length of one value": [200_000, (n) => ({ const: "x".repeat(n) })],
  "the length of remarks": [200_000, (n) => ({ description: "x".repeat(n) })],
  "unknown keywords": [900, (n) => record(n, () => 1, named("x-own"))],
};
const names = Object.keys(dimensions);
const at = (name: string, share: number): Schema => {
  const [most, make] = dimensions[name] as (typeof dimensions)[string];
  return make(Math.max(1, Math.floor(most * share)));
};

/** Values at the caps on arguments, which make the most of a schema. */
const values: readonly unknown[] = [
  many(90_000, () => 1),
  many(90_000, () => "v1"),
  many(3_000, () => ({ p0: 1, p1: "x", p2: [], k1: 1 })),
  [record(40_000, () => "x")],
  ["x".repeat(200_000)],
];
const texts = many(3_000, () => "ab".repeat(100));

const mostMs = 50;
const tries = 12;
const within = { enoughMs: mostMs, tries };
/** Of what is four times as large: n log n is less than six times the work, and n² is sixteen times. */
const mostGrowth = 11;

/** Compiled, or nothing where it is refused. */
function admitted(schema: Schema) {
  try {
    return compileSchema(schema);
  } catch {
    return undefined;
  }
}

async function holdToTime(schema: Schema, told: string): Promise<void> {
  expect(
    await quietCpuMs(() => admitted(schema), within),
    `to compile ${told}`,
  ).toBeLessThanOrEqual(mostMs);
  const compiled = admitted({ items: schema, ...(schema.$defs ? { $defs: schema.$defs } : {}) });
  for (const [index, value] of [...values, texts].entries()) {
    const ms = await quietCpuMs(() => compiled?.check(value), within);
    expect(ms, `to check value ${index} by ${told}`).toBeLessThanOrEqual(mostMs);
  }
}

describe("P18 the time of a schema", { tags: "long" }, () => {
  it.each(names)("P18 is bounded, to compile and to check, where it grows by %s", async (name) => {
    await holdToTime(at(name, 1), name);
  });

  it.each(names)("P18 grows as the size does, or is short, where it grows by %s", async (name) => {
    const short = 6;
    const [small, large] = [at(name, 1 / 4), at(name, 1)];
    let [largeMs, enoughMs] = [Number.POSITIVE_INFINITY, short];
    for (let time = 0; time < 8 && largeMs > enoughMs; time++) {
      if ((await leastCpuMs(() => admitted(large), { tries: 1 })) <= short) return;
      enoughMs = Math.max(short, mostGrowth * (await leastCpuMs(() => admitted(small))));
      largeMs = await leastCpuMs(() => admitted(large), { enoughMs, tries });
    }
    expect(largeMs).toBeLessThanOrEqual(enoughMs);
  });

  it.each(names)(
    "P18 is bounded where it grows by %s and by any other, side by side and within",
    async (name) => {
      for (const other of names.slice(names.indexOf(name))) {
        const [left, right] = [at(name, 1 / 2), at(other, 1 / 2)];
        const $defs = { ...(left.$defs as object), ...(right.$defs as object) };
        const together = [
          { allOf: [left, right] },
          { properties: { p0: left, p1: right } },
          { if: left, ["then"]: right, else: { items: left } },
        ];
        const way = names.indexOf(other) % together.length;
        await holdToTime({ $defs, ...together[way] }, `${name} and ${other} (${way})`);
      }
    },
  );
});
