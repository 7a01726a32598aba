import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import * as z4 from "zod";
import * as z3 from "zod-3/v3";
import * as early from "zod-3/v4";
import type { StandardSchema } from "../src/host/index.js";
import { wordsFor } from "./support/schema-words.js";

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
