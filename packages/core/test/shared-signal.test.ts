import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { allowAll, ToolRunner } from "../src/index.js";
import { CallerAbort, type CallerSignal, sharedSignal } from "../src/provider/index.js";
import { listen, unlisten } from "../src/time/abort.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const heard = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("the signal that all calls of a caller share", () => {
  it("P17 listens to the caller's signal once, however many calls listen to it", () => {
    const caller = new AbortController();
    let listeners = 0;
    const add = caller.signal.addEventListener.bind(caller.signal);
    caller.signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners++;
      add(...given);
    };
    const told: number[] = [];
    for (let call = 0; call < 20; call++) {
      sharedSignal(caller.signal).addEventListener("abort", () => void told.push(call));
    }
    expect(listeners).toBe(1);
    caller.abort("enough");
    expect(told).toHaveLength(20);
  });

  it("P4 is aborted when the caller's is, for the same reason", () => {
    const caller = new AbortController();
    const signal = sharedSignal(caller.signal);
    expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
    expect(() => signal.throwIfAborted()).not.toThrow();
    caller.abort("enough");
    expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
    expect(() => signal.throwIfAborted()).toThrow("enough");
  });

  it("calls no listener that was removed, nor one that comes after the abort", () => {
    const caller = new AbortController();
    const signal = sharedSignal(caller.signal);
    const told: string[] = [];
    const removed = () => void told.push("removed");
    signal.addEventListener("abort", removed);
    signal.removeEventListener("abort", removed);
    caller.abort();
    signal.addEventListener("abort", () => void told.push("late"));
    expect(told).toEqual([]);
  });

  it("P17 lets go of the caller's signal with its last listener, and listens again for the next", () => {
    const caller = new AbortController();
    const told: string[] = [];
    const [first, second] = [() => void told.push("first"), () => void told.push("second")];
    const signal = sharedSignal(caller.signal);
    signal.addEventListener("abort", first);
    signal.addEventListener("abort", second);
    signal.removeEventListener("abort", first);
    signal.removeEventListener("abort", first);
    expect(heard(caller.signal)).toBe(1);
    signal.removeEventListener("abort", second);
    expect(heard(caller.signal)).toBe(0);
    signal.addEventListener("abort", second);
    expect(heard(caller.signal)).toBe(1);
    caller.abort();
    expect(told).toEqual(["second"]);
  });

  it("P4 is aborted after an event that anybody may have sent, for those who listen from then on", () => {
    const caller = new AbortController();
    const told: string[] = [];
    const signal = sharedSignal(caller.signal);
    signal.addEventListener("abort", () => void told.push("first"));
    caller.signal.dispatchEvent(new Event("abort"));
    signal.addEventListener("abort", () => void told.push("second"));
    caller.abort();
    expect(told).toEqual(["first", "second"]);
  });

  it("P17 is the one that core itself listens by, so that both are one listener to the caller's", () => {
    const caller = new AbortController();
    const told: string[] = [];
    const ofCore = () => void told.push("core");
    listen(caller.signal, ofCore);
    sharedSignal(caller.signal).addEventListener("abort", () => void told.push("host"));
    expect(heard(caller.signal)).toBe(1);
    unlisten(caller.signal, ofCore);
    caller.abort();
    expect(told).toEqual(["host"]);
  });

  it("calls the other listeners when one throws, and gives the error to the process", async () => {
    const caller = new AbortController();
    const signal = sharedSignal(caller.signal);
    const told: string[] = [];
    const thrown = new Promise((resolve) => {
      const others = process.listeners("uncaughtException");
      process.removeAllListeners("uncaughtException");
      process.once("uncaughtException", (error) => {
        for (const other of others) process.on("uncaughtException", other);
        resolve(error);
      });
    });
    signal.addEventListener("abort", () => {
      throw new Error("of a listener");
    });
    signal.addEventListener("abort", () => void told.push("other"));
    caller.abort();
    expect(told).toEqual(["other"]);
    expect(await thrown).toMatchObject({ message: "of a listener" });
  });

  it("P17 keeps no signal that was made of a long-lived one, once the call is over", async () => {
    const server = new AbortController();
    const runner = new ToolRunner({
      tools: [{ name: "t", execute: async () => "done" }],
      guardrails: [allowAll()],
      unchecked: true,
    });
    const made: WeakRef<AbortSignal>[] = [];
    for (let request = 0; request < 20; request++) {
      const signal = AbortSignal.any([server.signal, new AbortController().signal]);
      made.push(new WeakRef(signal));
      await runner.run({ name: "t" }, { signal: sharedSignal(signal) });
    }
    for (let turn = 0; turn < 3; turn++) {
      // Weak references that were made or read hold their targets until the turn is over.
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    // The last one may still stand in a register.
    const left = made.filter((each) => each.deref() !== undefined).length;
    expect(left).toBeLessThanOrEqual(1);
  });

  it("is shared for a signal of another realm too, which is no AbortSignal here", () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const foreign: CallerSignal = {
      aborted: false,
      reason: undefined,
      throwIfAborted: () => signal.throwIfAborted(),
      addEventListener: () => void listeners++,
      removeEventListener: () => void listeners--,
    };
    const shared = sharedSignal(foreign);
    expect(sharedSignal(foreign)).toBe(shared);
    const [one, other] = [() => {}, () => {}];
    shared.addEventListener("abort", one);
    shared.addEventListener("abort", other);
    expect(listeners).toBe(1);
  });

  it("is the same value where it is shared already, cheap, or cannot be read", () => {
    const shared = sharedSignal(new AbortController().signal);
    const cheap = new CallerAbort();
    const broken = new Proxy(new AbortController().signal, {
      get: () => {
        throw new Error("a broken signal");
      },
    });
    for (const signal of [shared, cheap, broken])
      expect(sharedSignal(signal) === signal).toBe(true);
  });

  it("is the caller's own where that has been aborted, or is no AbortSignal", () => {
    const aborted = AbortSignal.abort();
    expect(sharedSignal(aborted)).toBe(aborted);
    expect(sharedSignal("soon" as never)).toBe("soon");
  });
});
