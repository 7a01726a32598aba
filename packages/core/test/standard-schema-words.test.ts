import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import * as z4 from "zod";
import * as z3 from "zod-3/v3";
import * as early from "zod-3/v4";
import type { StandardSchema } from "../src/host/index.js";
import { allowAll, ToolRunner } from "../src/index.js";
import { declaredBy } from "../src/tool/declared-schema.js";
import { spyTool } from "./support/runners.js";
import { wordsFor } from "./support/schema-words.js";

/** The same schema in the words of each library. */
const libraries: readonly (readonly [string, StandardSchema])[] = [
  ...(
    [
      ["zod 4", z4],
      ["zod 3", z3],
      ["zod 4 as it began", early],
    ] as [string, typeof z4][]
  ).map(
    ([name, { z }]) =>
      [
        name,
        z.object({
          to: z.string(),
          unit: z.enum(["celsius", "kelvin"]),
          kind: z.literal("order"),
          mail: z.string().email().optional(),
          code: z.string().min(2).max(4).optional(),
          cents: z.number().min(3).max(500).optional(),
          less: z.number().lt(9).optional(),
          more: z.number().gt(1).optional(),
          tags: z.array(z.string()).max(1).optional(),
          deep: z.object({ er: z.boolean() }).optional(),
          either: z.union([z.string(), z.number()]).optional(),
          none: z.string().nullable().optional(),
          some: z.union([z.literal("all"), z.number()]).optional(),
          form: z
            .string()
            .regex(/^[a-c]+$/)
            .optional(),
        }),
      ] as const,
  ),
  [
    "valibot",
    v.object({
      to: v.string(),
      unit: v.picklist(["celsius", "kelvin"]),
      kind: v.literal("order"),
      mail: v.optional(v.pipe(v.string(), v.email())),
      code: v.optional(v.pipe(v.string(), v.minLength(2), v.maxLength(4))),
      cents: v.optional(v.pipe(v.number(), v.minValue(3), v.maxValue(500))),
      less: v.optional(v.pipe(v.number(), v.ltValue(9))),
      more: v.optional(v.pipe(v.number(), v.gtValue(1))),
      tags: v.optional(v.pipe(v.array(v.string()), v.maxLength(1))),
      deep: v.optional(v.object({ er: v.boolean() })),
      either: v.optional(v.union([v.string(), v.number()])),
      none: v.optional(v.nullable(v.string())),
      some: v.optional(v.union([v.literal("all"), v.number()])),
      form: v.optional(v.pipe(v.string(), v.regex(/^[a-c]+$/))),
    }),
  ],
  [
    "ArkType",
    type({
      to: "string",
      unit: "'celsius'|'kelvin'",
      kind: "'order'",
      "mail?": "string.email",
      "code?": "2 <= string <= 4",
      "cents?": "3 <= number <= 500",
      "less?": "number < 9",
      "more?": "number > 1",
      "tags?": "string[] <= 1",
      "deep?": { er: "boolean" },
      "either?": "string|number",
      "none?": "string|null",
      "some?": "'all'|number",
      "form?": /^[a-c]+$/,
    }) as unknown as StandardSchema,
  ],
];

const right = { to: "ann", unit: "kelvin", kind: "order" };

describe.each(libraries)(
  "P2 what is said of arguments that a schema of %s refuses",
  (_, schema) => {
    it.each<[string, object, string]>([
      ["a wrong type", { to: 7 }, " at /to: expected string"],
      [
        "a value that is not allowed",
        { unit: "Celsius" },
        " at /unit: expected 'celsius' or 'kelvin'",
      ],
      ["another value than the only one", { kind: "hunter2" }, " at /kind: expected 'order'"],
      ["a number that is too small", { cents: 1 }, " at /cents: expected at least 3"],
      ["a number that is too large", { cents: 501 }, " at /cents: expected at most 500"],
      ["a number that is not less", { less: 9 }, " at /less: expected less than 9"],
      ["a number that is not more", { more: 1 }, " at /more: expected more than 1"],
      ["text that is too long", { code: "hunter2" }, " at /code: expected at most 4 characters"],
      ["text that is too short", { code: "h" }, " at /code: expected at least 2 characters"],
      ["a list that is too long", { tags: ["a", "b"] }, " at /tags: expected at most 1 item"],
      ["an item", { tags: [7] }, " at /tags/0: expected string"],
      ["a place below", { deep: { er: 1 } }, " at /deep/er: expected boolean"],
      ["a form", { mail: "hunter2" }, " at /mail: expected text of the format 'email'"],
      ["none of two types", { either: {} }, " at /either: expected"],
      ["neither text nor null", { none: 1 }, " at /none: expected"],
      ["neither the value nor the type", { some: "hunter2" }, " at /some: expected"],
      ["neither the value nor the type, of another type", { some: true }, " at /some: expected"],
      ["a pattern", { form: "hunter2" }, " at /form: expected text that matches '^[a-c]+$'"],
    ])("names the place and what is expected: %s", async (_case, wrong, words) => {
      const said = await wordsFor(schema, { ...right, ...wrong });
      if (words.endsWith("expected"))
        expect(said).toMatch(
          new RegExp(`^${words} (string|number|'all') or (string|number|null|'all')$`),
        );
      else expect(said).toBe(words);
    });

    it.each([
      ["to", "string"],
      ["unit", "'celsius' or 'kelvin'"],
      ["kind", "'order'"],
    ])("says of %s that it is missing, and what is expected", async (name, expected) => {
      const { [name as "to"]: _gone, ...rest } = right;
      expect(await wordsFor(schema, rest)).toBe(` at /${name}: missing, expected ${expected}`);
    });
  },
);

