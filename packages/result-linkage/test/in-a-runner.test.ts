import { allowAll, ToolRunner, toolResult } from "@toolstile/core";
import type { ClaimedResult } from "@toolstile/core/host";
import { fakeTool } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { resultLinkage } from "../src/index.js";

const content = "the balance of another account";

function run(claims: Omit<ClaimedResult, "content">, guardrails = [allowAll(), resultLinkage()]) {
  const tool = fakeTool("search", { execute: () => toolResult({ content, ...claims }) });
  const runner = new ToolRunner({ tools: [tool], aliases: { find: "search" }, guardrails });
  return runner.run({ name: "find", callId: "c1" });
}

describe("result linkage in a runner", () => {
  it.each([
    ["nothing", {}],
    ["its call", { callId: "c1", name: "find" }],
  ])("lets through a result that claims %s", async (_, claims) => {
    const outcome = await run(claims);
    expect(outcome).toMatchObject({
      status: "executed",
      result: { callId: "c1", name: "find", content },
    });
  });

  it.each([
    ["another call", { callId: "c2" }, "unknown_call_id"],
    ["another tool", { name: "transfer" }, "name_mismatch"],
    ["the tool's own name, where the model said an alias", { name: "search" }, "name_mismatch"],
  ])("P19 keeps from the model a result that claims %s", async (_, claims, code) => {
    const outcome = await run(claims);
    expect(outcome).toMatchObject({
      status: "withheld",
      executed: true,
      decidedBy: "result-linkage",
      code,
      result: { callId: "c1", name: "find", isError: true },
    });
    expect(JSON.stringify(outcome.result)).not.toContain(content);
  });

  it("P3 lets no call run that nobody else judged", async () => {
    expect(await run({}, [resultLinkage()] as never)).toMatchObject({
      status: "denied",
      basis: "no_provider",
    });
  });
});
