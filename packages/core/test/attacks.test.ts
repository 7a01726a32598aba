import { describe, expect, it } from "vitest";
import { guardExecutor } from "../src/host/executor.js";
import {
  allow,
  allowAll,
  chain,
  deny,
  forTools,
  parallel,
  shadow,
  type ToolResult,
  ToolRunner,
  tool,
  toolResult,
  when,
} from "../src/index.js";
import { guardWorkbench, StaticWorkbench } from "../src/workbench/index.js";
import { callOf } from "./support/calls.js";
import { HandClock } from "./support/hand-clock.js";
import { whilePlanted } from "./support/planted.js";

const denyAll = { name: "deny-all", evaluate: () => deny("no") };
const typed = { type: "object", required: ["n"] };
const checksN = {
  name: "checks-n",
  evaluate: ({
    args,
    tool: declared,
  }: {
    args: object;
    tool?: { parameters?: unknown } | undefined;
  }) =>
    declared?.parameters !== undefined && typeof (args as { n?: unknown }).n !== "number"
      ? deny("n is a number")
      : allow(),
  checksArguments: () => true,
};

describe("P3 a composed guard that was copied", () => {
  it.each([
    ["shadow", shadow(denyAll)],
    ["forTools", forTools(["other"], allowAll())],
    ["when", when(() => false, allowAll())],
    ["chain", chain([{ name: "judge", evaluateResult: () => allow() }])],
  ])("P3 out of %s is refused, for what counts in it could not be told", (_, composed) => {
    const copy = { ...composed };
    expect(() => new ToolRunner({ guardrails: [copy] })).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_PROVIDER" }),
    );
  });
});

describe("P7 tools that are declared for one call", () => {
  const sealed = tool({
    name: "pay",
    sealed: true,
    parameters: typed,
    execute: ({ n }: { n?: unknown }) => `paid ${String(n)}`,
  });

  it("P7 do not stand in for one that is there, with its schema and its guards", async () => {
    const runner = new ToolRunner({ tools: [sealed], guardrails: [checksN] });
    const opened = await runner.open(
      { name: "pay", arguments: { n: "bad" } },
      { tools: [{ name: "pay" }] },
    );
    expect(opened.outcome).toMatchObject({ status: "denied", decidedBy: "checks-n" });
  });

  it("P7 do not stand in for one that has a guard of its own", async () => {
    const own = { name: "own", execute: () => "ran", guardrails: [denyAll] };
    const runner = new ToolRunner({ tools: [own], guardrails: [allowAll()] });
    const outcome = await runner.run({ name: "own" }, { tools: [{ name: "own" }] });
    expect(outcome.status).toBe("denied");
  });

  it("P7 are not passed on to an executor", async () => {
    const ran: string[] = [];
    const guarded = guardExecutor(
      (name) => {
        ran.push(name);
        return "ran";
      },
      { tools: [], guardrails: [allowAll()], describe: () => ({ tools: [{ name: "zzz" }] }) },
    );
    await guarded("zzz", {});
    expect(ran).toEqual([]);
  });

  it("P7 are none where a workbench streams", async () => {
    const ran: object[] = [];
    const inner = new StaticWorkbench(
      [{ name: "a", parameters: typed, execute: (args: object) => ran.push(args) }],
      { guardrails: [allowAll()], unchecked: true },
    );
    const bench = guardWorkbench(inner, { guardrails: [checksN] });
    const pieces: unknown[] = [];
    const options = { tools: [{ name: "a" }] } as object;
    for await (const piece of bench.callToolStream("a", {}, options)) pieces.push(piece);
    expect((pieces.at(-1) as ToolResult).isError).toBe(true);
    expect(ran).toEqual([]);
  });

  it("are read anew when they may have changed", async () => {
    const runner = new ToolRunner({ guardrails: [checksN] });
    const declared: { name: string; parameters?: object } = { name: "a" };
    const ask = () => runner.open({ name: "a" }, { tools: [declared] });
    expect((await ask()).outcome).toBeUndefined();
    declared.parameters = typed;
    expect((await ask()).outcome?.status).toBe("denied");
  });
});

