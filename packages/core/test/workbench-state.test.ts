import { describe, expect, it } from "vitest";
import { allowAll, type JsonObject, type StatefulTool, StaticWorkbench } from "../src/index.js";
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
