import { describe, expect, it } from "vitest";
import { allowAll, type ToolOutcome, ToolRunner } from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import { deferred, idle } from "./support/promises.js";
import { quota, spyObserver, spyTool } from "./support/runners.js";

const request = { name: "send", callId: "c1" };

describe("a tool's deadline", () => {
  it("P10 ends the wait as unknown, tells the tool, never runs it again, and drops the late answer", async () => {
    const clock = new HandClock();
    const late = deferred<unknown>();
    const tool = spyTool(
      "send",
      (_args, context) => {
        context.signal.addEventListener("abort", () => told.push(context.signal.aborted));
        return late.promise;
      },
      { timeoutMs: 100 },
    );
    const told: boolean[] = [];
    const observer = spyObserver();
    const limit = quota("limit", 5);
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [limit],
      observers: [observer],
      clock,
    });
    const running = runner.run(request);
    await idle();
    clock.pass(99);
    await idle();
    expect(await Promise.race([running, "waiting"])).toBe("waiting");
    expect(told).toEqual([]);
    clock.pass(1);
    const outcome = await running;
    expect(outcome).toMatchObject({
      status: "unknown",
      executed: "unknown",
      result: {
        isError: true,
        content: "Tool 'send' did not answer in time. Whether it took effect is unknown.",
      },
    });
    expect(told).toEqual([true]);
    const before = JSON.stringify([outcome, observer.records]);
    late.resolve("hunter2");
    await idle();
    expect(JSON.stringify([outcome, observer.records])).toBe(before);
    expect(tool.runs).toHaveLength(1);
    expect(observer.records).toHaveLength(1);
    expect(limit.taken()).toBe(1);
    expect(clock.waiting).toBe(0);
  });

  it("leaves no unhandled rejection behind when the tool rejects too late", async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", listen);
    try {
      const clock = new HandClock();
      const late = deferred<never>();
      const runner = new ToolRunner({
        tools: [spyTool("send", () => late.promise, { timeoutMs: 5 })],
        guardrails: [allowAll()],
        clock,
      });
      const running = runner.run(request);
      await idle();
      clock.pass(5);
      expect((await running).status).toBe("unknown");
      late.reject(new Error("too late"));
      await idle();
      await idle();
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listen);
    }
  });

  it("is none where none is given, and no timer is set for what answers at once", async () => {
    const clock = new HandClock();
    const hold = deferred<string>();
    const runner = new ToolRunner({
      tools: [spyTool("send", () => hold.promise), spyTool("fast", () => "done", { timeoutMs: 5 })],
      guardrails: [allowAll()],
      clock,
    });
    await runner.run({ name: "fast" });
    const running = runner.run(request);
    await idle();
    expect(clock.made).toBe(0);
    clock.pass(1e12);
    hold.resolve("done");
    expect((await running).status).toBe("executed");
  });

  it("is none where none is given, though its caller can give up", async () => {
    const clock = new HandClock();
    const hold = deferred<string>();
    const runner = new ToolRunner({
      tools: [spyTool("send", () => hold.promise)],
      guardrails: [allowAll()],
      clock,
    });
    const running = runner.run(request, { signal: new AbortController().signal });
    await idle();
    expect(clock.made).toBe(0);
    hold.resolve("done");
    expect((await running).status).toBe("executed");
  });

  it("is over when the tool answers, and its time passing later changes nothing", async () => {
    const clock = new HandClock();
    const hold = deferred<string>();
    const runner = new ToolRunner({
      tools: [spyTool("send", () => hold.promise, { timeoutMs: 5 })],
      guardrails: [allowAll()],
      clock,
    });
    const running = runner.run(request);
    await idle();
    expect(clock.waiting).toBe(1);
    hold.resolve("done");
    expect(await running).toMatchObject({ status: "executed", value: "done" });
    expect(clock.waiting).toBe(0);
  });

  it("holds for a stream as a whole, whose tool is told to stop", async () => {
    const clock = new HandClock();
    const stuck = deferred();
    let told = 0;
    const pieces: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          await stuck.promise;
          return { done: false, value: 1 };
        },
        return: async () => {
          told++;
          return { done: true, value: undefined };
        },
      }),
    };
    const runner = new ToolRunner({
      tools: [spyTool("send", () => pieces, { timeoutMs: 5 })],
      guardrails: [allowAll()],
      clock,
    });
    const running = runner.run(request);
    await idle();
    clock.pass(5);
    expect(await running).toMatchObject({ status: "unknown" });
    expect(told).toBe(1);
  });
});

describe("a tool that streams, where nobody reads it piece by piece", () => {
  const valueFrom = async (act: () => unknown): Promise<unknown> => {
    const outcome: ToolOutcome = await new ToolRunner({
      tools: [spyTool("send", act)],
      guardrails: [allowAll()],
    }).run(request);
    return outcome.status === "executed" ? outcome.value : outcome.result.content;
  };

  it("has for its value what it returns, or else its last piece", async () => {
    expect(
      await valueFrom(async function* () {
        yield 1;
        yield 2;
      }),
    ).toBe(2);
    expect(
      await valueFrom(async function* () {
        yield 1;
        return 3;
      }),
    ).toBe(3);
    expect(await valueFrom(async function* () {})).toBeUndefined();
    expect(
      await valueFrom(async () =>
        (async function* () {
          yield "later";
        })(),
      ),
    ).toBe("later");
  });

  it("is failed when it throws midway, or when it cannot be read at all", async () => {
    expect(
      await valueFrom(async function* () {
        yield 1;
        throw new Error("midway");
      }),
    ).toBe("midway");
    expect(
      await valueFrom(() => ({
        [Symbol.asyncIterator]: () => {
          throw new Error("at once");
        },
      })),
    ).toBe("at once");
    expect(
      await valueFrom(() => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            throw new Error("no next");
          },
        }),
      })),
    ).toBe("no next");
  });
});

describe("what a tool is told", () => {
  it("is who asks, for what, and when to stop, and a signal only where it is read", async () => {
    const controller = new AbortController();
    const seen: unknown[] = [];
    const tool = spyTool("send", async (_args, context) => {
      seen.push([
        context.callId,
        context.toolName,
        context.requestedName,
        context.agentName,
        context.context.tenant,
      ]);
      context.signal.addEventListener("abort", () => seen.push(context.signal.reason));
      controller.abort("enough");
    });
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [allowAll()],
      aliases: { s: "send" },
    });
    const running = runner.run(
      { name: "s", callId: "c1" },
      { agentName: "clerk", context: { tenant: "acme" }, signal: controller.signal },
    );
    await expect(running).rejects.toMatchObject({ code: "ERR_ABORTED" });
    expect(seen).toEqual([["c1", "send", "s", "clerk", "acme"], "enough"]);
  });

  it("is a run id that no other run has", async () => {
    const tool = spyTool();
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
    const outcomes = [await runner.run(request), await runner.run(request)];
    expect(tool.contexts.map(({ runId }) => runId)).toEqual(outcomes.map(({ runId }) => runId));
    expect(outcomes[0]?.runId).not.toBe(outcomes[1]?.runId);
  });
});
