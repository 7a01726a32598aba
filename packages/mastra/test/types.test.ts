import { Agent, type AgentConfig } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { createStep } from "@mastra/core/workflows";
import { allowAll } from "@toolstile/core";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { guardHooks, guardTool, guardTools } from "../src/index.js";

const options = { guardrails: [allowAll()] };
const search = createTool({
  id: "search",
  description: "Search.",
  inputSchema: z.object({ q: z.string() }),
  outputSchema: z.object({ found: z.number() }),
  execute: async ({ q }) => ({ found: q.length }),
});

describe("the types", () => {
  it("of tools are the framework's own", () => {
    const tools = guardTools({ search }, options);
    expectTypeOf(tools.search).toEqualTypeOf<typeof search>();
    expectTypeOf(guardTool(search, options)).toEqualTypeOf<typeof search>();
    expectTypeOf(
      () => new Agent({ id: "a", name: "A", instructions: "", model: "x/y", tools }),
    ).toBeFunction();
    expectTypeOf(() => createStep(guardTool(search, options))).toBeFunction();
  });

  it("of hooks are taken by an agent", () => {
    expectTypeOf(guardHooks(options)).toExtend<NonNullable<AgentConfig["hooks"]>>();
  });
});
