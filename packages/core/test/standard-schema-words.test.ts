import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import * as z4 from "zod";
import * as z3 from "zod-3/v3";
import * as early from "zod-3/v4";
import { allowAll, type StandardSchema, ToolRunner } from "../src/index.js";
import { declaredBy } from "../src/tool/declared-schema.js";
import { holdsValueOf } from "../src/tool/held-values.js";
import { describeIssue } from "../src/tool/schema-issue.js";
import { allNames } from "../src/tool/schema-place.js";
import { spyTool } from "./support/runners.js";

/** What the model reads of arguments that a schema refuses, after the words that are always the same. */
async function wordsFor(parameters: StandardSchema, args: object): Promise<string> {
  const pay = spyTool("pay");
  const runner = new ToolRunner({ tools: [{ ...pay, parameters }], guardrails: [allowAll()] });
  const outcome = await runner.run({ name: "pay", arguments: args });
  expect(outcome).toMatchObject({ status: "denied", code: "schema", basis: "policy" });
  expect(pay.runs).toEqual([]);
  const before = "Tool call denied: arguments for tool 'pay' do not match its schema";
  expect(outcome.result.content).toMatch(new RegExp(`^${before}`));
  return String(outcome.result.content).slice(before.length);
}

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
          cents: z.number().min(3).optional(),
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
      cents: v.optional(v.pipe(v.number(), v.minValue(3))),
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
      "cents?": "number >= 3",
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
    ["valibot", v.object({ rates: v.record(v.string(), v.pipe(v.number(), v.minValue(3))) })],
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

