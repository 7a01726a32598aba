import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Permit } from "../src/call/permit.js";
import type { OpenedCall } from "../src/host/index.js";
import {
  allow,
  allowAll,
  deny,
  type ToolCall,
  type ToolContext,
  ToolRunner,
  tool,
} from "../src/index.js";
import { StaticWorkbench } from "../src/workbench/index.js";
import { callOf } from "./support/calls.js";
import { guard, spyTool } from "./support/runners.js";

const refused = { code: "ERR_PERMIT" };

function sealedTool(name = "send") {
  const runs: unknown[] = [];
  const contexts: ToolContext[] = [];
  const sealed = tool({
    name,
    sealed: true,
    execute: (args, context) => {
      runs.push(args);
      contexts.push(context);
      return "done";
    },
  });
  /** Reach the function directly, with whatever is at hand. */
  const reach = (args: unknown, context?: unknown): unknown =>
    (sealed.execute as (args: unknown, context: unknown) => unknown)(args, context);
  return { sealed, runs, contexts, reach };
}

async function opened(runner: ToolRunner, args: unknown = { to: "ada" }): Promise<OpenedCall> {
  const call = await runner.open({ name: "send", arguments: args });
  if (call.outcome !== undefined) throw new Error(`not opened: ${call.outcome.status}`);
  return call;
}

describe("P7 a sealed tool", () => {
  it("P7 runs through a runner, a workbench, and an opened call", async () => {
    const { sealed, runs, reach } = sealedTool();
    const runner = new ToolRunner({ tools: [sealed], guardrails: [allowAll()] });
    expect(await runner.run({ name: "send" })).toMatchObject({ status: "executed", value: "done" });
    const bench = new StaticWorkbench([sealed], { guardrails: [allowAll()] });
    expect(await bench.callTool("send")).toMatchObject({ isError: false, content: "done" });
    const { permit, call, close } = await opened(runner);
    expect(reach(call.args, { permit })).toBe("done");
    expect(await close({ value: "done" })).toMatchObject({ status: "executed" });
    expect(runs).toHaveLength(3);
  });

  it.each<[string, unknown]>([
    ["no context", undefined],
    ["no permit", {}],
    ["null", { permit: null }],
    ["a look-alike", { permit: { toolName: "send", args: {} } }],
    ["a text", { permit: "permit" }],
  ])("P7 refuses to run with %s", (_what, context) => {
    const { runs, reach } = sealedTool();
    expect(() => reach({}, context)).toThrow(expect.objectContaining(refused));
    expect(runs).toEqual([]);
  });

  it("P7 refuses a permit that inherits from a real one, or that wraps it", async () => {
    const { sealed, runs, reach } = sealedTool();
    const { permit, call } = await opened(
      new ToolRunner({ tools: [sealed], guardrails: [allowAll()] }),
    );
    for (const forged of [
      Object.create(permit),
      new Proxy(permit, {}),
      { ...permit },
      structuredClone({ ...permit }),
    ]) {
      expect(() => reach(call.args, { permit: forged })).toThrow(expect.objectContaining(refused));
    }
    expect(runs).toEqual([]);
  });

  it("P7 offers no way from a permit to another", async () => {
    const { sealed } = sealedTool();
    const { permit } = await opened(new ToolRunner({ tools: [sealed], guardrails: [allowAll()] }));
    expect(permit.constructor).toBeUndefined();
    const prototype = Object.getPrototypeOf(permit) as object;
    expect(Reflect.ownKeys(prototype)).toEqual(["constructor"]);
    expect(Reflect.ownKeys(permit)).toEqual([]);
  });

  it("P7 refuses a permit a second time", async () => {
    const { sealed, runs, reach } = sealedTool();
    const { permit, call } = await opened(
      new ToolRunner({ tools: [sealed], guardrails: [allowAll()] }),
    );
    reach(call.args, { permit });
    expect(() => reach(call.args, { permit })).toThrow(expect.objectContaining(refused));
    expect(runs).toHaveLength(1);
  });

  it("P7 refuses the permit that a tool leaked, during its run and after", async () => {
    const inner = sealedTool("inner");
    let during: unknown;
    const leaked: Permit[] = [];
    const runner = new ToolRunner({
      tools: [
        spyTool("send", (args, { permit }) => {
          leaked.push(permit);
          try {
            inner.reach(args, { permit });
          } catch (error) {
            during = error;
          }
        }),
        inner.sealed,
      ],
      guardrails: [allowAll()],
    });
    await runner.run({ name: "send" });
    expect(during).toMatchObject(refused);
    await runner.run({ name: "inner" });
    const context = inner.contexts[0];
    expect(() => inner.reach({}, context)).toThrow(expect.objectContaining(refused));
    expect(inner.runs).toHaveLength(1);
  });

  it("P7 refuses a permit after its call was closed, unused as it may be", async () => {
    const { sealed, runs, reach } = sealedTool();
    const runner = new ToolRunner({ tools: [sealed], guardrails: [allowAll()] });
    const { permit, call, close } = await opened(runner);
    await close({ released: true });
    expect(() => reach(call.args, { permit })).toThrow(expect.objectContaining(refused));
    expect(runs).toEqual([]);
  });

  it("P7 refuses the permit of another tool, and of another call's arguments", async () => {
    const { sealed, runs, reach } = sealedTool();
    const runner = new ToolRunner({
      tools: [sealed, spyTool("other")],
      guardrails: [allowAll()],
    });
    const other = await runner.open({ name: "other", arguments: { to: "ada" } });
    expect(() => reach({ to: "ada" }, { permit: other.permit })).toThrow(
      expect.objectContaining(refused),
    );
    const { permit } = await opened(runner);
    for (const args of [{ to: "eve" }, {}, { to: "ada", cc: "eve" }, { TO: "ada" }]) {
      expect(() => reach(args, { permit })).toThrow(expect.objectContaining(refused));
    }
    expect(runs).toEqual([]);
    expect(reach({ to: "ada" }, { permit })).toBe("done");
  });

  it("P7 hands on the arguments that were decided, not those that change as they are read", async () => {
    const { sealed, runs, reach } = sealedTool();
    const { permit } = await opened(new ToolRunner({ tools: [sealed], guardrails: [allowAll()] }));
    let reads = 0;
    const shifty = Object.defineProperty({}, "to", {
      enumerable: true,
      get: () => (reads++ === 0 ? "ada" : "eve"),
    });
    reach(shifty, { permit });
    expect(structuredClone(runs)).toEqual([{ to: "ada" }]);
  });

  it("P7 has no permit to give for a call that was stopped", async () => {
    const { sealed } = sealedTool();
    for (const guardrails of [[], [guard("g", { evaluate: () => deny("no") })]]) {
      const stopped = await new ToolRunner({ tools: [sealed], guardrails }).open({ name: "send" });
      expect(stopped.permit).toBeUndefined();
      expect(stopped.outcome).toMatchObject({ status: "denied" });
    }
  });

  it("P7 no guard is shown a permit", async () => {
    const seen: ToolCall[] = [];
    const { sealed } = sealedTool();
    const see = (call: ToolCall): ReturnType<typeof allow> => {
      seen.push(call);
      return allow();
    };
    const runner = new ToolRunner({
      tools: [sealed],
      guardrails: [guard("g", { evaluate: see, admit: see, evaluateResult: see })],
    });
    await runner.run({ name: "send" });
    expect(seen).toHaveLength(3);
    for (const call of seen) expect("permit" in call).toBe(false);
  });

  it("has something to seal", () => {
    expect(() => tool({ name: "send", sealed: true })).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_TOOL" }),
    );
  });
});

