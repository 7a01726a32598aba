import { describe, expect, it } from "vitest";
import { allowAll } from "../src/index.js";
import { guardWorkbench, StaticWorkbench } from "../src/workbench/index.js";
import { spyTool } from "./support/runners.js";
import { InnerBench } from "./support/workbenches.js";

describe("P5 overrides", () => {
  const made = (overrides: object) => () =>
    new StaticWorkbench([spyTool("a"), spyTool("b")], {
      guardrails: [allowAll()],
      overrides: overrides as never,
    });

  it.each<[string, object, string]>([
    ["take the name of another tool", { a: { name: "b" } }, "ERR_DUPLICATE_TOOL"],
    [
      "take the name that another override takes",
      { a: { name: "x" }, b: { name: "x" } },
      "ERR_DUPLICATE_TOOL",
    ],
    ["swap names", { a: { name: "b" }, b: { name: "a" } }, "ERR_DUPLICATE_TOOL"],
    ["are of no tool", { aa: { name: "x" } }, "ERR_UNKNOWN_TOOL"],
    ["have a member that is misspelt", { a: { nmae: "x" } }, "ERR_UNKNOWN_OPTION"],
    ["are nothing", { a: null }, "ERR_INVALID_OPTION"],
    ["have a name that is empty", { a: { name: "" } }, "ERR_INVALID_OPTION"],
    ["have a description that is no text", { a: { description: 5 } }, "ERR_INVALID_OPTION"],
  ])("P5 that %s are refused", (_what, overrides, code) => {
    expect(made(overrides)).toThrow(expect.objectContaining({ code }));
  });

  it("may keep the name and change the description, or the other way round", async () => {
    const bench = new StaticWorkbench([{ ...spyTool("a"), description: "first" }, spyTool("b")], {
      guardrails: [allowAll()],
      overrides: { a: { name: "x" }, b: { name: "b", description: "second" } },
    });
    expect(await bench.listTools()).toMatchObject([
      { name: "x", description: "first" },
      { name: "b", description: "second" },
    ]);
  });

  it("P5 of a guarded workbench are checked when its list is first known", async () => {
    const bench = guardWorkbench(new InnerBench("send"), {
      guardrails: [allowAll()],
      overrides: { sned: { name: "x" } },
    });
    await expect(bench.start()).rejects.toMatchObject({
      code: "ERR_UNKNOWN_TOOL",
      message: expect.stringContaining("Did you mean 'send'?"),
    });
  });

  it("P8 that would be taken by a tool that comes later keep their tool, and the later one is left off", async () => {
    const inner = new InnerBench("send");
    const bench = guardWorkbench(inner, {
      guardrails: [allowAll()],
      overrides: { send: { name: "mail" } },
    });
    await bench.start();
    inner.tools = [{ name: "send" }, { name: "mail" }];
    expect((await bench.listTools()).map(({ name }) => name)).toEqual(["mail"]);
    await bench.callTool("mail");
    expect(inner.calls.map(([name]) => name)).toEqual(["send"]);
  });
});
