import { describe, expect, it } from "vitest";
import * as z from "zod";
import { allow, allowAll, ToolRunner } from "../src/index.js";
import { StaticWorkbench } from "../src/workbench/index.js";
import { error } from "./support/errors.js";
import { guard, spyTool } from "./support/runners.js";

/** Throws at every reading, or at that of one member. */
const throwing = (member?: string): never =>
  new Proxy(
    { name: "pay" },
    {
      get: (target, key) => {
        if (member === undefined || key === member) throw new Error("hunter2");
        return Reflect.get(target, key);
      },
      getOwnPropertyDescriptor: (target, key) => {
        if (member === undefined || key === member) throw new Error("hunter2");
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    },
  ) as never;

const guardrails = [allowAll()];

describe("P5 an entry of a list that throws when it is read", () => {
  it("P5 is told by its place among the tools", () => {
    expect(() => new ToolRunner({ tools: [spyTool(), throwing()], guardrails })).toThrow(
      error("ERR_INVALID_TOOL", "Tool number 2 of the list must be an object with a name"),
    );
  });

  it("P5 is told by its name where another member throws", () => {
    const hostile = Object.defineProperty({ name: "pay" }, "execute", {
      get: () => {
        throw new Error("hunter2");
      },
      enumerable: true,
    });
    expect(() => new ToolRunner({ tools: [hostile], guardrails })).toThrow(
      error("ERR_INVALID_TOOL", "The tool 'pay' must be readable"),
    );
  });

  it("P5 is a refused tool where tools come later", async () => {
    const runner = new ToolRunner({ guardrails });
    const refused = runner.setTools([spyTool(), throwing()]);
    expect(refused).toMatchObject([{ name: "", refusedBy: "core" }]);
    expect((await runner.run({ name: "send" })).status).toBe("executed");
  });

  it("P5 is told by its place among the observers", () => {
    expect(() => new ToolRunner({ guardrails, observers: [throwing()] })).toThrow(
      error("ERR_INVALID_PROVIDER", "Observer number 1 of the list must be an object with a name"),
    );
  });

  it("P5 is told by its place among the guards", () => {
    expect(() => new ToolRunner({ guardrails: [...guardrails, throwing()] })).toThrow(
      error("ERR_INVALID_PROVIDER", "Guardrail number 2 of the list must be readable"),
    );
  });

  it("P5 is told of a workbench's overrides, too", () => {
    const overrides = { send: { name: "mail" } };
    const tools = [spyTool(), null as never];
    expect(() => new StaticWorkbench(tools, { guardrails, overrides })).toThrow(
      error("ERR_INVALID_TOOL", "Tool number 2 of the list"),
    );
  });

  it("P12 is a hole of runAll's list: its call is invalid, and no place of the list is lost", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails });
    const requests = Object.assign(new Array(3), { 0: { name: "send" }, 2: { name: "send" } });
    const outcomes = await runner.runAll(requests);
    expect(outcomes.map(({ status }) => status)).toEqual(["executed", "invalid", "executed"]);
    expect(await runner.runAll(new Array(2))).toMatchObject([
      { code: "invalid_name", result: { name: "" } },
      { code: "invalid_name", result: { name: "" } },
    ]);
  });
});

describe("P5 a guard named 'parameters'", () => {
  const named = guard("parameters", { evaluate: () => allow() });
  const parameters = z.object({ to: z.string() });

  it("P5 is refused beside a tool whose own schema has that name in records", () => {
    const tools = [{ ...spyTool("pay"), parameters }];
    expect(() => new ToolRunner({ tools, guardrails: [named] })).toThrow(
      error("ERR_DUPLICATE_PROVIDER", "A guardrail is named 'parameters'", "'pay'"),
    );
    expect(
      () =>
        new ToolRunner({ tools: [{ ...tools[0], name: "pay", guardrails: [named] }], guardrails }),
    ).toThrow(error("ERR_DUPLICATE_PROVIDER", "'parameters'"));
  });

  it("may stand beside a tool that has none", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [named] });
    expect((await runner.run({ name: "send" })).status).toBe("executed");
  });
});
