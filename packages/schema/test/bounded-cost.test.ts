import { describe, expect, it } from "vitest";
import { compileSchema } from "../src/index.js";

type Schema = Record<string, unknown>;

const check = (schema: unknown, value: unknown) => compileSchema(schema).check(value);

/** `$defs` d0 … dn, each made from a reference to the next. */
function ladder(rungs: number, rung: (next: Schema) => Schema): Schema {
  const $defs: Schema = { [`d${rungs}`]: { type: "string" } };
  for (let i = 0; i < rungs; i++) $defs[`d${i}`] = rung({ $ref: `#/$defs/d${i + 1}` });
  return { $defs, $ref: "#/$defs/d0" };
}

function nested(depth: number, around: (inner: Schema) => Schema): Schema {
  let schema: Schema = { type: "string" };
  for (let i = 0; i < depth; i++) schema = around(schema);
  return schema;
}

/** The runner prints the rows of a table, and some of these schemas have no end. */
function thunks(rows: [string, unknown, string][]): [string, () => unknown, string][] {
  return rows.map(([name, schema, reason]) => [name, () => schema, reason]);
}

const multiplies = "branches multiply";
const goesNowhere = "leads back to itself without going down into the value";

describe("P18 at load", () => {
  it.each(
    thunks([
      ["a doubling anyOf", ladder(22, (next) => ({ anyOf: [next, next] })), multiplies],
      ["a doubling oneOf", ladder(16, (next) => ({ oneOf: [next, next] })), multiplies],
      ["a doubling allOf", ladder(22, (next) => ({ allOf: [next, next] })), multiplies],
      [
        "doubling conditions",
        ladder(22, (next) => JSON.parse(JSON.stringify({ if: next, else: next }))),
        multiplies,
      ],
      ["a doubling not", ladder(22, (next) => ({ not: { anyOf: [next, next] } })), multiplies],
      [
        "doubling dependentSchemas",
        ladder(22, (next) => ({ dependentSchemas: { a: next, b: next } })),
        multiplies,
      ],
      [
        "doubling members",
        ladder(22, (next) => ({
          anyOf: [{ properties: { a: next } }, { properties: { a: next } }],
        })),
        multiplies,
      ],
      [
        "doubling items",
        ladder(22, (next) => ({ allOf: [{ items: next }, { contains: next }] })),
        multiplies,
      ],
      [
        "doubling key patterns",
        ladder(22, (next) => ({
          patternProperties: { a: next },
          additionalProperties: next,
          unevaluatedProperties: next,
        })),
        multiplies,
      ],
      [
        "doubling by asking again for the unevaluated",
        ladder(22, (next) => ({ anyOf: [next], unevaluatedProperties: false })),
        multiplies,
      ],
      [
        "nested allOf",
        nested(15, (inner) => ({ allOf: [inner, inner] })),
        "longer than 262144 characters",
      ],
      ["a reference to itself", { $ref: "#" }, goesNowhere],
      [
        "two that refer to each other",
        {
          $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } },
          $ref: "#/$defs/a",
        },
        goesNowhere,
      ],
      ["its own negation", { not: { $ref: "#" } }, goesNowhere],
      ["its own condition", { dependentSchemas: { a: { $ref: "#" } } }, goesNowhere],
      ["a dynamic reference to itself", { $dynamicAnchor: "a", $dynamicRef: "#a" }, goesNowhere],
      [
        "500 nested properties",
        nested(500, (inner) => ({ properties: { a: inner } })),
        "nests deeper than 128 levels",
      ],
      ["an endless object", endless(), "nests deeper than 128 levels"],
      ["300 kB", { description: "x".repeat(300_000) }, "longer than 262144 characters"],
      [
        "an array of a thousand million holes",
        { enum: new Array(1e9) },
        "longer than 262144 characters",
      ],
      [
        "2,000 properties",
        { properties: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, {}])) },
        "more than 1000 subschemas",
      ],
      ["a resource for each dynamic scope", dynamicScopes(), "more than 1000 subschemas"],
    ]),
  )("P18 refuses %s, with the reason", (_, schema, reason) => {
    expect(() => compileSchema(schema())).toThrow(reason);
  });

  it("P18 admits what people write: trees, long lists of alternatives, wide and nested objects", () => {
    const tree = { properties: { value: {}, children: { items: { $ref: "#" } } } };
    expect(check(tree, { children: [{ children: [] }] })).toBeUndefined();
    const literals = { anyOf: Array.from({ length: 300 }, (_, i) => ({ const: `v${i}` })) };
    expect(check(literals, "v299")).toBeUndefined();
    expect(check(literals, "v300")).toMatchObject({ keyword: "anyOf" });
    const wide = {
      properties: Object.fromEntries(
        Array.from({ length: 500 }, (_, i) => [`p${i}`, { type: "number" }]),
      ),
      additionalProperties: false,
    };
    expect(check(wide, { p0: 1, p499: 2 })).toBeUndefined();
    expect(check(wide, { p0: 1, p499: "2" })).toMatchObject({ keyword: "type", pointer: "/p499" });
    expect(check(wide, { p500: 1 })).toMatchObject({ keyword: "additionalProperties" });
    expect(() =>
      compileSchema(nested(50, (inner) => ({ properties: { a: inner } }))),
    ).not.toThrow();
  });
});