describe("P8 with a root prototype that somebody planted on", () => {
  it("P8 a toJSON makes no schema vanish: the tool is refused", () => {
    const options = { tools: [{ name: "a", parameters: typed }], guardrails: [allowAll()] };
    whilePlanted({ toJSON: () => ({}) }, () => {
      expect(() => new ToolRunner(options)).toThrow(
        expect.objectContaining({ code: "ERR_INVALID_TOOL" }),
      );
    });
  });

  it.each([
    ["guardrails", [{ name: "z", evaluate: () => allow() }], "denied"],
    ["execute", () => "theirs", "denied"],
  ])("P8 %s are no tool's own", async (key, value, status) => {
    const runner = whilePlanted(
      { [key]: value },
      () => new ToolRunner({ tools: [{ name: "a" }], guardrails: [] }),
    );
    expect((await runner.run({ name: "a" })).status).toBe(status);
  });

  it("P8 execute makes no declared tool run", async () => {
    const runner = whilePlanted(
      { execute: () => "theirs" },
      () => new ToolRunner({ tools: [{ name: "a" }], guardrails: [allowAll()] }),
    );
    expect((await runner.run({ name: "a" })).status).toBe("released");
  });
});

describe("P15 a stream", () => {
  it("P15 shows nothing that a required observer could not record", async () => {
    const runner = new ToolRunner({
      tools: [
        {
          name: "log",
          async *execute() {
            yield "A";
            yield "B";
          },
        },
      ],
      guardrails: [allowAll()],
      observers: [
        {
          name: "full",
          required: true,
          settle: () => {
            throw new Error("disk full");
          },
        },
      ],
    });
    const pieces: unknown[] = [];
    const reader = runner.stream({ name: "log" });
    let step = await reader.next();
    for (; step.done !== true; step = await reader.next()) pieces.push(step.value);
    expect([pieces, step.value.status]).toEqual([[], "withheld"]);
  });
});

describe("P6 a result", () => {
  it.each([
    ["a receipt that is no text", { receipt: { v: 1 } }],
    ["a call id that is no text", { callId: {} }],
    ["an isError that is neither true nor false", { isError: "true" }],
  ])("P6 with %s is failed", async (_, wrong) => {
    const runner = new ToolRunner({
      tools: [{ name: "a", execute: () => toolResult({ content: "x", ...wrong } as never) }],
      guardrails: [allowAll()],
    });
    expect((await runner.run({ name: "a" })).status).toBe("failed");
  });
});

describe("P4 a permit", () => {
  it("P4 lets no sealed tool in after its caller has aborted", async () => {
    const sealed = tool({ name: "pay", sealed: true, execute: () => "paid" });
    const runner = new ToolRunner({ tools: [sealed], guardrails: [allowAll()] });
    const caller = new AbortController();
    const opened = await runner.open({ name: "pay" }, { signal: caller.signal });
    caller.abort();
    const context = { permit: opened.permit } as never;
    expect(() => sealed.execute?.({} as never, context)).toThrow(
      expect.objectContaining({ code: "ERR_PERMIT" }),
    );
  });
});

describe("a workbench whose inner list never comes", () => {
  const hanging = () => {
    const inner = new StaticWorkbench([], { guardrails: [allowAll()] });
    let asked = 0;
    inner.listTools = () => {
      asked++;
      return new Promise(() => {});
    };
    return { inner, asked: () => asked };
  };

  it("is not waited for longer than a guard may take, and asked once for many", async () => {
    const clock = new HandClock();
    const { inner, asked } = hanging();
    const bench = guardWorkbench(inner, { guardrails: [allowAll()], clock, timeoutMs: 50 });
    const calls = [bench.callTool("x"), bench.callTool("y")];
    clock.pass(50);
    expect((await Promise.all(calls)).map(({ isError }) => isError)).toEqual([true, true]);
    expect(asked()).toBe(1);
  });

  it("P4 is left when the caller aborts", async () => {
    const caller = new AbortController();
    const bench = guardWorkbench(hanging().inner, { guardrails: [allowAll()] });
    const call = bench.callTool("x", {}, { signal: caller.signal });
    caller.abort();
    await expect(call).rejects.toMatchObject({ code: "ERR_ABORTED" });
  });
});

