import { allowAll, deny } from "@toolstile/core";
import { jsonSchema } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools } from "../src/index.js";

const inputSchema = z.object({ q: z.string() });

describe("guardTools", () => {
  const tools = { search: { inputSchema, execute: () => "found" } };

  it("P5 refuses an option, a tool or a set that it cannot mean", () => {
    const made = (set: unknown, options: object) => () =>
      guardTools(set as never, options as never);
    const code = (name: string) => expect.objectContaining({ code: name });
    const guardrails = [allowAll()];
    expect(made(tools, { guardrail: [] })).toThrow("Did you mean 'guardrails'?");
    expect(made([], { guardrails })).toThrow(code("ERR_INVALID_OPTION"));
    expect(made({ search: 5 }, { guardrails })).toThrow(code("ERR_INVALID_TOOL"));
    expect(made({ search: { ...tools.search, execute: 5 } }, { guardrails })).toThrow(
      code("ERR_INVALID_TOOL"),
    );
    expect(made(tools, { guardrails, requestApproval: true })).toThrow(code("ERR_INVALID_OPTION"));
    const later = jsonSchema(Promise.resolve({ type: "object" as const }));
    expect(made({ later: { inputSchema: later } }, { guardrails })).toThrow(
      code("ERR_INVALID_TOOL"),
    );
    expect(made(tools, { guardrails: [{ ...allowAll(), tools: ["serch"] }] })).toThrow(
      "Did you mean 'search'?",
    );
  });

  it("refuses a tool that the provider runs, and names the way to guard it", () => {
    const webSearch = {
      type: "provider",
      id: "x.search",
      args: {},
      isProviderExecuted: true,
    } as const;
    expect(() => guardTools({ webSearch }, { guardrails: [allowAll()] })).toThrow("guardModel()");
  });

  it("leaves the tools that it was given as they were, and everything else of them as it is", () => {
    const before = { ...tools.search };
    const guarded = guardTools(tools, { guardrails: [allowAll()] });
    expect(tools.search).toEqual(before);
    expect(guarded.search).toEqual({ ...before, execute: expect.any(Function) });
    expect(guarded.search.execute).not.toBe(before.execute);
  });

  it("P8 guards a tool called __proto__ as any other", async () => {
    const ran: unknown[] = [];
    const named = { inputSchema, execute: async () => ran.push("ran") };
    const own = Object.fromEntries([["__proto__", named]]);
    const guarded = guardTools(own, {
      guardrails: [{ name: "guard", evaluate: () => deny("no") }],
    });
    const [[name, tool] = []] = Object.entries(guarded);
    expect(name).toBe("__proto__");
    const run = tool?.execute as unknown as (input: object, options: object) => Promise<unknown>;
    await expect(run({ q: "tea" }, { toolCallId: "c1" })).rejects.toThrow("no");
    expect(ran).toEqual([]);
  });
});
