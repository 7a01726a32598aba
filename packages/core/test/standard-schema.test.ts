import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { chain } from "../src/guard/compose.js";
import { flatten } from "../src/guard/define.js";
import { Deliberation } from "../src/guard/deliberation.js";
import { allow, modify } from "../src/guard/verdicts.js";
import type { JsonObject } from "../src/protocol/guardrail.js";
import { normaliser } from "../src/tool/parameters-guard.js";
import {
  isStandardSchema,
  jsonSchemaOf,
  type Normalised,
  type StandardSchema,
} from "../src/tool/standard-schema.js";
import { callOf, provider, scopeOn } from "./support/calls.js";
import { whilePlanted } from "./support/planted.js";

function schemaOf(validate: (value: unknown) => unknown, more: object = {}): StandardSchema {
  return { "~standard": { version: 1, vendor: "test", validate, ...more } } as never;
}

async function normalised(
  schema: StandardSchema,
  args: object,
  shown?: JsonObject,
): Promise<Deliberation> {
  const deliberation = new Deliberation([normaliser(schema, shown)], "call", callOf(args));
  await deliberation.run();
  return deliberation;
}

const mail = z.object({
  to: z.string().trim(),
  cc: z.string().optional(),
  retries: z.number().default(3),
});

describe("isStandardSchema", () => {
  it.each([
    ["an object of zod's", z.object({}), true],
    [
      "a function with the property",
      Object.assign(
        () => 1,
        schemaOf(() => 1),
      ),
      true,
    ],
    ["an object with the property", schemaOf(() => 1), true],
    ["a JSON Schema", { type: "object" }, false],
    ["true", true, false],
    ["null", null, false],
    ["undefined", undefined, false],
    ["text", "~standard", false],
    ["one whose validate is data", { "~standard": { validate: true } }, false],
    ["one whose property is null", { "~standard": null }, false],
    ["one whose property is empty", { "~standard": {} }, false],
  ])("of %s", (_, value, is) => {
    expect(isStandardSchema(value)).toBe(is);
  });
});

describe("jsonSchemaOf", () => {
  it("is what the library writes of what it takes", () => {
    const shown = jsonSchemaOf(mail);
    expect(shown).toMatchObject({ type: "object", properties: { to: { type: "string" } } });
    expect(shown?.["required"]).toEqual(["to"]);
  });

  it("is undefined where the library writes none, or cannot", () => {
    expect(jsonSchemaOf(schemaOf(() => 1))).toBeUndefined();
    const fails = () => {
      throw new Error("transforms have none");
    };
    expect(jsonSchemaOf(schemaOf(() => 1, { jsonSchema: { input: fails } }))).toBeUndefined();
  });
});