describe("P18 at a check", () => {
  const alternatives = {
    $defs: {
      node: {
        anyOf: ["x", "y"].map((name) => ({
          properties: { next: { $ref: "#/$defs/node" } },
          required: [name],
        })),
      },
    },
    $ref: "#/$defs/node",
  };

  it("P18 admits recursion through alternatives, and denies the value on which it multiplies", () => {
    let short: object = { x: 1 };
    for (let i = 0; i < 5; i++) short = { next: short, y: 1 };
    expect(check(alternatives, short)).toBeUndefined();
    let long: object = {};
    for (let i = 0; i < 60; i++) long = { next: long, x: 1, y: 1 };
    expect(check(alternatives, long)).toMatchObject({ keyword: "cost" });
  });

  it("P18 denies when many patterns meet many keys", () => {
    const schema = {
      patternProperties: Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [`^k[a-z]+${i}$`, {}]),
      ),
    };
    const value = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1]));
    expect(check(schema, { ka1: 1 })).toBeUndefined();
    expect(check(schema, value)).toMatchObject({ keyword: "cost" });
  });

  it("P18 denies a value so deep that it overflows the stack, and goes on working", () => {
    const compiled = compileSchema({ items: { $ref: "#" } });
    let deep: unknown[] = [];
    for (let i = 0; i < 200_000; i++) deep = [deep];
    expect(compiled.check(deep)).toMatchObject({ keyword: "cost" });
    expect(compiled.check([[]])).toBeUndefined();
  });

  it("P18 denies what throws when it is read", () => {
    const value = Object.defineProperty({}, "a", {
      enumerable: true,
      get() {
        throw new Error("hunter2");
      },
    });
    const found = check({ properties: { a: { type: "string" } } }, value);
    expect(found).toMatchObject({ keyword: "cost" });
    expect(JSON.stringify(found)).not.toContain("hunter2");
  });

  it("P18 compares 20,000 objects for uniqueness, and 100,000 numbers made to collide", () => {
    const objects = Array.from({ length: 20_000 }, (_, i) => ({ a: i, b: [i] }));
    expect(check({ uniqueItems: true }, objects)).toBeUndefined();
    expect(check({ uniqueItems: true }, [...objects, { b: [0], a: 0 }])).toMatchObject({
      keyword: "uniqueItems",
    });
    const colliding = Array.from({ length: 100_000 }, (_, i) => i * 65_536);
    expect(check({ uniqueItems: true }, colliding)).toBeUndefined();
  });

  it("P18 gives each check the same budget", () => {
    const compiled = compileSchema({ items: { pattern: "(a|b)*c" } });
    const expensive = Array.from({ length: 40 }, () => "ab".repeat(10_000));
    const found = compiled.check(expensive);
    expect(found).toBeDefined();
    expect(compiled.check(["abc"])).toBeUndefined();
    expect(compiled.check(expensive)).toEqual(found);
    expect(compiled.check(["abc"])).toBeUndefined();
  });
});

function endless(): Schema {
  const schema: Schema = {};
  schema.not = schema;
  return schema;
}

/** Resources that each redefine an anchor and refer to the next in two ways. */
function dynamicScopes(): Schema {
  const $defs: Schema = {};
  for (let i = 0; i < 12; i++) {
    const next = [`r${i + 1}a`, `r${i + 1}b`];
    for (const half of ["a", "b"]) {
      $defs[`r${i}${half}`] = {
        $id: `r${i}${half}`,
        $defs: { own: { $dynamicAnchor: `n${i}` } },
        properties: { here: { $dynamicRef: `#n${i}` } },
        ...(i < 11 && {
          additionalProperties: { anyOf: next.map(($ref) => ({ items: { $ref } })) },
        }),
      };
    }
  }
  return { $defs, $ref: "r0a" };
}
