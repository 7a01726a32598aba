import { describe, expect, it } from "vitest";
import { ApprovalRequests, callKey } from "../src/host/index.js";
import {
  allow,
  allowAll,
  type CallContext,
  type Fault,
  ToolRunner,
  type ToolRunnerOptions,
} from "../src/index.js";
import { type CallerSignal, list, readOptions, text } from "../src/provider/index.js";
import { StaticWorkbench } from "../src/workbench/index.js";
import { guard, polluted, spyTool } from "./support/runners.js";

const runnerOf = (guardrails: ToolRunnerOptions["guardrails"], more: object = {}) =>
  new ToolRunner({ tools: [spyTool(), spyTool("other")], guardrails, onFault: () => {}, ...more });

const guardrails = [allowAll()];

async function reasonFor(request: object, options: object = {}): Promise<unknown> {
  const pay = spyTool("pay");
  const runner = new ToolRunner({ tools: [pay], guardrails });
  const outcome = await runner.run({ name: "pay", ...request } as never, options as never);
  expect(pay.runs).toEqual([]);
  expect(outcome).toMatchObject({ status: "invalid", code: "unknown_member" });
  return "reason" in outcome ? outcome.reason : undefined;
}

describe("P5 a fact of the host's in the wrong place", () => {
  it.each([
    "agentName",
    "agent_name",
    "context",
    "signal",
    "turnId",
    "turn_id",
    "tools",
    "repeatedId",
  ])("P5 is told of %s in the request that it goes among the options", async (key) => {
    expect(await reasonFor({ [key]: "x" })).toBe(
      `the call was asked for with '${key}', which nobody reads: it takes it among the options of the call`,
    );
  });

  it.each(["sessionId", "session_id", "principal", "tenant", "traceparent", "attributes"])(
    "P5 is told of %s in the request that it goes in the context",
    async (key) => {
      expect(await reasonFor({ [key]: "x" })).toBe(
        `the call was asked for with '${key}', which nobody reads: it takes it in the context of the options`,
      );
    },
  );

  it.each(["sessionId", "principal", "attributes"])(
    "P5 is told of %s among the options that it goes under context",
    async (key) => {
      expect(await reasonFor({}, { [key]: "x" })).toBe(
        `a call has no option '${key}': it goes under context`,
      );
    },
  );

  it("P5 is told where the options are a list, text or of a class", async () => {
    class Options {
      agentName = "clerk";
    }
    expect(await reasonFor({}, [])).toContain("must be an object, received an array");
    expect(await reasonFor({}, "clerk" as never)).toContain("must be an object, received string");
    expect(await reasonFor({}, new Options())).toContain("must be a plain object");
  });
});

describe("P5 a fact of the host's of a wrong type", () => {
  it.each([7, true, {}, ["c1"]])("P5 is told of a callId that is %j", async (callId) => {
    const kind = Array.isArray(callId) ? "an array" : typeof callId;
    expect(await reasonFor({ callId })).toBe(`\`callId\` must be a string, received ${kind}`);
  });

  it.each(["sessionId", "principal", "tenant", "traceparent"])(
    "P5 is told of a %s",
    async (fact) => {
      for (const value of [7, null, {}]) {
        const kind = value === null ? "null" : typeof value;
        expect(await reasonFor({}, { context: { [fact]: value } })).toBe(
          `\`context.${fact}\` must be a string, received ${kind}`,
        );
      }
    },
  );

  it.each([
    ["text", "string"],
    [7, "number"],
    [["a"], "an array"],
    [null, "null"],
  ])("P5 is told of attributes that are %j", async (attributes, kind) => {
    expect(await reasonFor({}, { context: { attributes } })).toBe(
      `\`context.attributes\` must be an object, received ${kind}`,
    );
  });

  it("P5 is told of a context that is none", async () => {
    expect(await reasonFor({}, { context: 7 })).toBe(
      "`context` must be an object, received number",
    );
  });

  it.each([
    ["args", "arguments"],
    ["argument", "arguments"],
    ["argumets", "arguments"],
    ["input", "arguments"],
    ["parameters", "arguments"],
    ["params", "arguments"],
    ["function", "name and arguments"],
    ["callID", "callId"],
    ["call_id", "callId"],
    ["id", "callId"],
    ["toolCallId", "callId"],
    ["tool_call_id", "callId"],
    ["toolName", "name"],
    ["tool_name", "name"],
  ])("P5 is told of %s in the request that it is its %s", async (key, right) => {
    expect(await reasonFor({ [key]: "x" })).toBe(
      `the call was asked for with '${key}', which nobody reads: it takes ${right}`,
    );
  });

  it("P5 is told on every way in", async () => {
    const bench = new StaticWorkbench([spyTool("pay")], { guardrails });
    const runner = new ToolRunner({ tools: [spyTool("pay")], guardrails });
    const wrong = { context: { principal: 7 } } as never;
    const words = "`context.principal` must be a string, received number";
    const pieces = runner.stream({ name: "pay" }, wrong);
    const items = bench.callToolStream("pay", {}, wrong);
    expect([
      (await runner.runAll([{ name: "pay" }], wrong))[0],
      (await pieces.next()).value,
      (await runner.open({ name: "pay" }, wrong)).outcome,
    ]).toMatchObject([{ reason: words }, { reason: words }, { reason: words }]);
    expect(await bench.callTool("pay", {}, { callId: 7 } as never)).toMatchObject({
      isError: true,
      content: "Tool call denied: `callId` must be a string, received number",
    });
    expect((await items.next()).value).toMatchObject({ content: `Tool call denied: ${words}` });
  });

  it("has null for an id that the framework does not give", async () => {
    const runner = new ToolRunner({ tools: [spyTool("pay")], guardrails });
    const outcome = await runner.run({ name: "pay", callId: null } as never);
    expect([outcome.status, outcome.callId === ""]).toEqual(["executed", false]);
  });
});

