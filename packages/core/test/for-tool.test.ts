import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  allow,
  allowAll,
  type CallOf,
  deny,
  forTool,
  type JsonObject,
  type JsonValue,
  type Tool,
  type ToolArguments,
  type ToolName,
  ToolRunner,
  tool,
} from "../src/index.js";

const search = tool({
  name: "search",
  parameters: z.object({ q: z.string().trim(), page: z.number().default(1) }),
  execute: ({ q }) => q,
});
const refund = tool({
  name: "refund",
  parameters: {
    type: "object",
    properties: {
      cents: { type: "integer" },
      why: { enum: ["late", "broken"] },
      to: { type: ["string", "null"] },
      tags: { type: "array", items: { type: "string" } },
      lines: {
        type: "array",
        items: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] },
      },
      either: { anyOf: [{ type: "string" }, { const: 7 }] },
      elsewhere: { $ref: "#/$defs/elsewhere" },
    },
    required: ["cents", "lines"],
  },
  unchecked: true,
  execute: ({ cents }) => `${cents}`,
});

describe("ToolName", () => {
  it("is the names of a list of tools, of an object of tools, and of one tool", () => {
    const tools = [search, refund];
    expectTypeOf<ToolName<typeof tools>>().toEqualTypeOf<"search" | "refund">();
    expectTypeOf<ToolName<typeof search>>().toEqualTypeOf<"search">();
    const byName = { find: search, pay: refund };
    expectTypeOf<ToolName<typeof byName>>().toEqualTypeOf<"find" | "pay">();
    const declared = [{ name: "a" }, { name: "b" }] as const;
    expectTypeOf<ToolName<typeof declared>>().toEqualTypeOf<"a" | "b">();
    expectTypeOf<ToolName<ReadonlySet<typeof search>>>().toEqualTypeOf<"search">();
  });

  it("is string where the names are not known", () => {
    expectTypeOf<ToolName<readonly Tool[]>>().toEqualTypeOf<string>();
    const typed = tool<{ a: number }>({ name: "typed", execute: ({ a }) => a });
    expectTypeOf<ToolName<typeof typed>>().toEqualTypeOf<string>();
  });
});

describe("ToolArguments", () => {
  it("is what a Standard Schema makes", () => {
    expectTypeOf<ToolArguments<typeof search>>().toEqualTypeOf<{ q: string; page: number }>();
    const declared = { name: "d", parameters: z.object({ n: z.string().transform(Number) }) };
    expectTypeOf<ToolArguments<typeof declared>>().toEqualTypeOf<{ n: number }>();
  });

  it("is what a JSON Schema lets through", () => {
    expectTypeOf<ToolArguments<typeof refund>>().toEqualTypeOf<{
      readonly cents: number;
      readonly lines: readonly { readonly sku: string }[];
      readonly why?: "late" | "broken";
      readonly to?: string | null;
      readonly tags?: readonly string[];
      readonly either?: string | 7;
      readonly elsewhere?: JsonValue;
    }>();
    const declared = {
      name: "d",
      parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    } as const;
    expectTypeOf<ToolArguments<typeof declared>>().toEqualTypeOf<{ readonly id: string }>();
  });

  it("is what the function takes, where it says so", () => {
    const typed = tool({ name: "typed", execute: ({ to }: { to: string }) => to });
    expectTypeOf<ToolArguments<typeof typed>>().toEqualTypeOf<{ to: string }>();
  });

  it("is JsonObject where nothing is known", () => {
    const schema: Record<string, unknown> = { type: "object" };
    const loose = tool({ name: "loose", parameters: schema, execute: (args) => args });
    const silent = tool({ name: "silent" });
    expectTypeOf<ToolArguments<typeof loose>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<ToolArguments<typeof silent>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<ToolArguments<Tool>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<ToolArguments<{ name: "one" }>>().toEqualTypeOf<JsonObject>();
    const open = { name: "open", parameters: { type: "object" } } as const;
    expectTypeOf<ToolArguments<typeof open>>().toEqualTypeOf<JsonObject>();
  });
});

describe("forTool", () => {
  it("asks about the calls of its tool alone, with arguments of the tool's type", async () => {
    const asked: string[] = [];
    const first = forTool(search, {
      name: "first-page",
      evaluate: ({ args, toolName }) => {
        expectTypeOf(args).toEqualTypeOf<{ q: string; page: number }>();
        asked.push(`${toolName} ${args.q} ${args.page.toFixed(1)}`);
        return args.page > 1 ? deny("only the first page") : allow();
      },
    });
    const runner = new ToolRunner({ tools: [search, refund], guardrails: [first] });
    const outcomes = await runner.runAll([
      { name: "search", arguments: '{"q":" tea "}' },
      { name: "search", arguments: '{"q":"tea","page":2}' },
      { name: "refund", arguments: '{"cents":1,"lines":[]}' },
    ]);
    expect(outcomes.map((each) => ("basis" in each ? each.basis : each.status))).toEqual([
      "executed",
      "policy",
      "no_provider",
    ]);
    expect(asked).toEqual(["search tea 1.0", "search tea 2.0"]);
  });

  it("takes a guard that is for any tool, and a judge of results", async () => {
    const judge = forTool(search, {
      name: "judge",
      evaluateResult: ({ args }, result) => {
        expectTypeOf(args.page).toEqualTypeOf<number>();
        return result.content === "secret" ? deny("no") : allow();
      },
    });
    const guardrails = [forTool(search, allowAll()), judge];
    const runner = new ToolRunner({ tools: [search], guardrails });
    const run = (q: string) => runner.run({ name: "search", arguments: { q } });
    expect((await run("tea")).status).toBe("executed");
    expect((await run("secret")).status).toBe("withheld");
  });

  it("gives a call's arguments the type in CallOf, and leaves the rest of the call as it is", () => {
    expectTypeOf<CallOf<typeof refund>["args"]["cents"]>().toEqualTypeOf<number>();
    expectTypeOf<CallOf<typeof refund>["signal"]>().toEqualTypeOf<AbortSignal>();
  });

  it("P5 refuses a tool that the runner does not have", () => {
    const guardrails = [forTool({ name: "serach" }, allowAll())];
    expect(() => new ToolRunner({ tools: [search], guardrails })).toThrow("Did you mean 'search'?");
  });
});
