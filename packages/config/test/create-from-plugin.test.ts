import { type JsonObject, ToolstileError } from "@toolstile/core";
import type { GuardrailPlugin } from "@toolstile/core/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFromPlugin } from "../src/index.js";
import { messageOf } from "./packages.js";

const where = "guards[2]";
const guard = { name: "g", evaluate: () => ({ decision: "allow" as const }) };
const made = (create: (options: never) => unknown, optionsSchema: unknown = {}): unknown => ({
  name: "limits",
  optionsSchema,
  create,
});
const fails = (plugin: unknown, options?: unknown): Promise<string> =>
  messageOf(() => createFromPlugin(plugin, options as JsonObject, where));
const misfit = async (optionsSchema: object, options: unknown): Promise<string> =>
  (
    await fails(
      made(() => guard, optionsSchema),
      options,
    )
  ).replace("ERR_PLUGIN guards[2]: the plugin 'limits' was given options that do not fit: ", "");

describe("what a plugin makes is given back as it is", () => {
  it.each([
    ["a provider", guard],
    ["a judge of results", { name: "r", evaluateResult: () => ({ decision: "allow" }) }],
    ["an observer", { name: "o", settle: () => {} }],
    [
      "an instance of a class",
      new (class {
        name = "c";
        evaluate() {
          return { decision: "allow" };
        }
      })(),
    ],
  ])("%s", (_, product) => {
    expect(
      createFromPlugin(
        made(() => product),
        undefined,
        where,
      ),
    ).toBe(product);
  });

  it("with {} for options that are absent", () => {
    const seen: unknown[] = [];
    createFromPlugin(
      made((options) => {
        seen.push(options);
        return guard;
      }),
      undefined,
      where,
    );
    expect(seen).toEqual([{}]);
  });

  it("made by a plugin whose create uses this", () => {
    const plugin: GuardrailPlugin & { readonly product: typeof guard } = {
      name: "p",
      optionsSchema: {},
      product: guard,
      create() {
        return this.product;
      },
    };
    expect(createFromPlugin(plugin, {}, where)).toBe(guard);
  });
});

describe("P5 an object that is no plugin is refused, naming what it needs:", () => {
  it.each([
    [undefined, "must be an object"],
    [null, "must be an object"],
    [() => guard, "must be an object"],
    [{}, "needs name"],
    [{ name: "", optionsSchema: {}, create() {} }, "needs name"],
    [{ name: "x", optionSchema: {}, create() {} }, "Its member 'optionSchema' may be meant."],
    [{ name: "x", optionsSchema: [], create() {} }, "needs optionsSchema"],
    [{ name: "x", optionsSchema: {}, creat() {} }, "Its member 'creat' may be meant."],
    [{ name: "x", optionsSchema: {}, create: {} }, "needs create"],
    [{ name: "x", optionsSchema: {}, create() {}, checkInstalled: true }, "needs checkInstalled"],
    [
      {
        get name() {
          throw new Error("hunter2");
        },
      },
      "needs name",
    ],
  ])("%#", async (plugin, text) => {
    const message = await fails(plugin);
    expect(message).toMatch(/^ERR_PLUGIN guards\[2\]: the plugin /);
    expect(message).toContain(text);
    expect(message).not.toContain("hunter2");
  });
});

describe("P5 a package that a plugin needs and does not find", () => {
  const lacking = (error: unknown) => ({
    ...(made(() => guard) as object),
    checkInstalled() {
      throw error;
    },
  });

  it("is told before anything is made, in the words of the plugin", async () => {
    const error = new ToolstileError("ERR_CONFIG", "A store needs the package 'pg'.");
    const plugin = { ...lacking(error), create: () => expect.unreachable() };
    expect(await fails(plugin)).toBe(
      "ERR_PLUGIN guards[2]: the plugin 'limits' cannot be used here: A store needs the package 'pg'.",
    );
  });

  it("is told without the words of an error that is not Toolstile's", async () => {
    expect(await fails(lacking(new Error("hunter2")))).toBe(
      "ERR_PLUGIN guards[2]: the plugin 'limits' threw 'Error' from checkInstalled(); its message is kept back.",
    );
  });
});