describe("P2 a property that a schema does not declare", () => {
  it.each<[string, StandardSchema]>([
    ["zod 4", z4.z.strictObject({ amount: z4.z.number().optional() })],
    ["zod 4 as it began", early.z.strictObject({ amount: early.z.number().optional() })],
    ["zod 3", z3.z.object({ amount: z3.z.number().optional() }).strict()],
    ["valibot", v.strictObject({ amount: v.optional(v.number()) })],
    ["ArkType", type({ "+": "reject", "amount?": "number" }) as unknown as StandardSchema],
  ])("is told its place, and the name that was probably meant: %s", async (_, schema) => {
    expect(await wordsFor(schema, { amuont: 1 })).toBe(
      " at /*: this property is not declared. Did you mean 'amount'?",
    );
    expect(await wordsFor(schema, { hunter2: 1 })).toBe(" at /*: this property is not declared");
  });

  it("is one at a place below, too", async () => {
    const schema = z4.z.object({ deep: z4.z.strictObject({ a: z4.z.string() }) });
    expect(await wordsFor(schema, { deep: { a: "x", hunter2: 1 } })).toBe(
      " at /deep/*: this property is not declared",
    );
  });

  it.each<[string, StandardSchema]>([
    ["zod 4", z4.z.object({ rates: z4.z.record(z4.z.string(), z4.z.number().min(3)) })],
    [
      "zod 4 as it began",
      early.z.object({ rates: early.z.record(early.z.string(), early.z.number().min(3)) }),
    ],
    ["zod 3", z3.z.object({ rates: z3.z.record(z3.z.string(), z3.z.number().min(3)) })],
    [
      "valibot",
      v.object({ rates: v.record(v.string(), v.pipe(v.number(), v.minValue(3), v.maxValue(500))) }),
    ],
  ])("is the model's own word in a record: %s", async (_, schema) => {
    expect(await wordsFor(schema, { rates: { hunter2: "x" } })).toBe(
      " at /rates/*: expected number",
    );
    expect(await wordsFor(schema, { rates: 7 })).toBe(" at /rates: expected object");
    expect(await wordsFor(schema, { rates: { hunter2: 1 } })).toBe(
      " at /rates/*: expected at least 3",
    );
  });
});

describe("P2 what several schemas state of one value", () => {
  const both = (z: typeof z4.z) =>
    z.object({
      both: z.intersection(z.object({ one: z.literal(1) }), z.object({ two: z.literal(2) })),
    });
  it.each<[string, StandardSchema]>([
    ["zod 4", both(z4.z)],
    ["zod 4 as it began", both(early.z as never)],
    ["zod 3", both(z3.z as never)],
    [
      "valibot",
      v.object({
        both: v.intersect([v.object({ one: v.literal(1) }), v.object({ two: v.literal(2) })]),
      }),
    ],
  ])("is told of each of them: %s", async (_, schema) => {
    const said = (one: number, two: number) => wordsFor(schema, { both: { one, two } });
    expect(await said(7, 2)).toBe(" at /both/one: expected 1");
    expect(await said(1, 7)).toBe(" at /both/two: expected 2");
  });
});

