import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  type JsonObject,
  type ToolOutcome,
  ToolRunner,
  type ToolRunnerOptions,
  toolResult,
} from "../src/index.js";
import { StaticWorkbench } from "../src/workbench/index.js";
import { ticks } from "./support/promises.js";
import { guard, polluted, spyObserver, spyTool } from "./support/runners.js";

const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "then"];

describe("P8 names", () => {
  it.each(names)(
    "P8 a call for %s, which nobody declared, is not found and runs nothing",
    async (name) => {
      const tool = spyTool();
      const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
      expect(await runner.run({ name })).toMatchObject({
        status: "not_found",
        executed: false,
        result: { name, isError: true },
      });
      const bench = new StaticWorkbench([tool], { guardrails: [allowAll()] });
      expect(await bench.callTool(name)).toMatchObject({ isError: true, name });
      expect(tool.runs).toEqual([]);
    },
  );

  it.each(names)("P8 a tool that is called %s is a tool like any other", async (name) => {
    const tool = spyTool(name);
    const asked: string[] = [];
    const runner = new ToolRunner({
      tools: [tool, spyTool()],
      guardrails: [
        guard("g", {
          evaluate: ({ toolName }) => {
            asked.push(toolName);
            return toolName === "send" ? deny("no") : allow();
          },
        }),
      ],
      aliases: JSON.parse(`{"alias":${JSON.stringify(name)}}`) as Record<string, string>,
    });
    expect(
      await runner.run({ name, callId: name }, { context: { sessionId: name } }),
    ).toMatchObject({ status: "executed", result: { name, callId: name } });
    expect(await runner.run({ name: "alias" })).toMatchObject({
      status: "executed",
      result: { name: "alias" },
    });
    expect(await runner.run({ name: "send" })).toMatchObject({ status: "denied" });
    expect(asked).toEqual([name, name, "send"]);
    expect(tool.runs).toHaveLength(2);
  });

  it("P8 arguments are in no namespace but their own", async () => {
    const args: JsonObject = {
      tool: "other",
      toolName: "other",
      name: "other",
      requestedName: "other",
      callId: "x",
      agentName: "root",
      context: { principal: "root" },
      principal: "root",
      sessionId: "x",
      signal: "x",
      permit: {},
      decision: "allow",
      constructor: "x",
      toString: "x",
      hasOwnProperty: 1,
      toJSON: "x",
      length: 3,
    };
    const seen: unknown[] = [];
    const tool = spyTool("send", (given, context) => {
      seen.push(context.toolName, context.callId, context.agentName, context.context.principal);
      return given;
    });
    const runner = new ToolRunner({
      tools: [tool, spyTool("other")],
      guardrails: [
        guard("g", {
          evaluate: (call) => {
            seen.push(call.toolName, call.requestedName, call.callId, call.agentName, call.context);
            return allow();
          },
        }),
      ],
    });
    for (const given of [args, JSON.stringify(args)]) {
      seen.length = 0;
      const outcome = await runner.run(
        { name: "send", arguments: given, callId: "c1" },
        { agentName: "clerk", context: { principal: "ada" } },
      );
      expect(outcome).toMatchObject({
        status: "executed",
        usedArgs: args,
        result: { name: "send", callId: "c1" },
      });
      expect(seen).toEqual([
        "send",
        "send",
        "c1",
        "clerk",
        {
          sessionId: undefined,
          principal: "ada",
          tenant: undefined,
          traceparent: undefined,
          attributes: undefined,
        },
        "send",
        "c1",
        "clerk",
        "ada",
      ]);
    }
  });

  it("P8 a request that inherits what it says says nothing", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const outcome = await runner.run(Object.create({ name: "send" }));
    expect(outcome).toMatchObject({ status: "invalid", code: "invalid_name" });
  });
});

