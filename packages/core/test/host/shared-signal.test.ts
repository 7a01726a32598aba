import { describe, expect, it } from "vitest";
import { sharedSignal } from "../../src/host/index.js";

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

  it("is the caller's own where that has been aborted, or is no AbortSignal", () => {
    const aborted = AbortSignal.abort();
    expect(sharedSignal(aborted)).toBe(aborted);
    expect(sharedSignal("soon" as never)).toBe("soon");
  });
});
