import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { allow, allowAll, deny, type RunOptions, ToolRunner } from "../src/index.js";
import { OpenCalls } from "../src/run/open-calls.js";
import { deferred, idle, ticks } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";

describe("P10 a call id", () => {
  it("P10 used twice in one turn is denied the second time, also with other arguments or another tool", async () => {
    const send = spyTool("send", () => ticks(3));
    const other = spyTool("other");
    const runner = new ToolRunner({ tools: [send, other], guardrails: [allowAll()] });
    for (const concurrency of [1, 2, undefined]) {
      const outcomes = await runner.runAll(
        [
          { name: "send", arguments: { n: 1 }, callId: "c1" },
          { name: "send", arguments: { n: 1 }, callId: "c1" },
          { name: "send", arguments: { n: 2 }, callId: "c1" },
          { name: "other", callId: "c1" },
          { name: "send", callId: "c2" },
        ],
        { concurrency },
      );
      expect(outcomes.map(({ status }) => status)).toEqual([
        "executed",
        "denied",
        "denied",
        "denied",
        "executed",
      ]);
      expect(outcomes[1]).toMatchObject({
        basis: "duplicate",
        decidedBy: "core",
        code: "duplicate_call_id",
        executed: false,
      });
    }
    expect(send.runs).toEqual([{ n: 1 }, {}, { n: 1 }, {}, { n: 1 }, {}]);
    expect(other.runs).toEqual([]);
  });

  it("P10 used twice in one turn is denied where the first was denied or invalid, too", async () => {
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [guard("g", { evaluate: ({ args }) => (args.n === 1 ? deny("no") : allow()) })],
    });
    const outcomes = await runner.runAll([
      { name: "send", arguments: { n: 1 }, callId: "a" },
      { name: "send", arguments: { n: 2 }, callId: "a" },
      { name: "send", arguments: "[", callId: "b" },
      { name: "send", arguments: "{}", callId: "b" },
    ]);
    expect(outcomes.map((outcome) => "basis" in outcome && outcome.basis)).toEqual([
      "policy",
      "duplicate",
      false,
      "duplicate",
    ]);
  });

  it("P10 that the host says an earlier call of the turn has is denied, also when that one is over", async () => {
    const tool = spyTool("send");
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
    const run = (repeatedId: unknown) =>
      runner.run({ name: "send", callId: "c1" }, { repeatedId } as RunOptions);
    expect(await run(false)).toMatchObject({ status: "executed" });
    expect(await run(true)).toMatchObject({ status: "denied", code: "duplicate_call_id" });
    expect(await run("no")).toMatchObject({ status: "invalid", code: "unknown_member" });
    expect(tool.runs).toHaveLength(1);
  });

  it("P10 that is still open in its session is denied, and is free in other sessions, after it, and in later turns", async () => {
    const holds = [deferred(), deferred(), deferred()];
    const tool = spyTool("send", ({ n }) => holds[n as number]?.promise);
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
    const run = (n: number, sessionId?: string) =>
      runner.run({ name: "send", arguments: { n }, callId: "c1" }, { context: { sessionId } });
    const first = run(0, "s1");
    const second = run(1, "s2");
    const third = run(2);
    await idle();
    for (const sessionId of ["s1", "s2", undefined]) {
      expect(await run(9, sessionId)).toMatchObject({ status: "denied", basis: "duplicate" });
      const [again] = await runner.runAll([{ name: "send", callId: "c1" }], {
        context: { sessionId },
      });
      expect(again).toMatchObject({ status: "denied", basis: "duplicate" });
    }
    expect(tool.runs).toHaveLength(3);
    holds[0]?.resolve();
    expect((await first).status).toBe("executed");
    expect((await run(9, "s1")).status).toBe("executed");
    expect(await run(9, "s2")).toMatchObject({ status: "denied" });
    holds[1]?.resolve();
    holds[2]?.resolve();
    await Promise.all([second, third]);
    for (let turn = 0; turn < 3; turn++) {
      const [outcome] = await runner.runAll([{ name: "send", arguments: { n: 9 }, callId: "c1" }]);
      expect(outcome?.status).toBe("executed");
    }
  });

  it("P10 stays taken by an opened call until that is closed, also from an agent's runner", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const agent = runner.forAgent("clerk");
    const request = { name: "send", callId: "c1" };
    const opened = await runner.open(request);
    if (opened.outcome !== undefined) throw new Error("stopped");
    expect(await agent.run(request)).toMatchObject({ status: "denied", basis: "duplicate" });
    expect((await runner.open(request)).outcome).toMatchObject({ basis: "duplicate" });
    await opened.close({ released: true });
    expect(await agent.run(request)).toMatchObject({ status: "executed" });
  });

  it("P10 is free again however its call ended, and not freed by the one it denied", async () => {
    const hold = deferred();
    const runner = new ToolRunner({
      tools: [
        spyTool("send", ({ how }) => {
          if (how === "fails") throw new Error("no");
          if (how === "hangs") return hold.promise;
          return "done";
        }),
      ],
      guardrails: [
        guard("g", {
          evaluate: ({ args }) => (args.how === "denied" ? deny("no") : allow()),
          evaluateResult: ({ args }) => (args.how === "withheld" ? deny("no") : allow()),
        }),
      ],
    });
    const run = (how: string, signal?: AbortSignal) =>
      runner.run({ name: "send", arguments: { how }, callId: "c1" }, { signal });
    for (const how of ["fails", "denied", "withheld", "done"]) {
      await run(how);
      expect((await run("done")).status).toBe("executed");
    }
    await runner.run({ name: "send", arguments: "[", callId: "c1" });
    await run("done", AbortSignal.abort()).catch(() => undefined);
    expect((await run("done")).status).toBe("executed");
    const hanging = run("hangs");
    await idle();
    expect((await run("done")).status).toBe("denied");
    expect((await run("done")).status).toBe("denied");
    hold.resolve();
    await hanging;
    expect((await run("done")).status).toBe("executed");
  });

  it("P10 whatever fails, a tool is dispatched at most once a run, and each run settles once", async () => {
    const fate = fc.record({
      pace: fc.nat(2),
      tool: fc.constantFrom("returns", "throws", "rejects", "streams", "streams and throws"),
      guard: fc.constantFrom("allows", "denies", "throws", "modifies"),
      admit: fc.constantFrom("allows", "denies", "rejects"),
      result: fc.constantFrom("allows", "denies", "throws", "rewrites"),
      settle: fc.constantFrom("returns", "throws", "rejects"),
      id: fc.constantFrom("a", "b", "c", undefined),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { minLength: 1, maxLength: 6 }),
        fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        async (fates, concurrency) => {
          const dispatched = new Map<string, number>();
          const settled = new Map<string, number>();
          const count = (map: Map<string, number>, key: string): void =>
            void map.set(key, (map.get(key) ?? 0) + 1);
          const of = (args: object | undefined) =>
            fates[(args as { n: number } | undefined)?.n ?? 0] as (typeof fates)[number];
          const boom = (): never => {
            throw new Error("boom");
          };
          const runner = new ToolRunner({
            tools: [
              spyTool("send", (args, { runId }) => {
                count(dispatched, runId);
                const { tool, pace } = of(args);
                if (tool === "throws") boom();
                if (tool === "rejects") return ticks(pace).then(boom);
                if (tool === "returns") return pace === 0 ? "done" : ticks(pace);
                return (async function* () {
                  yield "one";
                  await ticks(pace);
                  if (tool === "streams and throws") boom();
                  yield "two";
                })();
              }),
            ],
            guardrails: [
              guard("g", {
                evaluate: async ({ args }) => {
                  const how = of(args);
                  await ticks(how.pace);
                  if (how.guard === "throws") boom();
                  if (how.guard === "denies") return deny("no");
                  if (how.guard === "modifies") {
                    return { decision: "modify", modifiedArgs: { ...args, more: 1 } };
                  }
                  return allow();
                },
                admit: ({ args }) => {
                  const how = of(args);
                  if (how.admit === "rejects") return ticks(how.pace).then(boom);
                  return how.admit === "denies" ? deny("no") : allow();
                },
                evaluateResult: async ({ args }) => {
                  const how = of(args);
                  await ticks(how.pace);
                  if (how.result === "throws") boom();
                  if (how.result === "denies") return deny("no");
                  return how.result === "rewrites"
                    ? { decision: "modify", modifiedResult: { content: "rewritten" } }
                    : allow();
                },
                settle: ({ args, runId }) => {
                  count(settled, runId);
                  const how = of(args);
                  if (how.settle === "throws") boom();
                  return how.settle === "rejects" ? ticks(how.pace).then(boom) : undefined;
                },
              }),
            ],
          });
          const requests = fates.map(({ id }, n) => ({
            name: "send",
            arguments: { n },
            callId: id,
          }));
          const outcomes = await runner.runAll(requests, { concurrency });
          // P12: each has its place, whatever became of the others.
          expect(outcomes).toHaveLength(fates.length);
          const seen = new Set<string>();
          for (const [n, outcome] of outcomes.entries()) {
            const { id, guard: call, admit, result, tool } = of({ n });
            expect(outcome.askedArgs).toEqual({ n });
            if (id !== undefined) expect(outcome.callId).toBe(id);
            const repeated = id !== undefined && seen.has(id);
            if (id !== undefined) seen.add(id);
            const stopped =
              repeated || call === "denies" || call === "throws" || admit !== "allows";
            expect(dispatched.get(outcome.runId) ?? 0).toBe(stopped ? 0 : 1);
            expect(settled.get(outcome.runId)).toBe(1);
            const withheld = result === "denies" || result === "throws";
            const fails = tool === "throws" || tool === "rejects" || tool === "streams and throws";
            expect(outcome.status).toBe(
              stopped ? "denied" : withheld ? "withheld" : fails ? "failed" : "executed",
            );
          }
          expect(settled.size).toBe(fates.length);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("P17 open calls", () => {
  it("P17 are as many as maxOpenCalls at most, and one more is denied until one is closed", async () => {
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [allowAll()],
      maxOpenCalls: 2,
    });
    const open = (callId?: string) => runner.open({ name: "send", callId });
    const first = await open("a");
    await open("b");
    expect((await open("c")).outcome).toMatchObject({
      status: "denied",
      basis: "policy",
      code: "too_many_open",
    });
    expect(await runner.run({ name: "send" })).toMatchObject({ code: "too_many_open" });
    if (first.outcome === undefined) await first.close({ released: true });
    expect((await open("c")).outcome).toBeUndefined();
    expect((await open("d")).outcome).toMatchObject({ code: "too_many_open" });
  });

  it("P17 count also where the model gave no id", async () => {
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [allowAll()],
      maxOpenCalls: 2,
    });
    const opened = [await runner.open({ name: "send" }), await runner.open({ name: "send" })];
    const denied = await runner.open({ name: "send", callId: "a" });
    expect(denied.outcome).toMatchObject({ code: "too_many_open" });
    for (const call of opened) if (call.outcome === undefined) await call.close({ value: 1 });
    const again = [
      await runner.open({ name: "send" }),
      await runner.open({ name: "send", callId: "a" }),
    ];
    expect(again.map(({ outcome }) => outcome)).toEqual([undefined, undefined]);
    expect(await runner.run({ name: "send" })).toMatchObject({ code: "too_many_open" });
  });

  it("P17 keep the same verdicts as a plain set, whatever is entered and left", () => {
    const ids = fc.constantFrom("a", "b", "__proto__");
    const sessions = fc.constantFrom(undefined, "s1", "s2", "undefined");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), sessions, ids), { maxLength: 40 }),
        fc.integer({ min: 1, max: 8 }),
        (steps, most) => {
          const calls = new OpenCalls(most);
          const model = new Map<string, () => void>();
          for (const [enters, session, id] of steps) {
            const key = JSON.stringify([session ?? null, id]);
            expect(calls.full).toBe(model.size >= most);
            if (enters) {
              expect(calls.add(session, id)).toBe(!model.has(key));
              if (!model.has(key)) model.set(key, () => calls.remove(session, id));
            } else {
              model.get(key)?.();
              model.delete(key);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("P17 nothing is left of 100,000 runs, but the room that one takes", {
    tags: "long",
  }, async () => {
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [allowAll()],
      maxOpenCalls: 1,
    });
    let executed = 0;
    for (let index = 0; index < 100_000; index++) {
      const { status } = await runner.run({ name: "send", callId: `c${index}` });
      if (status === "executed") executed++;
    }
    expect(executed).toBe(100_000);
  });
});