/** Data that someone planted on `Object.prototype`, each alone and all together. */
const planted: Record<string, unknown> = {
  decision: "allow",
  approver: {},
  resolve: "yes",
  execute: {},
  signal: {},
  agentName: "admin",
  principal: "root",
  sessionId: "planted",
  tenant: "planted",
  required: true,
  released: true,
  error: "planted",
  value: "planted",
  callId: "planted",
  name: "planted",
  arguments: { to: "eve" },
  context: { principal: "root" },
  tools: [{ name: "send" }],
  unchecked: true,
  reason: "planted",
  status: "executed",
  executed: true,
  repeated: false,
  parent: { closed: false },
  rejects: false,
  seen: [],
  turnId: "planted",
  basis: "policy",
  modifiedArgs: { to: "eve" },
  isError: false,
  content: "planted",
  structured: "planted",
  replacement: "planted",
  timeoutMs: 1e9,
  concurrency: 1,
  guardrails: [],
  observers: [],
  aliases: { x: "send" },
  overrides: {},
  describe: "planted",
  denied: "planted",
  permit: {},
};
const plants: [string, Record<string, unknown>][] = [
  ...Object.entries(planted).map(([key, value]): [string, Record<string, unknown>] => [
    key,
    { [key]: value },
  ]),
  ["all of them", planted],
];

const denier = () =>
  guard("denier", {
    evaluate: ({ agentName, context }) =>
      agentName === "admin" || context.principal === "root" ? allow() : deny("not for you"),
  });
const slowDenier = () =>
  guard("slow", {
    evaluate: async () => {
      await ticks(2);
      return deny("no");
    },
  });

/** Every way in which a call is to be stopped. */
const stops: [string, () => Omit<ToolRunnerOptions, "tools">][] = [
  ["by a denial", () => ({ guardrails: [denier()] })],
  ["by a denial that takes time", () => ({ guardrails: [slowDenier()] })],
  ["for want of a guardrail", () => ({ guardrails: [] })],
  ["by an empty answer", () => ({ guardrails: [guard("g", { evaluate: () => ({}) as never })] })],
  [
    "by an empty answer that takes time",
    () => ({ guardrails: [guard("g", { evaluate: async () => ({}) as never })] }),
  ],
  [
    "by a throw",
    () => ({
      guardrails: [
        guard("g", {
          evaluate: () => {
            throw {};
          },
        }),
      ],
    }),
  ],
  ["by admit", () => ({ guardrails: [guard("g", { admit: () => ({}) as never })] })],
  [
    "by a required observer",
    () => ({
      guardrails: [allowAll()],
      observers: [
        spyObserver({
          required: true,
          intent: () => {
            throw {};
          },
        }),
      ],
    }),
  ],
];

/** An outcome, or that there is none: under a planted prototype an error is as good as a denial. */
async function attempt(act: () => Promise<ToolOutcome>): Promise<ToolOutcome | undefined> {
  try {
    return await act();
  } catch {
    return undefined;
  }
}

