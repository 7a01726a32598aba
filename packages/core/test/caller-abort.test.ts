import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { allow, allowAll, deny, ToolRunner, ToolstileError } from "../src/index.js";
import { CallerAbort, type CallerSignal } from "../src/provider/index.js";
import { HandClock } from "./support/hand-clock.js";
import { deferred, idle, ticks } from "./support/promises.js";
import { guard, spyObserver, spyTool } from "./support/runners.js";
import { read, words } from "./support/streams.js";

type Act = readonly ["add" | "remove", number] | readonly ["abort"];

const acts = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom("add" as const, "remove" as const), fc.nat(3)),
    fc.constant(["abort"] as const),
  ),
  { maxLength: 20 },
);

/** What listeners hear, and in which order, and what the signal says after each act. */
function heard(acts: readonly Act[], signal: CallerSignal, abort: () => void): unknown[] {
  const log: unknown[] = [];
  const listeners = [0, 1, 2, 3].map((which) => () => log.push([which, signal.aborted]));
  for (const [act, which] of acts) {
    if (act === "abort") abort();
    else {
      const listener = listeners[which as number] as () => void;
      if (act === "add") signal.addEventListener("abort", listener, { once: true });
      else signal.removeEventListener("abort", listener);
    }
    log.push(signal.aborted);
  }
  return log;
}

describe("CallerAbort", () => {
  it("tells whom an AbortSignal would tell, when it would", () => {
    fc.assert(
      fc.property(acts, (acts) => {
        const ours = new CallerAbort();
        const theirs = new AbortController();
        expect(heard(acts, ours, () => ours.abort())).toEqual(
          heard(acts, theirs.signal, () => theirs.abort()),
        );
      }),
    );
  });

  it("tells nobody who begins to listen while it tells others", () => {
    for (const each of [new CallerAbort(), new AbortController()]) {
      const signal = each instanceof CallerAbort ? each : each.signal;
      const told: string[] = [];
      signal.addEventListener("abort", () => {
        told.push("first");
        signal.addEventListener("abort", () => void told.push("second"));
      });
      each.abort();
      expect(told).toEqual(["first"]);
    }
  });

  it("throws what an AbortSignal throws, with its reason or without", () => {
    const ours = new CallerAbort();
    expect(() => ours.throwIfAborted()).not.toThrow();
    ours.abort();
    expect(() => ours.throwIfAborted()).toThrow(AbortSignal.abort().reason.message);
    expect(ours.reason).toMatchObject({ name: "AbortError" });
    const because = new Error("enough");
    const second = new CallerAbort();
    second.abort(because);
    second.abort(new Error("again"));
    expect(second.reason).toBe(because);
    expect(() => second.throwIfAborted()).toThrow(because);
  });

  it("gives every reason on as an AbortSignal does, also one that is null", () => {
    for (const reason of [null, false, 0, ""]) {
      const ours = new CallerAbort();
      ours.abort(reason);
      expect(ours.reason).toBe(AbortSignal.abort(reason).reason);
    }
  });

  it("tells the others also where a listener throws, which the process hears of", async () => {
    const heard: unknown[] = [];
    const uncaught = new Promise((resolve) => {
      const others = process.listeners("uncaughtException");
      process.removeAllListeners("uncaughtException");
      process.once("uncaughtException", (error) => {
        for (const other of others) process.on("uncaughtException", other);
        resolve(error);
      });
    });
    const caller = new CallerAbort();
    const fault = new Error("a listener's own");
    caller.addEventListener("abort", () => {
      throw fault;
    });
    caller.addEventListener("abort", () => heard.push("second"));
    caller.abort();
    expect(heard).toEqual(["second"]);
    expect(await uncaught).toBe(fault);
  });

  it("does not tell a listener that an earlier one has removed, as an AbortSignal does not", () => {
    const theirs = new AbortController();
    const ours = new CallerAbort();
    const pairs: [CallerSignal, () => void][] = [
      [theirs.signal, () => theirs.abort()],
      [ours, () => ours.abort()],
    ];
    const told = pairs.map(([signal, abort]) => {
      const heard: string[] = [];
      const second = (): void => void heard.push("second");
      signal.addEventListener("abort", () => {
        heard.push("first");
        signal.removeEventListener("abort", second);
      });
      signal.addEventListener("abort", second);
      abort();
      return heard;
    });
    expect(told).toEqual([["first"], ["first"]]);
  });

  it("P4 is refused where nobody could let go of it, and the call has its outcome", async () => {
    const runner = new ToolRunner({ guardrails: [], unchecked: true });
    const signal = { aborted: false, addEventListener: () => {} } as never;
    expect(await runner.run({ name: "send", callId: "a" }, { signal })).toMatchObject({
      status: "invalid",
      code: "unknown_member",
    });
    await runner.close();
  });

  it("P4 ends a call that is still judged, whose guard is given an AbortSignal with the reason", async () => {
    const caller = new CallerAbort();
    const seen: AbortSignal[] = [];
    const because = new Error("enough");
    const runner = new ToolRunner({
      unchecked: true,
      tools: [{ name: "send", execute: () => "sent" }],
      guardrails: [
        {
          name: "slow",
          evaluate: async (judged) => {
            seen.push(judged.signal);
            caller.abort(because);
            return deny("too late");
          },
        },
      ],
    });
    const run = runner.run({ name: "send" }, { signal: caller });
    await expect(run).rejects.toSatisfy(
      (error) =>
        ToolstileError.isInstance(error) && error.code === "ERR_ABORTED" && error.cause === because,
    );
    expect(seen[0]).toBeInstanceOf(AbortSignal);
    expect(seen[0]?.aborted).toBe(true);
    expect(seen[0]?.reason).toBe(because);
  });
});

