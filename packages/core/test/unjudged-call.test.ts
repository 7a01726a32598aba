import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  chain,
  forTools,
  parallel,
  shadow,
  ToolRunner,
  when,
} from "../src/index.js";
import { guard, request, spyObserver, spyTool, textOf } from "./support/runners.js";

describe("P3 a call that no guardrail judged", () => {
  const judges = { name: "results", evaluateResult: () => allow() };

  it.each<[string, ConstructorParameters<typeof ToolRunner>[0]]>([
    ["there is no guardrail", { guardrails: [] }],
    ["there are only observers", { guardrails: [], observers: [spyObserver()] }],
    ["there are only result guardrails", { guardrails: [judges] }],
    ["all are shadowed", { guardrails: [shadow(allowAll())] }],
    ["a shadowed chain is all", { guardrails: [shadow(chain([allowAll()]))] }],
    ["none covers the tool", { guardrails: [forTools(["other"], allowAll())] }],
    ["the condition is false", { guardrails: [when(() => false, allowAll())] }],
    ["a parallel of shadows is all", { guardrails: [parallel([shadow(allowAll())])] }],
  ])("P3 is denied when %s, and told the way out", async (_what, options) => {
    const tool = spyTool();
    const runner = new ToolRunner({ ...options, tools: [tool, spyTool("other")] });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({
      status: "denied",
      basis: "no_provider",
      code: "no_provider",
      decidedBy: "core",
    });
    expect(textOf(outcome)).toContain("allowAll()");
    expect(tool.runs).toEqual([]);
  });

  it("P3 is denied for an unknown tool too, before it is said not to exist", async () => {
    const outcome = await new ToolRunner({ guardrails: [] }).run({ name: "ghost" });
    expect(outcome).toMatchObject({ status: "denied", basis: "no_provider" });
  });

  it("P3 an admit alone does not count as having judged", async () => {
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [when(() => false, guard("limits", { admit: () => allow() }))],
    });
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "no_provider" });
  });

  it("P3 a guardrail of the tool alone is enough", async () => {
    const tool = spyTool("send", () => "done", { guardrails: [allowAll()] });
    const runner = new ToolRunner({ tools: [tool], guardrails: [] });
    expect(await runner.run(request)).toMatchObject({ status: "executed", value: "done" });
  });
});
