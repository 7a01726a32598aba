import { describe, expect, it } from "vitest";
import {
  allowAll,
  type CallRequest,
  type Fault,
  type RunOptions,
  ToolRunner,
  tool,
  toolResult,
} from "../src/index.js";
import type { SettledCall } from "../src/protocol/guardrail.js";
import { guardWorkbench, StaticWorkbench } from "../src/workbench/index.js";
import { spyTool } from "./support/runners.js";

const guardrails = [allowAll()];

describe("P5 a tool", () => {
  it.each([
    ["inputSchema", "It goes under parameters."],
    ["input_schema", "It goes under parameters."],
    ["schema", "It goes under parameters."],
    ["handler", "It goes under execute."],
    ["exceute", "It goes under execute."],
    ["paramters", "It goes under parameters."],
    ["timeoutMS", "It goes under timeoutMs."],
    ["unchekced", "It goes under unchecked."],
    ["names", "It goes under name."],
  ])("P5 with %s, which core does not read, is refused with the right name", (key, way) => {
    const wrong = { name: "search", [key]: {} } as never;
    expect(() => new ToolRunner({ tools: [wrong], guardrails })).toThrow(
      expect.objectContaining({
        code: "ERR_UNKNOWN_MEMBER",
        message: `The tool 'search' has a member '${key}', which core does not read. ${way}`,
      }),
    );
  });

  it("may have members that look like none of a tool's", async () => {
    const titled = { name: "search", game: 1, title: "Search", icons: [], execute: () => "found" };
    const runner = new ToolRunner({ tools: [titled], guardrails });
    expect((await runner.run({ name: "search" })).status).toBe("executed");
  });

  it.each([
    ["an execute that is no function", { execute: "y" }],
    ["a list as parameters", { parameters: [] }],
    ["text as parameters", { parameters: "object" }],
    ["a schema of a library without Standard Schema", { parameters: { safeParse: () => 1 } }],
  ])("P5 with %s is refused", (_, wrong) => {
    const options = { tools: [{ name: "search", ...wrong } as never], guardrails };
    expect(() => new ToolRunner(options)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_TOOL" }),
    );
  });

  it("may have schemas and argument types of any interface", async () => {
    interface Loose {
      type: string;
      title?: string;
    }
    const parameters: Loose = { type: "object" };
    const typed = tool({
      name: "search",
      parameters,
      execute: (args: { q?: string }) => args.q ?? "nothing",
    });
    const runner = new ToolRunner({ tools: [typed], guardrails });
    expect((await runner.run({ name: "search", arguments: { q: "tea" } })).result.content).toBe(
      "tea",
    );
  });
});

