import { describe, expect, it } from "vitest";
import { allow, allowAll, deny, type ToolObserver, ToolRunner } from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import { idle } from "./support/promises.js";
import { guard, spyObserver, spyTool } from "./support/runners.js";

const boom = (): never => {
  throw new Error("disk full hunter2");
};

describe("P15 what observers are told", () => {
  it("P15 every call has exactly one settle record, however it ended", async () => {
    const observer = spyObserver();
    const clock = new HandClock();
    const runner = new ToolRunner({
      tools: [
        spyTool("send"),
        spyTool("fails", boom),
        spyTool("hangs", () => new Promise(() => {}), { timeoutMs: 5 }),
        { name: "declared" },
      ],
      guardrails: [
        guard("g", {
          evaluate: ({ args }) => (args.how === "denied" ? deny("no") : allow()),
          evaluateResult: ({ args }) => (args.how === "withheld" ? deny("no") : allow()),
        }),
      ],
      observers: [observer],
      clock,
      policyVersion: "v7",
    });
    const run = (name: string, args?: unknown) =>
      runner.run(
        { name, arguments: args, callId: name },
        { agentName: "clerk", context: { sessionId: "s1" } },
      );
    await run("send");
    await run("fails");
    await run("send", { how: "denied" });
    await run("send", { how: "withheld" });
    await run("send", "[");
    await run("ghost");
    await run("declared");
    await runner.run(undefined as never);
    await runner.run({ name: "send" }, { signal: AbortSignal.abort() }).catch(() => undefined);
    await runner.runAll([
      { name: "send", callId: "c1" },
      { name: "send", callId: "c1" },
    ]);
    const hanging = run("hangs");
    await idle();
    clock.pass(5);
    await hanging;
    const stream = runner.stream({ name: "send" });
    await stream.next();
    await stream.return(undefined as never);

    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual([
      "executed",
      "failed",
      "denied",
      "withheld",
      "invalid",
      "not_found",
      "released",
      "invalid",
      "aborted",
      "executed",
      "denied",
      "unknown",
      "executed",
    ]);
    expect(new Set(observer.records.map(({ runId }) => runId)).size).toBe(13);
    // An intent only where the tool was about to run.
    expect(
      observer.announced.map(({ outcome, requestedName }) => [outcome, requestedName]),
    ).toEqual(
      ["send", "fails", "send", "declared", "send", "hangs", "send"].map((name) => [
        undefined,
        name,
      ]),
    );
    const announced = new Set(observer.announced.map(({ runId }) => runId));
    for (const { runId, outcome } of observer.records) {
      if (outcome?.executed === true) expect(announced.has(runId)).toBe(true);
    }
    expect(observer.records[0]).toMatchObject({
      callId: "send",
      requestedName: "send",
      toolName: "send",
      agentName: "clerk",
      context: { sessionId: "s1" },
      policyVersion: "v7",
      askedArgs: {},
      args: {},
      decisions: [
        { provider: "g", phase: "call", decision: "allow" },
        { provider: "g", phase: "result", decision: "allow" },
      ],
      times: { askedAt: 0, dispatchedAt: 0, settledAt: 0 },
    });
    // An intent says what was decided until then, and is not added to.
    expect(observer.announced[0]?.decisions).toMatchObject([{ provider: "g", phase: "call" }]);
    expect(observer.records[5]).toMatchObject({ requestedName: "ghost", toolName: undefined });
    expect(observer.records[4]).toMatchObject({ askedArgs: undefined, args: undefined });
    expect(observer.records[11]?.times).toEqual({ askedAt: 0, dispatchedAt: 0, settledAt: 5 });
  });

  it("P15 the records cannot be changed by those who are told", async () => {
    const observer = spyObserver();
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [allowAll()],
      observers: [observer],
    });
    await runner.run({ name: "send", arguments: { to: ["ada"] } });
    for (const record of [...observer.announced, ...observer.records]) {
      for (const part of [
        record,
        record.decisions,
        ...record.decisions,
        record.times,
        record.context,
        record.args,
        record.args?.to,
        record.outcome,
        record.outcome?.decisions,
        record.outcome?.modifiedBy,
        record.outcome?.result,
      ]) {
        if (part !== undefined) expect([part, Object.isFrozen(part)]).toEqual([part, true]);
      }
    }
  });

  it.each<[string, () => unknown]>([
    ["throws", boom],
    ["rejects", () => Promise.reject(new Error("disk full hunter2"))],
    ["rejects without a reason", () => Promise.reject(undefined)],
  ])(
    "P15 a required observer that %s at intent stops the call before its tool",
    async (_what, intent) => {
      const after = spyObserver({ name: "after" });
      const tool = spyTool();
      const runner = new ToolRunner({
        tools: [tool],
        guardrails: [allowAll()],
        observers: [spyObserver({ required: true, intent: intent as () => void }), after],
      });
      const outcome = await runner.run({ name: "send" });
      expect(outcome).toMatchObject({
        status: "denied",
        executed: false,
        basis: "audit",
        decidedBy: "spy",
      });
      expect(JSON.stringify(outcome)).not.toContain("hunter2");
      expect(tool.runs).toEqual([]);
      expect(after.announced).toHaveLength(1);
      expect(after.records[0]?.outcome).toBe(outcome);
    },
  );

  it.each<[string, () => unknown]>([
    ["throws", boom],
    ["rejects", () => Promise.reject(new Error("disk full hunter2"))],
    ["rejects without a reason", () => Promise.reject(undefined)],
  ])("P15 a required observer that %s at settle takes the result back", async (_what, settle) => {
    const before = spyObserver({ name: "before" });
    const after = spyObserver({ name: "after" });
    const tool = spyTool("send", () => "the answer");
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [allowAll()],
      observers: [before, spyObserver({ required: true, settle: settle as () => void }), after],
    });
    const outcome = await runner.run({ name: "send" });
    expect(outcome).toMatchObject({
      status: "withheld",
      executed: true,
      basis: "audit",
      decidedBy: "spy",
    });
    expect(JSON.stringify(outcome)).not.toMatch(/the answer|hunter2/);
    expect(tool.runs).toHaveLength(1);
    // The others were told the facts, once.
    for (const { records } of [before, after]) {
      expect(records.map((record) => record.outcome?.status)).toEqual(["executed"]);
    }
  });

  it("P15 a required observer that fails at settle leaves a call that did not run as it was", async () => {
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [guard("g", { evaluate: () => deny("no") })],
      observers: [spyObserver({ required: true, settle: boom })],
    });
    expect(await runner.run({ name: "send" })).toMatchObject({ status: "denied", basis: "policy" });
    expect(await runner.run({ name: "send", arguments: "[" })).toMatchObject({ status: "invalid" });
  });

  it("P15 a required observer that fails at settle takes back that a call was released", async () => {
    const after = spyObserver({ name: "after" });
    const runner = new ToolRunner({
      tools: [{ name: "send" }],
      guardrails: [allowAll()],
      observers: [spyObserver({ name: "log", required: true, settle: boom }), after],
    });
    const opened = await runner.open({ name: "send", arguments: {} });
    if (opened.outcome !== undefined) throw new Error("stopped");
    const outcome = await opened.close({ released: true });
    expect(outcome).toMatchObject({ status: "denied", basis: "audit", decidedBy: "log" });
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
    expect(after.records).toHaveLength(1);
  });

  it("P5 no observer has the name that core has", () => {
    const observers = [spyObserver({ name: "core" })];
    expect(() => new ToolRunner({ guardrails: [allowAll()], observers })).toThrowError(/'core'/);
  });

  it("P15 an observer that is not required changes nothing, whatever it does", async () => {
    const faults: unknown[] = [];
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [allowAll()],
      observers: [
        spyObserver({ name: "a", intent: boom, settle: boom }),
        spyObserver({ name: "b", intent: async () => boom(), settle: async () => boom() }),
        spyObserver({ name: "c", required: false, intent: boom, settle: boom }),
      ],
    });
    runner.on("fault", ({ source, phase }) => faults.push([source, phase]));
    expect(await runner.run({ name: "send" })).toMatchObject({ status: "executed", value: "done" });
    expect(faults).toEqual(
      ["intent", "settle"].flatMap((phase) => ["a", "b", "c"].map((name) => [name, phase])),
    );
  });

  it.each([true, false])(
    "P15 one that hangs is cut after its time; required: %s",
    async (required) => {
      const clock = new HandClock();
      const hang = (): Promise<void> => new Promise(() => {});
      const tool = spyTool();
      const at = (members: Partial<ToolObserver>): ToolRunner =>
        new ToolRunner({
          tools: [tool],
          guardrails: [allowAll()],
          observers: [spyObserver({ required, timeoutMs: 30, ...members })],
          clock,
        });
      const intent = at({ intent: hang }).run({ name: "send" });
      await idle();
      expect(tool.runs).toHaveLength(0);
      clock.pass(29);
      await idle();
      expect(await Promise.race([intent, "waiting"])).toBe("waiting");
      clock.pass(1);
      expect(await intent).toMatchObject(
        required ? { status: "denied", basis: "audit" } : { status: "executed" },
      );
      const settle = at({ settle: hang }).run({ name: "send" });
      await idle();
      clock.pass(30);
      expect(await settle).toMatchObject(
        required ? { status: "withheld", basis: "audit" } : { status: "executed" },
      );
      expect(clock.waiting).toBe(0);
    },
  );

  it("P15 a guard that hangs in settle is cut after the runner's time, and told to operators", async () => {
    const clock = new HandClock();
    const faults: unknown[] = [];
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [guard("g", { settle: () => new Promise(() => {}) })],
      clock,
      timeoutMs: 40,
    });
    runner.on("fault", ({ source, phase }) => faults.push([source, phase]));
    const running = runner.run({ name: "send" });
    await idle();
    clock.pass(40);
    expect((await running).status).toBe("executed");
    expect(faults).toEqual([["g", "settle"]]);
  });

  it("P15 settle of every guard is told, whatever became of those before", async () => {
    const told: string[] = [];
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [
        guard("a", { settle: boom }),
        guard("b", { settle: async () => boom() }),
        guard("c", { settle: (_call, { status }) => void told.push(status) }),
      ],
    });
    expect((await runner.run({ name: "send" })).status).toBe("executed");
    await runner.run({ name: "ghost" });
    await runner.run({ name: "send", arguments: "[" });
    expect(told).toEqual(["executed", "not_found", "invalid"]);
  });
});