describe("P7 the one crossing", () => {
  const folder = new URL("../src/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({
      file,
      code: readFileSync(new URL(file, folder), "utf8")
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/\/\/.*$/gm, ""),
    }));
  const where = (pattern: RegExp): string[] =>
    sources.filter(({ code }) => pattern.test(code)).map(({ file }) => file);

  it("P7 only dispatch takes the function of a tool, and nobody but wrappers calls one", () => {
    // tool.ts only looks whether it is a function.
    expect(where(/\.execute\b/).sort()).toEqual([
      "run/execute.ts",
      "tool/registry.ts",
      "tool/tool.ts",
    ]);
    // A sealed tool calls the one inside it, a guarded executor the one it was given.
    expect(where(/\bexecute\(/).sort()).toEqual([
      "host/guarded-calls.ts",
      "run/execute.ts",
      "tool/tool.ts",
    ]);
    const execute = sources.find(({ file }) => file === "run/execute.ts")?.code ?? "";
    expect(execute.match(/\bexecute\(/g)).toHaveLength(1);
    expect(execute).toMatch(/Permit\.spend\([^)]*\);[\s\S]{0,160}execute\(/);
  });

  it("P7 only the end of open mints a permit", () => {
    expect(where(/Permit\.mint\(/)).toEqual(["run/decide.ts"]);
    expect(where(/new Permit\(/)).toEqual(["call/permit.ts"]);
  });

  it("P7 the package gives away neither the class nor what dispatches", async () => {
    const core: Record<string, unknown> = { ...(await import("../src/index.js")) };
    for (const name of [
      "Permit",
      "dispatch",
      "start",
      "watched",
      "Pipeline",
      "Run",
      "Deliberation",
      "Call",
    ]) {
      expect([name, core[name]]).toEqual([name, undefined]);
    }
  });
});

describe("P7 a permit", () => {
  it("P7 counts as used once it was spent, and once it has let a tool in", () => {
    const call = callOf();
    const [fresh, spent, entered] = [Permit.mint(call), Permit.mint(call), Permit.mint(call)];
    Permit.spend(spent, call);
    Permit.enter(entered, call.toolName, call.args);
    expect([fresh, spent, entered].map(Permit.used)).toEqual([false, true, true]);
  });
});