describe("P5 a call that is asked for wrongly", () => {
  const runner = new ToolRunner({
    tools: [{ name: "search", execute: () => "found" }],
    guardrails,
  });
  const wrong: [string, object, object][] = [
    ["args in place of arguments", { name: "search", args: { q: 1 } }, {}],
    ["input in place of arguments", { name: "search", input: {} }, {}],
    ["id in place of callId", { name: "search", id: "c1" }, {}],
    ["a session id among the options", { name: "search" }, { sessionId: "s" }],
    ["a misspelt signal", { name: "search" }, { sginal: new AbortController().signal }],
    ["a misspelt session id", { name: "search" }, { context: { sesionId: "s" } }],
  ];

  it.each(wrong)("P5 with %s is invalid, and runs nothing", async (_, request, options) => {
    const outcome = await runner.run(request as never, options);
    expect(outcome).toMatchObject({ status: "invalid", code: "unknown_member" });
  });

  it.each(["agentName", "context", "repeatedId", "signal", "tools", "turnId"])(
    "may be asked for with a %s that is undefined",
    async (option) => {
      const outcome = await runner.run({ name: "search" }, { [option]: undefined });
      expect(outcome.status).toBe("executed");
    },
  );

  it("P5 in runAll is that call's outcome", async () => {
    const outcomes = await runner.runAll([
      { name: "search", args: {} } as never,
      { name: "search" },
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["invalid", "executed"]);
  });

  it("may carry what does not look like a call's own", async () => {
    const request = { name: "search", type: "function", index: 0 };
    expect((await runner.run(request)).status).toBe("executed");
  });

  it.each([0, -1, Number.NaN])("P5 with a concurrency of %s is an error", async (concurrency) => {
    await expect(runner.runAll([], { concurrency })).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
  });

  it("P5 with no list is an error", async () => {
    await expect(runner.runAll({} as never)).rejects.toMatchObject({ code: "ERR_INVALID_OPTION" });
  });
});

describe("onFault", () => {
  it("is told, without any listener, what guards and observers did wrong", async () => {
    const faults: Fault[] = [];
    const runner = new ToolRunner({
      tools: [{ name: "search", execute: () => "found" }],
      guardrails: [{ name: "broken", evaluate: () => undefined as never }],
      observers: [
        {
          name: "full",
          settle: () => {
            throw new Error("disk full");
          },
        },
      ],
      onFault: (fault) => void faults.push(fault),
    });
    await runner.run({ name: "search" });
    expect(faults.map(({ source, phase }) => [source, phase])).toEqual([
      ["broken", "call"],
      ["full", "settle"],
    ]);
  });

  it("changes nothing when it throws itself", async () => {
    const runner = new ToolRunner({
      tools: [{ name: "search", execute: () => "found" }],
      guardrails: [...guardrails, { name: "j", evaluateResult: () => undefined as never }],
      onFault: () => {
        throw new Error("again");
      },
    });
    expect((await runner.run({ name: "search" })).status).toBe("withheld");
  });
});

describe("a guarded workbench", () => {
  it("P5 is refused around what is no workbench", () => {
    expect(() => guardWorkbench({} as never, { guardrails })).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
  });

  it("P5 is refused at start when nobody checks the arguments of its tools", async () => {
    const parameters = { type: "object", required: ["q"] };
    const inner = new StaticWorkbench([{ name: "search", parameters }], {
      guardrails,
      unchecked: true,
    });
    await expect(guardWorkbench(inner, { guardrails }).start()).rejects.toMatchObject({
      code: "ERR_UNCHECKED_TOOL",
    });
  });

  it("P5 refuses a state that saveState() did not give", async () => {
    const bench = new StaticWorkbench([], { guardrails });
    await expect(bench.loadState({ count: 1 })).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
  });
});

describe("an answer", () => {
  const answering = async (value: unknown) =>
    new ToolRunner({ tools: [{ name: "t", execute: () => value }], guardrails }).run({ name: "t" });

  it.each([
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set([1])],
    ["a BigInt", 1n],
  ])("that is %s is failed, for JSON cannot hold it", async (_, value) => {
    expect(await answering(value)).toMatchObject({
      status: "failed",
      error: { code: "ERR_NOT_JSON", message: "Tool 't' answered what JSON cannot hold." },
    });
  });

  it("that is an Error is failed with it", async () => {
    const error = new TypeError("no such book");
    expect(await answering(error)).toMatchObject({
      status: "failed",
      error,
      result: { content: "no such book", isError: true },
    });
  });

  it("P5 with a member that no result has is refused", () => {
    expect(() => toolResult({ contnt: "x" } as never)).toThrow(
      expect.objectContaining({ code: "ERR_UNKNOWN_OPTION" }),
    );
  });
});

describe("a call whose arguments cannot be read", () => {
  it("is told of with everything else that was said of it", async () => {
    const told: SettledCall[] = [];
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      aliases: { transfer: "pay" },
      guardrails: [{ ...allowAll(), settle: (call) => void told.push(call) }],
    });
    const [outcome] = await runner.runAll(
      [{ name: "transfer", callId: "c1", arguments: "[", receipt: "r1" }],
      { agentName: "clerk", turnId: "t1", context: { tenant: "acme" } },
    );
    expect(outcome).toMatchObject({ status: "invalid" });
    expect(told).toMatchObject([
      {
        runId: outcome?.runId,
        turnId: "t1",
        callId: "c1",
        toolName: "pay",
        requestedName: "transfer",
        agentName: "clerk",
        context: { tenant: "acme" },
        tool: { name: "pay" },
        receipt: "r1",
        args: undefined,
      },
    ]);
    expect(Object.isFrozen(told[0])).toBe(true);
  });
});

describe("a call that cannot be looked at", () => {
  const refusing = () =>
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("postgres://user:password@host");
        },
      },
    );

  it.each<[string, CallRequest, RunOptions]>([
    ["request", Object.setPrototypeOf({ name: "pay", arguments: {} }, refusing()), {}],
    ["context", { name: "pay", arguments: {} }, { context: refusing() }],
  ])("P1 is invalid, and an outcome like others, by its %s", async (_, request, options) => {
    const pay = spyTool("pay");
    const outcome = await new ToolRunner({ tools: [pay], guardrails }).run(request, options);
    expect(outcome).toMatchObject({ status: "invalid", code: "unreadable_context" });
    expect(JSON.stringify(outcome)).not.toContain("password");
    expect(pay.runs).toEqual([]);
  });
});
