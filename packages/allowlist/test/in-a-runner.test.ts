import { ToolRunner } from "@toolstile/core";
import { fakeTool } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { allowlist } from "../src/index.js";

describe("an allowlist in a runner", () => {
  it("P5 stops at load for a name that no tool has, and offers the nearest", () => {
    const load = (unknownTools: "error" | "ignore") =>
      new ToolRunner({
        tools: [fakeTool("search")],
        guardrails: [allowlist(["serach"], { unknownTools })],
      });
    expect(() => load("error")).toThrow("'serach', which does not exist. Did you mean 'search'?");
    expect(() => load("ignore")).not.toThrow();
  });

  it("judges an alias by the tool that it stands for", async () => {
    const [search, wipe] = [fakeTool("search"), fakeTool("wipe")];
    const runner = new ToolRunner({
      tools: [search, wipe],
      aliases: { find: "search", look: "wipe" },
      guardrails: [allowlist(["search"])],
    });
    expect(await runner.run({ name: "find" })).toMatchObject({ status: "executed" });
    expect(await runner.run({ name: "look" })).toMatchObject({
      status: "denied",
      decidedBy: "allowlist",
      code: "not_allowed",
      reason: "tool call 'wipe' is not an allowed tool",
    });
    expect(wipe.runs).toEqual([]);
  });

  it("holds an agent's runner to the agent's rules", async () => {
    const tools = [fakeTool("search"), fakeTool("refund")];
    const rules = { allow: ["search", "refund"], agents: { support: { allow: ["search"] } } };
    const runner = new ToolRunner({ tools, guardrails: [allowlist(rules)] });
    const request = { name: "refund" };
    expect(await runner.forAgent("support").run(request)).toMatchObject({ status: "denied" });
    expect(await runner.forAgent("billing").run(request)).toMatchObject({ status: "executed" });
    expect(await runner.run(request)).toMatchObject({ status: "denied" });
  });

  it("P8 lets a tool called constructor run only where it is named", async () => {
    const tools = [fakeTool("constructor"), fakeTool("search")];
    const run = (rules: string[]) =>
      new ToolRunner({ tools, guardrails: [allowlist(rules)] }).run({ name: "constructor" });
    expect(await run(["search"])).toMatchObject({ status: "denied" });
    expect(await run(["constructor"])).toMatchObject({ status: "executed" });
  });
});
