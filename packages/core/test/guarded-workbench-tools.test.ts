import { describe, expect, it } from "vitest";
import { allow, allowAll, forTools, type ToolDefinition } from "../src/index.js";
import { guardWorkbench, StaticWorkbench } from "../src/workbench/index.js";
import { approver } from "./support/approvals.js";
import { HandClock } from "./support/hand-clock.js";
import { idle } from "./support/promises.js";
import { guard, spyObserver } from "./support/runners.js";
import { denies, InnerBench, last } from "./support/workbenches.js";

describe("a guarded workbench", () => {
  it("P13 follows the inner list: new tools are guarded, lost ones are not found, and none is listed a call", async () => {
    const inner = new InnerBench("a");
    const asked: string[] = [];
    const bench = guardWorkbench(inner, {
      guardrails: [
        guard("g", {
          evaluate: ({ toolName }) => {
            asked.push(toolName);
            return allow();
          },
        }),
      ],
    });
    await bench.start();
    await bench.callTool("a");
    await bench.callTool("a");
    expect(inner.log).toEqual(["start", "listTools"]);
    inner.tools = [{ name: "b" }];
    expect((await bench.callTool("b")).isError).toBe(false);
    expect(await bench.callTool("a")).toMatchObject({
      isError: true,
      content: "Tool 'a' not found.",
    });
    expect(asked).toEqual(["a", "a", "b", "a"]);
    expect(inner.calls.map(([name]) => name)).toEqual(["a", "a", "b"]);
    expect((await bench.listTools()).map(({ name }) => name)).toEqual(["b"]);
  });

  it("P13 a tool left off the list is denied all the same", async () => {
    const inner = new InnerBench("ok", "bad", "twice", "twice");
    const observer = spyObserver();
    const bench = guardWorkbench(inner, {
      guardrails: [
        guard("picky", {
          register: ({ name }) => {
            if (name === "bad") throw new Error("no");
          },
        }),
      ],
      observers: [observer],
    });
    await bench.start();
    inner.tools.push({ name: "typed", parameters: { type: "object", required: ["x"] } });
    expect((await bench.listTools()).map(({ name }) => name)).toEqual(["ok"]);
    for (const name of ["bad", "twice", "typed"]) {
      expect(await bench.callTool(name)).toMatchObject({ isError: true });
      expect(await last(bench.callToolStream(name))).toMatchObject({ isError: true });
    }
    expect(inner.calls).toEqual([]);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(Array(6).fill("denied"));
  });

  it("P13 takes from the inner list no more than definitions", async () => {
    const inner = new InnerBench();
    inner.tools = [
      {
        name: "typed",
        parameters: { type: "object", required: ["x"] },
        unchecked: true,
        guardrails: [allowAll()],
        execute: () => "theirs",
      } as ToolDefinition,
    ];
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    expect(await bench.callTool("typed")).toMatchObject({
      isError: true,
      content: expect.stringContaining("refused"),
    });
    await expect(bench.start()).rejects.toMatchObject({ code: "ERR_UNCHECKED_TOOL" });
    expect(inner.calls).toEqual([]);
  });

  it("P13 one definition that cannot be read does not hide the others", async () => {
    const inner = new InnerBench("ok");
    inner.tools.push({ name: "broken", annotations: { size: 1n } as never });
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    expect((await bench.callTool("ok")).isError).toBe(false);
    expect((await bench.callTool("broken")).isError).toBe(true);
    expect(inner.calls.map(([name]) => name)).toEqual(["ok"]);
  });

  it("P5 a guard that is configured for a tool that is not there stops all, also where nobody started it", async () => {
    const inner = new InnerBench("send");
    const options = { guardrails: [allowAll(), forTools(["sned"], denies())] };
    await expect(guardWorkbench(inner, options).start()).rejects.toMatchObject({
      code: "ERR_UNKNOWN_TOOL",
    });
    const bench = guardWorkbench(inner, options);
    expect(await bench.callTool("send")).toMatchObject({ isError: true });
    expect(await last(bench.callToolStream("send"))).toMatchObject({ isError: true });
    await expect(bench.listTools()).rejects.toMatchObject({ code: "ERR_UNKNOWN_TOOL" });
    expect(inner.calls).toEqual([]);
  });

  it("P13 has no tool that a call declares for itself", async () => {
    const options: object = { tools: [{ name: "theirs" }] };
    const inner = new InnerBench("send");
    for (const bench of [
      guardWorkbench(inner, { guardrails: [allowAll()] }),
      new StaticWorkbench([], { guardrails: [allowAll()] }),
    ]) {
      const notFound = { isError: true, content: "Tool 'theirs' not found." };
      expect(await bench.callTool("theirs", {}, options)).toMatchObject(notFound);
      expect(await last(bench.callToolStream("theirs", {}, options))).toMatchObject(notFound);
    }
    expect(inner.calls).toEqual([]);
  });

  it("P4 does not wait for the inner list for a caller who has given up", async () => {
    const inner = new InnerBench("send");
    inner.listTools = () => new Promise(() => {});
    const bench = guardWorkbench(inner, { guardrails: [allowAll()], clock: new HandClock() });
    const calling = bench.callTool("send", {}, { signal: AbortSignal.abort() }).catch(String);
    expect(await Promise.race([calling, idle()])).toContain("aborted");
  });

  it("goes on when the inner list cannot be had, to a tool that nobody declared", async () => {
    const inner = new InnerBench("send");
    inner.listTools = async () => {
      throw new Error("offline");
    };
    const observer = spyObserver();
    const faults: string[] = [];
    const bench = guardWorkbench(inner, {
      guardrails: [allowAll()],
      observers: [observer],
      approver: approver(() => ({ decision: "denied" })),
      onFault: ({ source, phase }) => void faults.push(`${source} ${phase}`),
    });
    expect(await bench.callTool("send")).toMatchObject({
      isError: true,
      content: "Tool 'send' cannot be looked up: the list of tools could not be read.",
    });
    expect(observer.records).toMatchObject([{ outcome: { code: "tools_unknown" } }]);
    await expect(bench.listTools()).rejects.toThrow("offline");
    await expect(bench.resume("a1")).rejects.toMatchObject({ code: "ERR_APPROVAL" });
    expect(faults).toEqual(["workbench listTools", "workbench listTools"]);
    inner.listTools = async () => [{ name: "other" }];
    expect((await bench.callTool("send")).content).toBe("Tool 'send' not found.");
  });

  it("says until the list is there that a tool cannot be looked up, streamed and resumed alike", async () => {
    const inner = new InnerBench("send");
    inner.start = async () => {
      throw new Error("no such command");
    };
    inner.listTools = async () => inner.start() as never;
    const bench = guardWorkbench(inner, { guardrails: [allowAll()], onFault: () => {} });
    await expect(bench.start()).rejects.toThrow("no such command");
    const result = await last(bench.callToolStream("send"));
    expect(result).toMatchObject({
      isError: true,
      content: expect.stringContaining("cannot be looked up"),
    });
  });
});