describe("the tools of an agent's runner", () => {
  const named = (name: string) => ({ name, execute: () => name });

  it("P13 are its parent's, as they are now", async () => {
    const parent = new ToolRunner({ tools: [named("a")], guardrails: [allowAll()] });
    const agent = parent.forAgent("support");
    parent.setTools([named("b")]);
    expect((await agent.run({ name: "a" })).status).toBe("not_found");
    expect((await agent.run({ name: "b" })).status).toBe("executed");
  });

  it("P5 can be had also when a tool that an alias names is gone", async () => {
    const options = { tools: [named("a")], aliases: { x: "a" }, guardrails: [allowAll()] };
    const parent = new ToolRunner(options);
    expect(parent.setTools([named("x")])).toMatchObject([{ name: "x", refusedBy: "core" }]);
    expect((await parent.forAgent("support").run({ name: "x" })).status).toBe("not_found");
  });

  it.each(["", 5])("P5 are none's under the name %j", (name) => {
    const parent = new ToolRunner({ guardrails: [allowAll()] });
    expect(() => parent.forAgent(name as string)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
  });
});

describe("P5 what is said wrongly", () => {
  it.each([
    ["sealed that is text", { sealed: "true" }],
    ["sealed that nothing seals", { sealed: true }],
    ["unchecked that is text", { unchecked: "yes" }],
  ])("P5 of a tool, %s, is an error", (_, wrong) => {
    const options = {
      tools: [{ name: "a", execute: () => "", ...wrong } as never],
      guardrails: [allowAll()],
    };
    expect(() => new ToolRunner(options)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_TOOL" }),
    );
  });

  it("P5 of a tool's own guard, another tool's name, is an error", () => {
    const guardrails = [forTools(["refnd"], denyAll)];
    const options = { tools: [{ name: "refund", guardrails }], guardrails: [allowAll()] };
    expect(() => new ToolRunner(options)).toThrow(
      expect.objectContaining({
        code: "ERR_UNKNOWN_TOOL",
        message: expect.stringContaining("Did you mean 'refund'?"),
      }),
    );
  });

  it("P5 of a guard, the name of a tool that comes later, is an error when the tools come", () => {
    const runner = new ToolRunner({ guardrails: [forTools(["refnd"], denyAll), allowAll()] });
    expect(() => runner.setTools([{ name: "refund" }])).toThrow(
      expect.objectContaining({ code: "ERR_UNKNOWN_TOOL" }),
    );
  });

  it("P5 of an observer, a required that is text, is an error", () => {
    const observer = { name: "o", required: "true" as never, settle: () => {} };
    expect(() => new ToolRunner({ guardrails: [], observers: [observer] })).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_PROVIDER" }),
    );
  });

  it.each([
    ["a signal that is none", { signal: {} }],
    ["a context that is none", { context: 5 }],
    ["an agent's name that is none", { agentName: 5 }],
    ["tools that are no list", { tools: "x" }],
    [
      "a context that throws",
      {
        context: {
          get sessionId() {
            throw new Error("hunter2");
          },
        },
      },
    ],
  ])("P5 of a call, %s, makes it invalid", async (_, options) => {
    const runner = new ToolRunner({
      tools: [{ name: "a", execute: () => "ran" }],
      guardrails: [allowAll()],
    });
    const [outcome] = await runner.runAll([{ name: "a" }], options as never);
    expect(outcome?.status).toBe("invalid");
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
  });
});

describe("a chain that is asked directly", () => {
  it("P4 does not allow when the caller has given up", () => {
    const call = { ...callOf({}), runId: "r", signal: AbortSignal.abort() };
    expect(chain([allowAll()]).evaluate(call)).toMatchObject({ decision: "deny" });
  });

  it("says so where the arguments are not JSON", () => {
    const call = { ...callOf({}), runId: "r", signal: new AbortController().signal };
    const odd = { ...call, args: { at: new Date(0) } as never };
    expect(() => chain([allowAll()]).evaluate(odd)).toThrow(
      expect.objectContaining({ code: "ERR_NOT_JSON" }),
    );
  });
});

describe("P5 two guards of one name", () => {
  it("P5 are refused also where one is inside another, of a tool's own", () => {
    const inside = parallel([{ name: "twice", evaluate: () => allow() }]);
    const options = {
      tools: [{ name: "a", guardrails: [inside] }],
      guardrails: [{ name: "twice", evaluate: () => allow() }],
    };
    expect(() => new ToolRunner(options)).toThrow(
      expect.objectContaining({ code: "ERR_DUPLICATE_PROVIDER" }),
    );
  });
});
