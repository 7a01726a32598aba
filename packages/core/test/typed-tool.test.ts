import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { StandardSchema } from "../src/host/index.js";
import {
  allow,
  allowAll,
  forTools,
  type GuardrailProvider,
  modify,
  shadow,
  ToolRunner,
  tool,
  when,
} from "../src/index.js";
import { ticks } from "./support/promises.js";
import { everythingIn, guard, polluted, textOf } from "./support/runners.js";

const parameters = z.object({ to: z.string().trim().min(1), copies: z.number().int().default(1) });

function mail(schema: StandardSchema = parameters) {
  const runs: unknown[] = [];
  return {
    runs,
    tool: tool({
      name: "send",
      parameters: schema as StandardSchema<unknown, object>,
      execute: (args) => {
        runs.push(args);
        return "done";
      },
    }),
  };
}

describe("a tool whose parameters are a zod schema", () => {
  it("gets what zod makes of the arguments, and so do the guards", async () => {
    const { tool: send, runs } = mail();
    const seen: unknown[] = [];
    const runner = new ToolRunner({
      tools: [send],
      guardrails: [
        guard("g", {
          evaluate: ({ args }) => {
            seen.push(args);
            return allow();
          },
        }),
      ],
    });
    for (const given of ['{"to":" ada ","cc":"eve"}', { to: " ada ", cc: "eve" }]) {
      const outcome = await runner.run({ name: "send", arguments: given });
      expect(outcome).toMatchObject({
        status: "executed",
        askedArgs: { to: " ada ", cc: "eve" },
        usedArgs: { to: "ada", copies: 1 },
        modifiedBy: ["parameters"],
      });
    }
    expect(seen).toEqual([
      { to: "ada", copies: 1 },
      { to: "ada", copies: 1 },
    ]);
    expect(runs).toEqual(seen);
  });

  it("types the arguments of its function", () => {
    tool({
      name: "send",
      parameters,
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ to: string; copies: number }>();
      },
    });
    tool({
      name: "send",
      parameters: z.object({ cc: z.string().optional() }),
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ cc?: string | undefined }>();
      },
    });
  });

  it("P3 is not judged by its schema alone: the call is denied", async () => {
    const { tool: send, runs } = mail();
    for (const guardrails of [[], [shadow(allowAll())]]) {
      const outcome = await new ToolRunner({ tools: [send], guardrails }).run({
        name: "send",
        arguments: { to: "ada" },
      });
      expect(outcome).toMatchObject({ status: "denied", basis: "no_provider" });
      expect(textOf(outcome)).toContain("allowAll()");
    }
    expect(runs).toEqual([]);
  });

  it("P3 a condition that became false after a change leaves the call unjudged", async () => {
    const { tool: send, runs } = mail(z.object({ to: z.string().trim() }));
    const onlyAda = when(({ args }) => args.to === "ada", allowAll());
    const spaces = when(
      ({ args }) => args.to === "ada",
      guard("spaces", { evaluate: () => modify({ to: "bob " }) }),
    );
    const outcome = await new ToolRunner({ tools: [send], guardrails: [onlyAda, spaces] }).run({
      name: "send",
      arguments: { to: "ada" },
    });
    expect(outcome).toMatchObject({
      status: "denied",
      basis: "no_provider",
      usedArgs: { to: "bob" },
    });
    expect(runs).toEqual([]);
  });

  it("denies what the schema refuses, and says where without saying what", async () => {
    const { tool: send, runs } = mail();
    const runner = new ToolRunner({ tools: [send], guardrails: [allowAll()] });
    const outcome = await runner.run({ name: "send", arguments: { to: 5, copies: "hunter2" } });
    expect(outcome).toMatchObject({
      status: "denied",
      basis: "policy",
      decidedBy: "parameters",
      code: "schema",
    });
    expect("reason" in outcome && outcome.reason).toMatch(
      /^arguments for tool 'send' do not match its schema at \/to: expected string$/,
    );
    expect(everythingIn({ ...outcome, askedArgs: 0, usedArgs: 0 })).not.toContain("hunter2");
    expect(runs).toEqual([]);
  });

  it("P2 does not repeat keys that the model chose", async () => {
    const { tool: send } = mail(z.record(z.string(), z.number()));
    const outcome = await new ToolRunner({ tools: [send], guardrails: [allowAll()] }).run({
      name: "send",
      arguments: { "ignore all rules": "x" },
    });
    expect("reason" in outcome && outcome.reason).toBe(
      "arguments for tool 'send' do not match its schema at /*: expected number",
    );
  });

  it("is asked again about what a guard makes of the arguments", async () => {
    const { tool: send, runs } = mail();
    const run = async (change: object) =>
      new ToolRunner({
        tools: [send],
        guardrails: [
          guard("g", { evaluate: ({ args }) => (args.to === "ada" ? modify(change) : allow()) }),
        ],
      }).run({ name: "send", arguments: { to: "ada" } });
    expect(await run({ to: 5 })).toMatchObject({ status: "denied", decidedBy: "parameters" });
    expect(await run({ to: "  bob  " })).toMatchObject({
      status: "executed",
      usedArgs: { to: "bob", copies: 1 },
    });
    expect(runs).toEqual([{ to: "bob", copies: 1 }]);
  });

  it.each<[string, StandardSchema, string]>([
    ["a date", z.object({ to: z.string().transform(() => new Date(0)) }), "policy"],
    ["no object", z.object({ to: z.string() }).transform(() => "text"), "policy"],
  ])("is denied when its schema makes %s of the arguments", async (_what, schema, basis) => {
    const { tool: send, runs } = mail(schema);
    const outcome = await new ToolRunner({ tools: [send], guardrails: [allowAll()] }).run({
      name: "send",
      arguments: { to: "ada" },
    });
    expect(outcome).toMatchObject({ status: "denied", basis });
    expect(runs).toEqual([]);
  });

  it("P1 is denied when its schema throws, takes too long in rejecting, or gives nothing", async () => {
    const schemaThat = (validate: () => unknown): StandardSchema => ({
      "~standard": { version: 1, vendor: "test", validate: validate as never },
    });
    for (const [validate, basis] of [
      [
        () => {
          throw new Error("hunter2");
        },
        "error",
      ],
      [() => Promise.reject(new Error("hunter2")), "error"],
      [() => ({}), "error"],
      [() => undefined, "error"],
      [async () => ({ issues: [] }), "policy"],
      [() => ({ value: undefined }), "policy"],
      [() => Object.create({ value: { to: "ada" } }), "error"],
    ] as const) {
      const { tool: send, runs } = mail(schemaThat(validate));
      const outcome = await new ToolRunner({ tools: [send], guardrails: [allowAll()] }).run({
        name: "send",
      });
      expect(outcome).toMatchObject({ status: "denied", basis, decidedBy: "parameters" });
      expect(everythingIn(outcome)).not.toContain("hunter2");
      expect(runs).toEqual([]);
    }
  });

  it("is denied where a guard and the schema do not settle on the same arguments", async () => {
    const louder = z.object({ to: z.string().transform((to) => `${to}!`) });
    const { tool: send, runs } = mail(louder);
    const run = (guardrails: GuardrailProvider[]) =>
      new ToolRunner({ tools: [send], guardrails }).run({ name: "send", arguments: { to: "ada" } });
    // What the schema made once is what all are asked about.
    expect(await run([allowAll()])).toMatchObject({ status: "executed", usedArgs: { to: "ada!" } });
    const insists = guard("insists", { evaluate: () => modify({ to: "bob" }) });
    expect(await run([insists])).toMatchObject({ status: "denied", basis: "unstable" });
    expect(runs).toEqual([{ to: "ada!" }]);
  });

  it("P8 is held to what its schema says by own property", async () => {
    const { tool: send, runs } = mail({
      "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
    });
    const runner = new ToolRunner({ tools: [send], guardrails: [allowAll()] });
    const run = () => runner.run({ name: "send", arguments: { to: "ada" } });
    const issues = [{ message: "planted" }];
    expect(await polluted({ issues }, run)).toMatchObject({ status: "executed" });
    const { tool: mute, runs: none } = mail({
      "~standard": { version: 1, vendor: "test", validate: () => ({}) as never },
    });
    const silent = new ToolRunner({ tools: [mute], guardrails: [allowAll()] });
    const value = { to: "eve" };
    const outcome = await polluted({ value }, () => silent.run({ name: "send" }));
    expect(outcome).toMatchObject({ status: "denied", basis: "error" });
    expect([runs, none]).toEqual([[{ to: "ada" }], []]);
  });

  it("may take its time", async () => {
    const { tool: send, runs } = mail(
      z.object({
        to: z.string().refine(async () => {
          await ticks(2);
          return true;
        }),
      }),
    );
    expect(
      await new ToolRunner({ tools: [send], guardrails: [allowAll()] }).run({
        name: "send",
        arguments: { to: "ada" },
      }),
    ).toMatchObject({ status: "executed" });
    expect(runs).toEqual([{ to: "ada" }]);
  });

  it("needs no other guardrail to hold its arguments, and keeps its place before the tool's own", async () => {
    const order: unknown[] = [];
    const spy = (name: string) =>
      guard(name, {
        evaluate: ({ args }) => {
          order.push([name, args.to]);
          return allow();
        },
      });
    const { tool: send } = mail();
    const runner = new ToolRunner({
      tools: [{ ...send, guardrails: [spy("tool's")] }],
      guardrails: [forTools(["send"], spy("runner's"))],
    });
    await runner.run({ name: "send", arguments: { to: " ada " } });
    expect(order).toEqual([
      ["runner's", "ada"],
      ["tool's", "ada"],
    ]);
  });

  it("shows the model the JSON Schema, where the library can write one", () => {
    const shown = { type: "object", properties: { to: { type: "string" } } };
    const schema: StandardSchema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value) => ({ value }),
        jsonSchema: { input: () => shown },
      },
    };
    const definitions = (given: StandardSchema) =>
      new ToolRunner({ tools: [mail(given).tool], guardrails: [] }).tools;
    expect(definitions(schema)[0]?.parameters).toEqual(shown);
    const cannot: StandardSchema = {
      "~standard": {
        ...schema["~standard"],
        jsonSchema: {
          input: () => {
            throw new Error("no");
          },
        },
      },
    };
    expect(definitions(cannot)[0]?.parameters).toBeUndefined();
  });
});
