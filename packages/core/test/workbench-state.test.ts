import { describe, expect, it } from "vitest";
import { allowAll, type JsonObject } from "../src/index.js";
import { type StatefulTool, StaticWorkbench } from "../src/workbench/index.js";
import { spyTool } from "./support/runners.js";

describe("a static workbench's state", () => {
  const counter = (name: string, more: Partial<StatefulTool> = {}) => {
    let count = 0;
    return {
      name,
      count: () => count,
      execute: () => ++count,
      saveState: () => count,
      loadState: (state: unknown) => {
        count = state as number;
      },
      ...more,
    };
  };

  it("is keyed by the tools' own names, whatever they are called by", async () => {
    const options = { guardrails: [allowAll()], overrides: { a: { name: "alpha" } } };
    const tools = (list: ReturnType<typeof counter>[]) =>
      list.map(({ count: _count, ...each }) => each);
    const before = new StaticWorkbench(
      [...tools([counter("a"), counter("b")]), spyTool("c")],
      options,
    );
    await before.callTool("alpha");
    await before.callTool("alpha");
    const state = await before.saveState();
    expect(state).toEqual({ tools: { a: 2, b: 0 } });
    const [a, b] = [counter("a"), counter("b")];
    const after = new StaticWorkbench(tools([a, b]), options);
    await after.loadState(JSON.parse(JSON.stringify(state)) as JsonObject);
    expect([a.count(), b.count()]).toEqual([2, 0]);
  });

  it("is taken as AutoGen saves it, with a type and with empty states of tools that keep none", async () => {
    const { count, ...a } = counter("a");
    const bench = new StaticWorkbench([a, spyTool("c")], { guardrails: [allowAll()] });
    await bench.loadState({ type: "StaticWorkbenchState", tools: { a: 5, c: {} } });
    expect(count()).toBe(5);
    await bench.loadState({});
    expect(count()).toBe(5);
  });

  it.each<[string, unknown]>([
    ["another type", { type: "Other", tools: {} }],
    ["a further member", { tools: {}, counters: {} }],
    ["tools in a list", { tools: [] }],
    ["no object", "state"],
    ["null", null],
  ])("P5 with %s is refused", async (_, state) => {
    const bench = new StaticWorkbench([], { guardrails: [allowAll()] });
    await expect(bench.loadState(state as never)).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
  });

  it("P5 of a tool that is not there, or keeps none, is refused before anything is loaded", async () => {
    const a = counter("a");
    const bench = new StaticWorkbench(
      [{ name: a.name, saveState: a.saveState, loadState: a.loadState }, spyTool("c")],
      { guardrails: [allowAll()] },
    );
    for (const tools of [
      { a: 5, ghost: 1 },
      { a: 5, c: 1 },
      { a: 5, toString: 1 },
    ]) {
      await expect(bench.loadState({ tools })).rejects.toMatchObject({ code: "ERR_UNKNOWN_TOOL" });
    }
    expect(a.count()).toBe(0);
  });
});