describe("the normaliser", () => {
  it("P6 gives the guards and the tool what the schema makes of the arguments", async () => {
    const sees = provider("sees");
    const deliberation = new Deliberation(
      [normaliser(mail, jsonSchemaOf(mail)), ...flatten([sees])],
      "call",
      callOf({ to: " a ", gone: 1 }),
    );
    deliberation.run();
    expect(sees.asked).toEqual([{ to: "a", retries: 3 }]);
    expect(deliberation.call.args).toStrictEqual({ to: "a", retries: 3 });
    expect(Object.isFrozen(deliberation.call.args)).toBe(true);
    expect(deliberation.modifiedBy).toEqual(["parameters"]);
  });

  it("P6 keeps the arguments that were read where the schema makes the same of them", () => {
    const sees = provider("sees");
    const call = callOf({ to: "a", retries: 3 });
    // As ArkType does, it writes into what it is given, and gives it back.
    const writing = schemaOf((value) => {
      const given = value as Record<string, unknown>;
      given["retries"] = 3;
      return { value: given };
    });
    const deliberation = new Deliberation(
      [normaliser(writing, undefined), ...flatten([sees])],
      "call",
      call,
    );
    deliberation.run();
    expect(deliberation.call).toBe(call);
    expect(deliberation.modifiedBy).toEqual([]);
    expect(deliberation.records.map(({ provider, decision }) => [provider, decision])).toEqual([
      ["parameters", "allow"],
      ["sees", "allow"],
    ]);
  });

  it("P6 is asked again about what a guard makes of the arguments", async () => {
    const breaks = provider("breaks", ({ args }) =>
      args["to"] === "a" ? modify({ to: 7 }) : allow(),
    );
    const deliberation = new Deliberation(
      [normaliser(mail, jsonSchemaOf(mail)), ...flatten([breaks])],
      "call",
      callOf({ to: "a" }),
    );
    deliberation.run();
    expect(deliberation.denial).toMatchObject({
      code: "schema",
      basis: "policy",
      decidedBy: "parameters",
      reason: "arguments for tool 'send_mail' do not match its schema at /to: expected string",
    });
  });

  it("P3 does not count as having judged a call", async () => {
    expect((await normalised(mail, { to: "a", retries: 3 })).judged).toBe(false);
    expect((await normalised(mail, { to: " a " })).judged).toBe(false);
  });

  it("checks the arguments of every tool it is for", () => {
    expect(normaliser(mail, undefined).checksArguments({ name: "send_mail" })).toBe(true);
  });

  it("waits for a schema that checks by a promise", async () => {
    const slow = z.object({ to: z.string().refine(async (to) => to !== "b") });
    expect(
      (
        await normalised(
          schemaOf(async (value) => slow["~standard"].validate(value)),
          { to: "a" },
        )
      ).denial,
    ).toBeUndefined();
    expect(
      (
        await normalised(
          schemaOf(async (value) => slow["~standard"].validate(value)),
          { to: "b" },
        )
      ).denial?.code,
    ).toBe("schema");
  });

  it("asks the schema as itself", async () => {
    class Own {
      readonly version = 1;
      readonly vendor = "test";
      readonly #made = { made: true };
      validate() {
        return { value: this.#made };
      }
    }
    const schema = { "~standard": new Own() } as unknown as StandardSchema;
    expect((await normalised(schema, {})).call.args).toEqual({ made: true });
  });

  it.each<readonly [string, (value: unknown) => unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
      "error",
    ],
    [
      "rejects",
      async () => {
        throw new Error("hunter2");
      },
      "error",
    ],
    ["gives nothing", () => undefined, "error"],
    ["gives null", () => null, "error"],
    ["gives an empty object", () => ({}), "error"],
    ["gives an inherited value", () => Object.create({ value: {} }), "error"],
    ["gives issues that are no list", () => ({ issues: 7 }), "error"],
    ["gives null for issues", () => ({ issues: null }), "error"],
    ["gives text as value", () => ({ value: "x" }), "policy"],
    ["gives undefined as value", () => ({ value: undefined }), "policy"],
    ["gives a list as value", () => ({ value: [] }), "policy"],
    ["makes a Date", () => ({ value: { at: new Date(0) } }), "policy"],
    ["makes a BigInt", () => ({ value: { n: 1n } }), "policy"],
  ])("P1 denies where its schema %s", async (_, validate, basis) => {
    const deliberation = await normalised(schemaOf(validate), {});
    expect(deliberation.denial).toMatchObject({ decision: "deny", basis, decidedBy: "parameters" });
    expect(JSON.stringify(deliberation.records)).not.toContain("hunter2");
  });

  it("P1 denies where its schema does not answer in time", async () => {
    const { scope, clock } = scopeOn({ timeoutMs: 10 });
    const deliberation = new Deliberation(
      [
        normaliser(
          schemaOf(() => new Promise(() => undefined)),
          undefined,
        ),
      ],
      "call",
      callOf({}, { scope }),
    );
    const pending = deliberation.run();
    clock.pass(10);
    await pending;
    expect(deliberation.denial?.basis).toBe("timeout");
  });

  it("denies where there are issues, also an empty list of them, and a value beside them", async () => {
    for (const result of [{ issues: [] }, { issues: [{ message: "no" }], value: { a: 1 } }]) {
      expect(
        (
          await normalised(
            schemaOf(() => result),
            {},
          )
        ).denial?.code,
      ).toBe("schema");
    }
    expect(
      (
        await normalised(
          schemaOf(() => ({ issues: undefined, value: { a: 1 } })),
          {},
        )
      ).denial,
    ).toBeUndefined();
  });

  it("is stopped where it makes something else of its own work each time", async () => {
    const grows = schemaOf((value) => ({ value: { n: (value as { n: number }).n + 1 } }));
    const deliberation = new Deliberation(
      [normaliser(grows, undefined), ...flatten([provider("a")])],
      "call",
      callOf({ n: 0 }),
    );
    deliberation.run();
    // Content with what it made, and asked again only if another guard changes it.
    expect(deliberation.denial).toBeUndefined();
    expect(deliberation.call.args).toEqual({ n: 1 });
    const changes = provider("b", ({ args }) => modify({ n: (args["n"] as number) + 1 }));
    const restless = new Deliberation(
      [normaliser(grows, undefined), ...flatten([changes])],
      "call",
      callOf({ n: 0 }),
    );
    restless.run();
    expect(restless.denial?.basis).toBe("unstable");
  });
});