describe("P5 options that do not fit are told by place, keyword and what was expected:", () => {
  const limits = {
    type: "object",
    properties: {
      limit: { type: "integer", minimum: 1 },
      windowMs: { type: "integer", minimum: 1 },
      algorithm: { enum: ["log", "gcra"] },
      key: { anyOf: [{ enum: ["tool", "agent"] }, { type: "array" }] },
      limits: { type: "array", items: { type: "object", required: ["limit"] } },
    },
    additionalProperties: false,
  };

  it.each([
    [
      { windwMs: 5 },
      "additionalProperties at the top level: there is no option 'windwMs'. Did you mean 'windowMs'?",
    ],
    [{ limit: "hunter2" }, "type at /limit: expected integer."],
    [{ limit: 0 }, "minimum at /limit: expected a number >= 1."],
    [{ algorithm: "hunter2" }, "enum at /algorithm: expected 'log' or 'gcra'."],
    [{ algorithm: "gcar" }, "enum at /algorithm: expected 'log' or 'gcra'. Did you mean 'gcra'?"],
    [{ algorithm: "LO" }, "enum at /algorithm: expected 'log' or 'gcra'. Did you mean 'log'?"],
    [{ key: "hunter2" }, "anyOf at /key: expected 'tool' or 'agent', or array."],
    [{ limits: [{ limit: 1 }, {}] }, "required at /limits/1: 'limit' is missing."],
    [
      { limit: "hunter2", windowMs: "hunter2" },
      "type at /limit: expected integer; type at /windowMs: expected integer.",
    ],
  ])("%j", async (options, text) => {
    expect(await misfit(limits, options)).toBe(text);
  });

  it.each([
    [{ const: 5 }, "const at /a: expected 5"],
    [{ minLength: 99 }, "minLength at /a: expected at least 99 characters"],
    [
      { type: "object", examples: [{ atMost: 5, by: "x" }] },
      'type at /a: expected object, as in { atMost: 5, by: "x" }.',
    ],
    [{ type: "object", examples: [7] }, "type at /a: expected object."],
    [{ maxLength: 1 }, "maxLength at /a: expected at most 1 character"],
    [{ minItems: 1 }, "minItems at /a: expected at least 1 item"],
    [
      { enum: ["a"], description: "a stands for all" },
      "enum at /a: expected 'a': a stands for all",
    ],
    [
      { anyOf: [{ enum: ["a"], description: "a stands for all" }, { type: "array" }] },
      "anyOf at /a: expected 'a', or array: a stands for all",
    ],
    [{ pattern: "^a$" }, "pattern at /a: expected text that matches '^a$'"],
    [{ not: {} }, "not at /a"],
    [{ oneOf: [{}, {}] }, "oneOf at /a: fits more than one alternative"],
    [{ anyOf: [{ minLength: 99 }, { maxLength: 1 }] }, "anyOf at /a: fits none of 2 alternatives"],
    [{ enum: Array.from("abcdefghijklmn") }, "enum at /a: expected one of 14 declared values"],
    [{ $ref: "#/$defs/n", $defs: {} }, "has an optionsSchema that is not a valid JSON Schema"],
  ])("%j", async (schema, text) => {
    const message = await misfit(
      { properties: { a: schema } },
      { a: "minItems" in schema ? [] : "hunter2" },
    );
    expect(message).toContain(text);
    expect(message).not.toContain("hunter2");
  });

  it("at most five, and how many more", async () => {
    const message = await misfit({ items: {}, required: Array.from("abcdefgh") }, {});
    expect(message.match(/is missing/g)).toHaveLength(5);
    expect(message).toContain("and 3 more");
  });

  it("closed where the schema forgot to say so", async () => {
    expect(await misfit({ properties: { name: {} } }, { nmae: 1 })).toContain(
      "Did you mean 'name'?",
    );
    const open = made(() => guard, { properties: { name: {} }, additionalProperties: true });
    expect(createFromPlugin(open, { nmae: 1 }, where)).toBe(guard);
  });

  it("with no value in the message, whatever the options are", () => {
    fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 3 }), async (text) => {
        const options = JSON.parse(text, (_, value) =>
          typeof value === "string" ? `hunter2${value}` : value,
        );
        expect(await misfit(limits, options)).not.toContain("hunter2");
      }),
    );
  });
});