describe.each(plants)("P8 with %s planted on Object.prototype", (_what, data) => {
  it.each(stops)("P8 a call that is stopped %s stays stopped", async (_how, options) => {
    const tool = spyTool();
    const before = new ToolRunner({ ...options(), tools: [tool] });
    const outcomes = await polluted(data, async () => [
      await attempt(() => before.run({ name: "send", callId: "c1" })),
      await attempt(() =>
        new ToolRunner({ ...options(), tools: [tool] }).run({ name: "send", callId: "c1" }),
      ),
      await attempt(() =>
        new ToolRunner({ ...options(), tools: [tool] })
          .forAgent("clerk")
          .run({ name: "send", callId: "c1" }),
      ),
      await attempt(
        async () => (await before.runAll([{ name: "send", callId: "c2" }]))[0] as ToolOutcome,
      ),
    ]);
    expect(tool.runs).toEqual([]);
    expect(outcomes[0]).toMatchObject({ status: "denied", executed: false });
    for (const outcome of outcomes) expect(outcome?.executed ?? false).toBe(false);
  });

  it("P8 an aborted call stays aborted, and a failed one failed", async () => {
    const tool = spyTool();
    const fails = spyTool("fails", () => {
      throw undefined;
    });
    const failsLater = spyTool("failsLater", async () => {
      throw undefined;
    });
    const runner = new ToolRunner({ tools: [tool, fails, failsLater], guardrails: [allowAll()] });
    const signal = AbortSignal.abort();
    const results = await polluted(data, async () => [
      await runner.run({ name: "send" }, { signal }).then(
        ({ status }) => status,
        (error: { code: string }) => error.code,
      ),
      (await runner.run({ name: "fails" })).status,
      (await runner.run({ name: "failsLater" })).status,
    ]);
    expect(results).toEqual(["ERR_ABORTED", "failed", "failed"]);
    expect(tool.runs).toEqual([]);
  });

  it("P8 a stream that fails midway is failed", async () => {
    const tool = spyTool("send", async function* () {
      yield "one";
      throw new Error("midway");
    });
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
    const outcome = await polluted(data, () => runner.run({ name: "send" }));
    expect(outcome).toMatchObject({
      status: "failed",
      result: { isError: true, content: "midway" },
    });
  });

  it("P8 a tool whose arguments nobody checks is still refused", async () => {
    const parameters = { type: "object", required: ["to"] };
    const made = await polluted(data, async () => {
      try {
        new ToolRunner({ tools: [{ ...spyTool(), parameters }], guardrails: [allowAll()] });
        return "made";
      } catch {
        return "refused";
      }
    });
    expect(made).toBe("refused");
  });

  it("P8 an observer that is not required stays so", async () => {
    const boom = (): never => {
      throw new Error("boom");
    };
    const status = await polluted(data, async () => {
      const observer = { name: "log", intent: boom, settle: boom };
      const options = { tools: [{ ...spyTool(), timeoutMs: 5, unchecked: true }] };
      const runner = new ToolRunner({
        ...options,
        guardrails: [guard("g")],
        observers: [observer],
      });
      return (await runner.run({ name: "send" })).status;
    });
    expect(status).toBe("executed");
  });

  it("P8 an allowed call carries the caller's facts and no others", async () => {
    const seen: unknown[] = [];
    const runner = new ToolRunner({
      tools: [spyTool("send", (args) => args)],
      guardrails: [
        guard("g", {
          evaluate: ({ agentName, context, args, turnId, tool }) => {
            seen.push(agentName, { ...context }, args, turnId, Object.keys(tool ?? {}));
            return allow();
          },
        }),
      ],
    });
    const outcome = await polluted(data, () => runner.run({ name: "send" }));
    expect(outcome.status).toBe("executed");
    expect([seen[0], seen[2], seen[3]]).toEqual([undefined, {}, undefined]);
    expect(Object.keys(seen[1] as object)).toContain("principal");
    expect(Object.values(seen[1] as object).every((fact) => fact === undefined)).toBe(true);
    expect(seen[4]).toEqual(["name", "description", "parameters", "outputSchema", "annotations"]);
  });
});

describe("P8 what core asks its own objects for", () => {
  it("P15 a required record that is not written yet is waited for, also with a caller planted who gave up", async () => {
    const tool = spyTool();
    const caller = { aborted: true, addEventListener: () => {}, removeEventListener: () => {} };
    const unwritten = async (): Promise<never> => {
      await ticks(3);
      throw new Error("the disk is full");
    };
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [allowAll()],
      observers: [spyObserver({ required: true, intent: unwritten })],
    });
    expect(await polluted({ caller }, () => runner.run({ name: "send" }))).toMatchObject({
      status: "denied",
      basis: "audit",
    });
    expect(tool.runs).toEqual([]);
  });

  it("P8 a tool that reports an error has thrown none, whatever is planted", async () => {
    const tool = spyTool("send", () => toolResult({ content: "no such mail", isError: true }));
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
    const outcome = await polluted({ error: "planted" }, () => runner.run({ name: "send" }));
    expect(outcome).toMatchObject({ status: "failed", error: undefined });
  });
});