describe("P2 what the normaliser says of arguments that do not match", () => {
  const shown: JsonObject = {
    type: "object",
    properties: { to: { type: "array", items: { properties: { address: {} } } }, "a/b": {} },
    description: 'not "declared": at all',
  };

  const args = {
    to: [{ address: 7 }, 1],
    hunter2: "hunter2",
    declared: 1,
    "1234567890": 1,
    'to":': 1,
    "": 1,
  };

  it.each<readonly [string, readonly unknown[], string]>([
    ["nothing of where", [], ""],
    ["a declared key", ["to"], " at /to"],
    ["a declared key with a slash", ["a/b"], " at /a~1b: missing"],
    ["a place in a list", ["to", 0, "address"], " at /to/0/address"],
    ["a key as an object", [{ key: "to" }, { key: 1 }], " at /to/1"],
    ["a place that a list lacks", ["to", 3], " at /to/3: missing"],
    ["an undeclared key", ["hunter2"], " at /*"],
    ["an undeclared key below a declared one", ["to", "hunter2"], " at /to/*: missing"],
    ["a key that only a text mentions", ["declared"], " at /*"],
    ["a symbol", [Symbol("hunter2")], " at /*: missing"],
    ["a number in text", ["1234567890"], " at /*"],
    ["a key with a quote", ['to":'], " at /*"],
    ["an empty key", [""], " at /*"],
  ])("is %s", async (_, path, place) => {
    const schema = schemaOf(() => ({ issues: [{ message: "hunter2 is wrong", path }] }));
    const deliberation = await normalised(schema, args, shown);
    expect(deliberation.denial?.reason).toBe(
      `arguments for tool 'send_mail' do not match its schema${place}`,
    );
    expect(JSON.stringify(deliberation.records)).not.toContain("hunter2");
  });

  it("is no key at all where the schema is not shown", async () => {
    const schema = schemaOf(() => ({ issues: [{ message: "x", path: ["to"] }] }));
    expect((await normalised(schema, { to: "x" })).denial?.reason).toMatch(/ at \/\*$/);
  });

  it("is nothing of a value that zod refuses", async () => {
    const deliberation = await normalised(
      mail,
      { to: 123456789, hunter2: "hunter2" },
      jsonSchemaOf(mail),
    );
    expect(deliberation.denial?.reason).toBe(
      "arguments for tool 'send_mail' do not match its schema at /to: expected string",
    );
    expect(JSON.stringify(deliberation.records)).not.toMatch(/hunter2|123456789/);
  });

  it("P1 denies where an issue is nothing like one", async () => {
    for (const issues of [[null], [{ path: [null] }], [{ path: 7 }], ["x"]]) {
      const deliberation = await normalised(
        schemaOf(() => ({ issues })),
        {},
      );
      expect(deliberation.denial?.decision).toBe("deny");
    }
  });
});

describe("P8 the normaliser under a polluted prototype", () => {
  it("takes no planted value, and no planted lack of issues", () => {
    const planted = { value: { planted: true }, issues: undefined };
    for (const result of [{}, { issues: [{ message: "no" }] }]) {
      const deliberation = new Deliberation(
        [
          normaliser(
            schemaOf(() => result),
            undefined,
          ),
        ],
        "call",
        callOf(),
      );
      whilePlanted(planted, () => deliberation.run());
      expect(deliberation.denial?.decision).toBe("deny");
    }
  });

  it("does not refuse what its schema takes because of planted issues", () => {
    const deliberation = new Deliberation(
      [
        normaliser(
          schemaOf(() => ({ value: { a: 1 } })),
          undefined,
        ),
      ],
      "call",
      callOf(),
    );
    whilePlanted({ issues: [{ message: "planted" }] }, () => deliberation.run());
    expect(deliberation.denial).toBeUndefined();
    expect(deliberation.call.args).toEqual({ a: 1 });
  });
});

describe("the type of what a schema makes", () => {
  it("is zod's output, and never where there is no schema", () => {
    expectTypeOf<Normalised<typeof mail>>().toEqualTypeOf<{
      to: string;
      cc?: string | undefined;
      retries: number;
    }>();
    expectTypeOf<Normalised<{ type: "object" }>>().toEqualTypeOf<never>();
    expect(chain).toBeTypeOf("function");
  });
});