/** Throws at any question, as a host's own proxy may. */
const hostile = (target: object = {}): never =>
  new Proxy(
    target,
    Object.fromEntries(
      ["get", "has", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor"].map((trap) => [
        trap,
        () => {
          throw new Error("postgres://user:hunter2@host");
        },
      ]),
    ),
  ) as never;

const getter = (key: string) =>
  Object.defineProperty({}, key, {
    get: () => {
      throw new Error("hunter2");
    },
    enumerable: true,
  });

describe("P1 what throws when it is read", () => {
  it.each<[string, object, object]>([
    ["the options", {}, hostile()],
    ...["signal", "context", "agentName", "turnId", "tools", "repeatedId"].map(
      (key): [string, object, object] => [`a getter for ${key}`, {}, getter(key)],
    ),
    ["a fact", {}, { context: getter("sessionId") }],
    ["the signal", {}, { signal: hostile() }],
    ["a tool that the call declares", { name: "other" }, { tools: [hostile()] }],
    ["the call's id", getter("callId"), {}],
  ])(
    "P1 P2 denies the call by %s, on record, and is told to operators",
    async (_, request, options) => {
      const faults: Fault[] = [];
      const pay = spyTool("pay");
      const runner = new ToolRunner({
        tools: [pay],
        guardrails,
        onFault: (fault) => void faults.push(fault),
      });
      const asked = Object.defineProperties(
        { name: "pay" },
        Object.getOwnPropertyDescriptors(request),
      );
      const outcome = await runner.run(asked, options as never);
      expect(outcome).toMatchObject({ status: "invalid", code: "unreadable_context" });
      expect(JSON.stringify(outcome)).not.toContain("hunter2");
      expect(faults).toMatchObject([{ source: "core", phase: "context" }]);
      expect(pay.runs).toEqual([]);
      await runner.close();
    },
  );

  it("P1 is an error result of a workbench", async () => {
    const bench = new StaticWorkbench([spyTool("pay")], { guardrails, onFault: () => {} });
    for (const options of [hostile(), getter("signal"), getter("callId")]) {
      const result = await bench.callTool("pay", {}, options as never);
      expect(result).toMatchObject({ isError: true });
      expect(result.content).toContain("cannot be read");
    }
  });

  it("P1 is an error of an option where options are not a call's", async () => {
    const runner = new ToolRunner({ tools: [spyTool("pay")], guardrails });
    await expect(runner.runAll([], hostile())).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
    const opened = await runner.open({ name: "pay" });
    if (opened.outcome !== undefined) throw new Error("stopped");
    expect(() => opened.close(hostile())).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
    expect((await opened.close({ value: "paid" })).status).toBe("executed");
    expect(() => runner.on(hostile() as "fault", () => {})).toThrow(
      expect.objectContaining({ code: "ERR_UNKNOWN_OPTION" }),
    );
    expect(() => readOptions("w()", { a: [hostile()] }, { a: list(text()) })).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
  });

  it("gives no key and no summary of a call that is none", async () => {
    expect(callKey(null as never, {})).toBeUndefined();
    expect(callKey({ name: "pay", callId: "c1" }, null as never)).toBeUndefined();
    const approver = {
      name: "human",
      ask: () => undefined as never,
      recall: () => undefined,
      consume: () => false,
    };
    const requests = new ApprovalRequests({ tools: [spyTool("pay")], guardrails, approver });
    expect(await requests.neededFor(null as never, {})).toBeUndefined();
    expect(await requests.neededFor({ name: "pay", callId: "c1" }, null as never)).toBeUndefined();
  });
});

describe("the facts of a call", () => {
  it("P6 are read once, and are those that guards see", async () => {
    const seen: CallContext[] = [];
    let reads = 0;
    const context = {
      get principal() {
        reads += 1;
        return reads === 1 ? "ann" : "root";
      },
    };
    const watch = guard("watch", {
      evaluate: ({ context: facts }) => {
        seen.push(facts);
        return allow();
      },
    });
    await new ToolRunner({ tools: [spyTool("pay")], guardrails: [watch] }).run(
      { name: "pay" },
      { context },
    );
    expect([reads, seen[0]?.principal]).toEqual([1, "ann"]);
  });

  it("follow a signal that is read once", async () => {
    let reads = 0;
    const controller = new AbortController();
    const options = {
      get signal(): CallerSignal {
        reads += 1;
        return controller.signal;
      },
    };
    const runner = new ToolRunner({ tools: [spyTool("pay")], guardrails });
    expect((await runner.run({ name: "pay" }, options)).status).toBe("executed");
    expect(reads).toBe(1);
  });
});

describe("P15 a name that is planted on Object.prototype", () => {
  it("P15 is no fact of a call", async () => {
    await polluted({ planted: 1 }, async () => {
      const runner = runnerOf([allowAll()]);
      expect((await runner.run({ name: "send" }, { context: {} })).status).toBe("executed");
    });
  });
});