describe("one signal for many calls at once", () => {
  it("P17 is listened to once, warns of no leak, ends all of them, and is let go of", async () => {
    const warnings: string[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = () => getEventListeners(signal, "abort").length;
    const calls = Array.from({ length: 30 }, () => ({ name: "send" }));
    const hold = deferred();
    const runner = new ToolRunner({
      tools: [
        spyTool("send", async (_args, context) => {
          context.signal.addEventListener("abort", () => {});
          await hold.promise;
        }),
      ],
      guardrails: [allowAll()],
    });
    const done = runner.runAll(calls, { signal });
    await idle();
    expect(listeners()).toBe(1);
    hold.resolve();
    expect((await done).every(({ status }) => status === "executed")).toBe(true);
    expect(listeners()).toBe(0);
    const ended = runner.runAll(calls, { signal });
    controller.abort("enough");
    expect((await ended).every(({ status }) => status === "aborted")).toBe(true);
    await idle();
    expect([listeners(), warnings]).toEqual([0, []]);
  });
});

describe("a caller that aborts", () => {
  const ended = (calling: Promise<unknown>) =>
    calling.then(
      () => "over",
      ({ outcomes: [{ status, executed }] }) => [status, executed],
    );

  it("P4 before its call has kept the tool from running", async () => {
    const tool = spyTool();
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
    const signal = AbortSignal.abort();
    expect(await ended(runner.run({ name: "send" }, { signal }))).toEqual(["aborted", false]);
    expect(tool.runs).toEqual([]);
  });

  it("P4 at whichever microtask has no tool start after it", async () => {
    let late = 0;
    let starts = 0;
    for (let after = 0; after < 30; after++) {
      const caller = new AbortController();
      const tool = spyTool("send", () => {
        starts++;
        if (caller.signal.aborted) late++;
      });
      const slow = guard("slow", { evaluate: async () => allow(), admit: async () => allow() });
      const runner = new ToolRunner({ tools: [tool], guardrails: [slow] });
      const call = ended(runner.run({ name: "send" }, { signal: caller.signal }));
      await ticks(after);
      caller.abort();
      await call;
    }
    expect(late).toBe(0);
    expect(starts).toBeGreaterThan(0);
    expect(starts).toBeLessThan(30);
  });

  it("P4 while its result is judged has aborted the call, which is not said to be withheld", async () => {
    const caller = new AbortController();
    const judge = guard("judge", {
      evaluateResult: () => {
        caller.abort();
        return deny("no");
      },
    });
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [judge] });
    expect(await ended(runner.run({ name: "send" }, { signal: caller.signal }))).toEqual([
      "aborted",
      "unknown",
    ]);
  });
});

describe("a reader that leaves a stream", () => {
  const streaming = (act: () => unknown = words) => {
    const clock = new HandClock();
    const observer = spyObserver();
    const runner = new ToolRunner({
      tools: [spyTool("send", act, { timeoutMs: 100 })],
      guardrails: [allowAll()],
      observers: [observer],
      clock,
    });
    return { clock, observer, stream: runner.stream({ name: "send" }) };
  };

  it("P4 has aborted the call, whose time is not over after that", async () => {
    const { clock, observer, stream } = streaming(async function* () {
      yield "one";
      await new Promise(() => {});
    });
    await stream.next();
    const waiting = stream.next();
    await idle();
    const leaving = stream.return(undefined as never);
    clock.pass(100);
    await Promise.all([waiting, leaving]);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["aborted"]);
  });

  it("P12 or reads it to its end leaves no deadline behind", async () => {
    for (const isRead of [true, false]) {
      const { clock, stream } = streaming();
      await stream.next();
      expect(clock.waiting).toBe(1);
      if (isRead) await read(stream);
      else await stream.return(undefined as never);
      expect(clock.waiting).toBe(0);
    }
  });
});