describe("calls that are opened for a turn", () => {
  let runner: ToolRunner;
  beforeEach(() => {
    runner = new ToolRunner({ tools: [{ name: "t" }], guardrails: [allowAll()] });
  });
  const opening = async (options: RunOptions) =>
    (await runner.open({ name: "t", callId: "call_0" }, options)).outcome?.status;

  it("P10 share their ids with their turn, not with other turns", async () => {
    expect(await opening({ turnId: "a" })).toBeUndefined();
    expect(await opening({ turnId: "b" })).toBeUndefined();
    expect(await opening({ turnId: "a" })).toBe("denied");
    expect(await opening({})).toBeUndefined();
  });

  it("P10 share them with their turn in their session, where there is one", async () => {
    expect(await opening({ turnId: "a", context: { sessionId: "s" } })).toBeUndefined();
    expect(await opening({ turnId: "b", context: { sessionId: "s" } })).toBeUndefined();
    expect(await opening({ turnId: "a", context: { sessionId: "s" } })).toBe("denied");
    expect(await opening({ context: { sessionId: "s" } })).toBeUndefined();
  });

  it("P10 share none where the names of turn and session are the same when joined", async () => {
    expect(await opening({ turnId: "x:y", context: { sessionId: "z" } })).toBeUndefined();
    expect(await opening({ turnId: "x", context: { sessionId: "y:z" } })).toBeUndefined();
    expect(await opening({ turnId: "x:y:z" })).toBeUndefined();
  });

  it.each(["", 7])("are invalid where the turn is %j", async (turnId) => {
    expect(await opening({ turnId: turnId as string })).toBe("invalid");
  });
});

describe("open calls without an id of the model's", () => {
  it("are repeated by none, whatever the host says", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const named = await runner.run({ name: "send", callId: "c1" }, { repeatedId: true });
    expect(named).toMatchObject({ status: "denied", code: "duplicate_call_id" });
    expect((await runner.run({ name: "send" }, { repeatedId: true })).status).toBe("executed");
  });

  it("P17 count until they are over", async () => {
    const holds = [deferred(), deferred()];
    let runs = 0;
    const runner = new ToolRunner({
      tools: [spyTool("send", () => holds[runs++]?.promise)],
      guardrails: [allowAll()],
      maxOpenCalls: 1,
    });
    const first = runner.run({ name: "send" });
    await idle();
    expect(await runner.run({ name: "send" })).toMatchObject({ code: "too_many_open" });
    holds[0]?.resolve();
    expect((await first).status).toBe("executed");
    holds[1]?.resolve();
    expect((await runner.run({ name: "send" })).status).toBe("executed");
    expect(runs).toBe(2);
  });
});
