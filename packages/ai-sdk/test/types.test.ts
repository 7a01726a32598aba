import { allowAll } from "@toolstile/core";
import * as ai7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as ai6 from "ai6";
import { MockLanguageModelV3 } from "ai6/test";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { guardModel, guardTools, toolApproval } from "../src/index.js";

const options = { guardrails: [allowAll()] };
const inputSchema = z.object({ q: z.string() });

describe("the types", () => {
  it("are the framework's own, in ai 7", () => {
    const search = ai7.tool({ inputSchema, execute: async ({ q }) => q.length });
    const tools = guardTools({ search }, options);
    expectTypeOf(tools).toEqualTypeOf<{ search: typeof search }>();
    expectTypeOf(tools).toExtend<ai7.ToolSet>();
    const model = guardModel(new MockLanguageModelV4(), options);
    expectTypeOf(model).toExtend<ai7.LanguageModel>();
    const generate = () =>
      ai7.generateText({ model, tools, toolApproval: toolApproval(tools), prompt: "go" });
    type Result = Awaited<ReturnType<typeof generate>>["staticToolResults"][number];
    expectTypeOf<Result["output"]>().toEqualTypeOf<number>();
  });

  it("are the framework's own, in ai 6", () => {
    const search = ai6.tool({ inputSchema, execute: async ({ q }) => q.length });
    const tools = guardTools({ search }, options);
    expectTypeOf(tools).toEqualTypeOf<{ search: typeof search }>();
    expectTypeOf(tools).toExtend<ai6.ToolSet>();
    const model = guardModel(new MockLanguageModelV3(), options);
    expectTypeOf(model).toExtend<ai6.LanguageModel>();
    const generate = () => ai6.generateText({ model, tools, prompt: "go" });
    type Result = Awaited<ReturnType<typeof generate>>["staticToolResults"][number];
    expectTypeOf<Result["output"]>().toEqualTypeOf<number>();
  });
});