describe("P5 an observer", () => {
  const made = (observer: unknown) => () =>
    new ToolRunner({ guardrails: [], observers: [observer as ToolObserver] });

  it.each<[string, unknown, string, string]>([
    ["is nothing", null, "ERR_INVALID_PROVIDER", "name"],
    ["is undefined", undefined, "ERR_INVALID_PROVIDER", "name"],
    ["has no name", { settle: () => {} }, "ERR_INVALID_PROVIDER", "name"],
    ["has an empty name", { name: "", settle: () => {} }, "ERR_INVALID_PROVIDER", "name"],
    ["has no settle", { name: "log" }, "ERR_INVALID_PROVIDER", "settle"],
    ["is a guardrail", guard("log"), "ERR_INVALID_PROVIDER", "guardrails"],
    [
      "has a settle that is no function",
      { name: "log", settle: 5 },
      "ERR_INVALID_PROVIDER",
      "Observer 'log': `settle` must be",
    ],
    [
      "has an intent that is no function",
      { name: "log", settle: () => {}, intent: true },
      "ERR_INVALID_PROVIDER",
      "Observer 'log': `intent` must be",
    ],
    [
      "misspells intent",
      { name: "log", settle: () => {}, intend: () => {} },
      "ERR_UNKNOWN_MEMBER",
      "Did you mean 'intent'",
    ],
    [
      "misspells required",
      { name: "log", settle: () => {}, require: true },
      "ERR_UNKNOWN_MEMBER",
      "Did you mean 'required'",
    ],
    [
      "misspells settle",
      { name: "log", setle: () => {} },
      "ERR_UNKNOWN_MEMBER",
      "Did you mean 'settle'",
    ],
    [
      "has no time",
      { name: "log", settle: () => {}, timeoutMs: 0 },
      "ERR_INVALID_OPTION",
      "The observer 'log': 'timeoutMs'",
    ],
    [
      "has a time that is text",
      { name: "log", settle: () => {}, timeoutMs: "5" },
      "ERR_INVALID_OPTION",
      "The observer 'log': 'timeoutMs'",
    ],
  ])("P5 that %s is refused", (_what, observer, code, named) => {
    expect(made(observer)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(named) }),
    );
  });

  it("P5 of a name that another has is refused", () => {
    expect(
      () => new ToolRunner({ guardrails: [], observers: [spyObserver(), spyObserver()] }),
    ).toThrow(expect.objectContaining({ code: "ERR_DUPLICATE_PROVIDER" }));
  });

  it("P5 may be of a class, and may keep data of its own", async () => {
    class Log implements ToolObserver {
      readonly name = "log";
      readonly lines: string[] = [];
      settle(): void {
        this.lines.push("settled");
      }
    }
    const log = new Log();
    const runner = new ToolRunner({ guardrails: [], observers: [log] });
    await runner.run({ name: "send" });
    expect(log.lines).toEqual(["settled"]);
  });
});
