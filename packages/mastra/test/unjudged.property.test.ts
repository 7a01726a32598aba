import { createTool } from "@mastra/core/tools";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { judge, parts, secret, strange } from "../../../conformance/parity/strange-parts.js";
import { guardTools } from "../src/index.js";
import { agentOf, asking, readBy } from "./scripted.js";

describe("a part or member that nobody knows, in a tool's result", () => {
  it("is judged before a model reads it", { tags: "longer" }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(parts, strange), async (found) => {
        const t = createTool({ id: "t", description: "Answers.", execute: async () => found });
        const model = asking([["t", {}, "c1"]]);
        const tools = guardTools({ t }, { guardrails: [judge], unchecked: true });
        await agentOf(model, { tools }).generate("go");
        expect(JSON.stringify(readBy(model))).not.toContain(secret);
      }),
      { numRuns: inject("long") ? 60 : 6 },
    );
  });
});