describe("P2 alternatives", () => {
  const kinds = (z: typeof z4.z) =>
    z.object({
      by: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("card"), last: z.string() }),
        z.object({ kind: z.literal("bank") }),
      ]),
    });
  it.each<[string, StandardSchema]>([
    ["zod 4", kinds(z4.z)],
    ["zod 4 as it began", kinds(early.z as never)],
    ["zod 3", kinds(z3.z as never)],
    [
      "valibot",
      v.object({
        by: v.variant("kind", [
          v.object({ kind: v.literal("card"), last: v.string() }),
          v.object({ kind: v.literal("bank") }),
        ]),
      }),
    ],
  ])("name all values of what tells them apart: %s", async (_, schema) => {
    expect(await wordsFor(schema, { by: { kind: "hunter2" } })).toBe(
      " at /by/kind: expected 'card' or 'bank'",
    );
    expect(await wordsFor(schema, { by: { kind: "card" } })).toBe(
      " at /by/last: missing, expected string",
    );
  });

  it("of an enum with numbers are those, and not its names", () => {
    // As TypeScript makes it, with a name under each number. The libraries' types of it take the compiler minutes.
    const values = { 1: "small", 2: "large", small: 1, large: 2, any: "any" };
    const enumeration = { enum: [1, 2, "any"] };
    expect(declaredBy({ _def: { typeName: "ZodNativeEnum", values } })).toEqual(enumeration);
    expect(declaredBy({ type: "enum", options: values })).toEqual(enumeration);
  });

  it("that are many, or long, are counted", async () => {
    const many = z4.z.object({ a: z4.z.enum(Array.from({ length: 13 }, (_, n) => `v${n}`)) });
    expect(await wordsFor(many, { a: "x" })).toBe(" at /a: expected one of 13 declared values");
    const literals = Array.from({ length: 13 }, (_, n) => z4.z.literal(`v${n}`));
    expect(await wordsFor(z4.z.object({ a: z4.z.union(literals) }), { a: "x" })).toBe(
      " at /a: expected one of 13 declared values",
    );
    const twelve = z4.z.object({ a: z4.z.enum(Array.from({ length: 12 }, (_, n) => `v${n}`)) });
    expect(await wordsFor(twelve, { a: "x" })).toMatch(/^ at \/a: expected 'v0' or .* or 'v11'$/);
    const long = (length: number) => z4.z.object({ a: z4.z.enum(["x".repeat(length), "y"]) });
    expect(await wordsFor(long(64), { a: "z" })).toMatch(/^ at \/a: expected 'x+' or 'y'$/);
    expect(await wordsFor(long(65), { a: "z" })).toBe(" at /a: expected one of 2 declared values");
  });

  it("are those of the schema, also where it refers to itself", async () => {
    const node: z4.ZodType = z4.z.object({
      mode: z4.z.enum(["r", "w"]),
      get next() {
        return node.optional();
      },
    });
    expect(await wordsFor(node as never, { mode: "r", next: { mode: "x" } })).toBe(
      " at /next/mode: expected 'r' or 'w'",
    );
  });
});

describe("P2 a format", () => {
  const text = early.z.string();
  it.each<[string, unknown]>([
    ["base64", text.base64()],
    ["date", text.date()],
    ["datetime", text.datetime()],
    ["duration", text.duration()],
    ["email", text.email()],
    ["ipv4", text.ipv4()],
    ["ipv6", text.ipv6()],
    ["time", text.time()],
    ["ulid", text.ulid()],
    ["url", text.url()],
    ["uuid", text.uuid()],
  ])("is named where its name says enough: %s", async (name, of) => {
    expect(await wordsFor(early.z.object({ to: of as never }), { to: "?" })).toBe(
      ` at /to: expected text of the format '${name}'`,
    );
  });
});

describe("P2 what a schema states before it changes a value", () => {
  const short = (z: typeof z4.z) =>
    z.object({
      to: z
        .string()
        .min(3)
        .transform((to) => to.trim()),
    });
  it.each<[string, StandardSchema]>([
    ["zod 4", short(z4.z)],
    ["zod 4 as it began", short(early.z as never)],
    ["zod 3", short(z3.z as never)],
  ])("is told: %s", async (_, schema) => {
    expect(await wordsFor(schema, { to: "x" })).toBe(" at /to: expected at least 3 characters");
  });
});

describe("P2 a place", () => {
  it("is a JSON Pointer, in which ~ and / of a name are escaped", async () => {
    const schema = z4.z.object({ "a/b": z4.z.object({ "m~n": z4.z.string() }) });
    expect(await wordsFor(schema, { "a/b": { "m~n": 1 } })).toBe(" at /a~1b/m~0n: expected string");
  });
});

describe("a schema whose answer is of a class", () => {
  it("P3 is one of ArkType's: it denies, and what it makes runs", async () => {
    const parameters = type({ to: "string.trim" }) as unknown as StandardSchema;
    const pay = spyTool("pay");
    const runner = new ToolRunner({ tools: [{ ...pay, parameters }], guardrails: [allowAll()] });
    expect((await runner.run({ name: "pay", arguments: { to: " ann " } })).status).toBe("executed");
    expect(pay.runs).toEqual([{ to: "ann" }]);
  });

  it("P1 may be a function, of which issues are read as of an object", async () => {
    const answer = Object.assign(() => {}, { issues: [{ message: "never", path: [] }] });
    const schema = { "~standard": { version: 1, vendor: "own", validate: () => answer } };
    expect(await wordsFor(schema as never, { to: "ann" })).toBe(": never");
  });
});
