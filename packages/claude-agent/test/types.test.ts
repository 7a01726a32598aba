import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { allowAll } from "@toolstile/core";
import { describe, expectTypeOf, it } from "vitest";
import { guardQuery } from "../src/index.js";

describe("the types", () => {
  it("are the SDK's own", () => {
    const options: Options = {
      model: "x",
      hooks: { PreToolUse: [{ hooks: [async () => ({ continue: true })] }] },
      canUseTool: async (_, updatedInput) => ({ behavior: "allow", updatedInput }),
    };
    expectTypeOf(guardQuery(options, { guardrails: [allowAll()] })).toEqualTypeOf<Options>();
    const bare = guardQuery({ model: "x" }, { guardrails: [allowAll()] });
    expectTypeOf(bare).toExtend<Options>();
  });
});
