import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { CallerAbort, type CallerSignal } from "../src/host/index.js";
import { allowAll, deny, ToolRunner, ToolstileError } from "../src/index.js";
import { deferred, idle } from "./support/promises.js";
import { spyTool } from "./support/runners.js";

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