describe("P2 the message of a schema's author", () => {
  const own = "only the customer of this session";
  it.each<[string, StandardSchema]>([
    ["zod 4", z4.z.object({ to: z4.z.string().refine(() => false, own) })],
    ["zod 4 as it began", early.z.object({ to: early.z.string().refine(() => false, own) })],
    ["zod 3", z3.z.object({ to: z3.z.string().refine(() => false, own) })],
    [
      "valibot",
      v.object({
        to: v.pipe(
          v.string(),
          v.check(() => false, own),
        ),
      }),
    ],
  ])("is what the model reads: %s", async (_, schema) => {
    expect(await wordsFor(schema, { to: "thief@example.net" })).toBe(` at /to: ${own}`);
  });

  it("is not taken for one about the form, which is right", async () => {
    const to = z3.z.string().email();
    const schema = z3.z.object({ to: to.refine(() => false, own) });
    expect(await wordsFor(schema, { to: "thief@example.net" })).toBe(` at /to: ${own}`);
  });

  it("of ArkType is what it expects", async () => {
    const to = type("string").narrow((_to, context) => context.mustBe("of the customer"));
    expect(await wordsFor(type({ to }) as never, { to: "thief" })).toBe(
      " at /to: expected of the customer",
    );
  });

  it("stands alone where a limit is just reached", async () => {
    const z = z4.z;
    const said = (to: z4.ZodType, value: unknown) =>
      wordsFor(z.object({ to: to.refine(() => false, own) }) as never, { to: value });
    const limits: [z4.ZodType, unknown][] = [
      [z.number().min(3).max(3), 3],
      [z.number().gt(2).lt(4), 3],
      [z.string().min(3).max(3), "abc"],
      [z.array(z.number()).min(1).max(1), [1]],
    ];
    for (const [to, value] of limits) expect(await said(to, value)).toBe(` at /to: ${own}`);
  });

  it("says alone what is wrong where the schema is kept to", async () => {
    const z = z4.z;
    const said = (to: z4.ZodType, value: unknown) =>
      wordsFor(z.object({ to: to.refine(() => false, own) }) as never, { to: value });
    expect(await said(z.string().nullable(), null)).toBe(` at /to: ${own}`);
    expect(await said(z.int().min(3), 4)).toBe(` at /to: ${own}`);
    expect(await said(z.enum(["a", "b"]), "a")).toBe(` at /to: ${own}`);
  });

  it("stands beside what the schema states", async () => {
    const schema = z4.z.object({ cents: z4.z.number().min(3, "at least three, please") });
    expect(await wordsFor(schema, { cents: 1 })).toBe(
      " at /cents: expected at least 3 (at least three, please)",
    );
  });

  it.each([
    ["a value", "hunter2", (input: unknown) => `not ${input}`],
    [
      "a value in quotes and another case",
      'Hunter"2"',
      (input: unknown) => JSON.stringify(input).toUpperCase(),
    ],
    ["a number", 4111, (input: unknown) => `card ${input} is blocked`],
    ["a short value", "x1", (input: unknown) => `not ${input}!`],
    ["a word of a value", "my password is correcthorse", () => "correcthorse is known"],
  ])("is left out where it holds %s", async (_, value, message) => {
    const any = z4.z.unknown().refine(() => false, { error: ({ input }) => message(input) });
    const early3 = z3.z.any().superRefine((input, context) => {
      context.addIssue({ code: "custom", message: message(input) });
    });
    expect(await wordsFor(z4.z.object({ to: any }), { to: value })).toBe(" at /to");
    expect(await wordsFor(z3.z.object({ to: early3 }), { to: value })).toBe(" at /to");
  });

  it("is left out where an issue that the author made up holds a value", async () => {
    const schema = z3.z.object({
      to: z3.z.any().superRefine((input, context) => {
        const expected = input as "string";
        context.addIssue({ code: "invalid_type", expected, received: "string" });
      }),
    });
    expect(await wordsFor(schema, { to: "hunter2" })).toBe(" at /to");
  });

  it("is one line, and not a long one", async () => {
    const said = (message: string) =>
      wordsFor(z4.z.object({ to: z4.z.any().refine(() => false, message) }), { to: 1 });
    expect(await said("no\n\u202eway")).toBe(" at /to: no way");
    expect(await said("no ".repeat(100))).toBe(" at /to");
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

it("P2 a schema that states its values wrongly has nothing said of them", () => {
  const schema = { properties: { to: { enum: 7 } } };
  expect(describeIssue({ message: "", path: ["to"] }, schema, { to: 1 })).toBe(" at /to");
});

describe("P2 a place", () => {
  it("is a JSON Pointer, in which ~ and / of a name are escaped", async () => {
    const schema = z4.z.object({ "a/b": z4.z.object({ "m~n": z4.z.string() }) });
    expect(await wordsFor(schema, { "a/b": { "m~n": 1 } })).toBe(" at /a~1b/m~0n: expected string");
  });
});

describe("P2 an expectation of a library", () => {
  it("is told as it is, unless it is that a property is removed", () => {
    const said = (issue: object) =>
      describeIssue({ message: "", path: ["to"], ...issue } as never, {}, { to: 1 });
    expect(said({ expected: "removed" })).toBe(" at /*: expected removed");
    expect(said({ expected: "removed", code: "predicate" })).toBe(
      " at /*: this property is not declared",
    );
  });
});

describe("P2 a value of another type", () => {
  it.each([
    ["a list", []],
    ["null", null],
    ["text", "x"],
  ])("than an object is told of, also where the library says nothing: %s", (_, value) => {
    const schema = { properties: { to: { type: "object" } } };
    expect(describeIssue({ message: "", path: ["to"] }, schema, { to: value })).toBe(
      " at /to: expected object",
    );
  });
});

describe("P2 a text holds a value", () => {
  it("unless it is certain that it does not", () => {
    const none = new Set<string>();
    expect(holdsValueOf("must be yours", { to: "thief", n: 7, ok: true, no: null }, none)).toBe(
      false,
    );
    expect(holdsValueOf("not for thief", { to: ["a", { b: "thief" }] }, none)).toBe(true);
    expect(holdsValueOf("not a secret key", { secret: 1 }, none)).toBe(true);
    expect(holdsValueOf("not a secret key", { secret: 1 }, new Set(["secret"]))).toBe(false);
    expect(holdsValueOf("anything", { text: "x".repeat(70_000) }, none)).toBe(true);
    expect(holdsValueOf("a b c", { text: "" }, none)).toBe(false);
    expect(holdsValueOf("true or null", { ok: true, no: null }, none)).toBe(false);
    // A value of three letters is looked for as a word, one of four within words too.
    expect(holdsValueOf("hunters", { to: "hun" }, none)).toBe(false);
    expect(holdsValueOf("hunters", { to: "hunt" }, none)).toBe(true);
  });
});

describe("the names that a schema declares", () => {
  it("are found beside more values than fit on the stack", () => {
    const schema = { properties: { to: { enum: Array(300_000).fill("x") } } };
    expect([...allNames(schema)]).toEqual(["to"]);
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