describe("P8 options are plain JSON, or refused:", () => {
  it.each([
    ["a __proto__ key", JSON.parse('{"__proto__":{"allow":1}}'), "__proto__"],
    ["a nested one", JSON.parse('{"a":{"__proto__":1}}'), "__proto__"],
    ["a class instance", { at: new Date(0) }, "not plain JSON"],
    ["a function", { f: () => 1 }, "not plain JSON"],
    ["a list", [1], "they must be an object"],
    ["text", '{"a":1}', "they must be an object"],
    ["null", null, "they must be an object"],
    ["a great many", { a: Array(100_001).fill(1) }, "too large"],
  ])("%s", async (_, options, text) => {
    const message = await fails(
      made(() => guard),
      options,
    );
    expect(message).toContain("was given options that cannot be read");
    expect(message).toContain(text);
  });
});

describe("an options schema", () => {
  it.each([
    ["is wrong", { type: "objekt" }],
    ["points to another host", { $ref: "https://example.com/schema.json" }],
    ["is of a dialect that is not known", { $schema: "https://example.com/dialect" }],
    ["uses an array of items, as its dialect does not", { items: [{}] }],
  ])("that %s is the plugin's fault", async (_, schema) => {
    expect(
      await fails(
        made(() => guard, schema),
        {},
      ),
    ).toBe(
      "ERR_PLUGIN guards[2]: the plugin 'limits' has an optionsSchema that is not a valid JSON Schema.",
    );
  });

  it("of draft-07 is read as such", async () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { items: [{ type: "string" }] } },
    };
    expect(await misfit(schema, { a: [1] })).toContain("type at /a/0: expected string");
  });

  it("of draft 2020-12 is read as such, whether or not it says so", async () => {
    const schema = { properties: { a: { prefixItems: [{ type: "string" }] } } };
    expect(await misfit(schema, { a: [1] })).toContain("type at /a/0: expected string");
  });
});

describe("a create() that fails", () => {
  it("with Toolstile's own error is told with its words", async () => {
    const plugin = made(() => {
      throw new ToolstileError("ERR_INVALID_OPTION", "The window is longer than a day.");
    });
    expect(await fails(plugin)).toContain("refused its options: The window is longer than a day.");
  });

  it.each([
    ["an error", new TypeError("hunter2"), "'TypeError'"],
    ["text", "hunter2", "a thrown string"],
    ["an error of the system", Object.assign(new Error("hunter2"), { code: "ENOENT" }), "(ENOENT)"],
    ["a disguised error", Object.assign(new Error("hunter2"), { code: "hunter2" }), "'Error' from"],
  ])("P2 with %s is told by its kind only", async (_, thrown, kind) => {
    const error = await Promise.resolve()
      .then(() =>
        createFromPlugin(
          made(() => {
            throw thrown;
          }),
          {},
          where,
        ),
      )
      .catch((caught: unknown) => caught as ToolstileError);
    expect(error).toHaveProperty("code", "ERR_PLUGIN");
    expect((error as Error).message).toContain(kind);
    expect((error as Error).message).not.toContain("hunter2");
    expect(error).not.toHaveProperty("cause");
  });
});

describe("P5 a product that could judge nothing is refused:", () => {
  it.each([
    ["nothing", undefined, "made nothing"],
    ["null", null, "made null"],
    ["a function", () => guard, "made a function"],
    ["a promise", Promise.resolve(guard), "made a promise"],
    ["no name", { evaluate() {} }, "`name` must be a string that is not empty"],
    ["no question", { name: "x" }, "neither evaluate(call)"],
    ["a misspelt question", { name: "x", evalute() {} }, "'evalute'"],
    ["a misspelt question beside settle", { name: "x", evalute() {}, settle() {} }, "'evalute'"],
    ["a misspelt member of an observer", { name: "x", settle() {}, requird: true }, "'requird'"],
    ["an admit alone", { name: "x", admit() {} }, "neither evaluate(call)"],
    ["an evaluate that is no function", { name: "x", evaluate: true }, "must be a function"],
    ["a settle that is no function", { name: "x", settle: true }, "must be a function"],
  ])("%s", async (_, product, text) => {
    const message = await fails(made(() => product));
    expect(message).toMatch(/^ERR_PLUGIN guards\[2\]: the plugin 'limits' made /);
    expect(message).toContain(text);
  });

  it("one that has its question from a polluted prototype", async () => {
    const planted = Object.prototype as Record<string, unknown>;
    const create = () => {
      planted["evaluate"] = () => ({ decision: "allow" });
      return { name: "x" };
    };
    try {
      expect(await fails(made(create))).toContain("neither evaluate(call)");
    } finally {
      delete planted["evaluate"];
    }
  });
});
