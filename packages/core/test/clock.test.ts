import { describe, expect, it, vi } from "vitest";
import { allow, allowAll, ToolRunner } from "../src/index.js";
import { type Clock, steady, systemClock } from "../src/time/clock.js";
import { deadline } from "../src/time/deadline.js";
import { HandClock } from "./support/hand-clock.js";

describe("deadline", () => {
  it("calls back once when the time is over, and not before", () => {
    const clock = new HandClock();
    const over = vi.fn();
    deadline(clock, 100, over);
    clock.pass(99);
    expect(over).not.toHaveBeenCalled();
    clock.pass(1);
    clock.pass(1_000);
    expect(over).toHaveBeenCalledTimes(1);
  });

  it("calls nobody back once it is cancelled, and leaves no timer", () => {
    const clock = new HandClock();
    const over = vi.fn();
    deadline(clock, 100, over)();
    expect(clock.waiting).toBe(0);
    clock.pass(1_000);
    expect(over).not.toHaveBeenCalled();
  });

  it("holds the longest delay that a timer can, and takes anything longer for none", () => {
    const clock = new HandClock();
    const over = vi.fn();
    deadline(clock, 2 ** 31 - 1, over);
    expect(clock.waiting).toBe(1);
    const cancel = deadline(clock, 2 ** 31, over);
    deadline(clock, Number.POSITIVE_INFINITY, over)();
    expect(clock.waiting).toBe(1);
    expect(cancel).not.toThrow();
  });
});

describe("systemClock", () => {
  it("tells the time of the system", () => {
    const before = Date.now();
    const told = systemClock.now();
    expect(told).toBeGreaterThanOrEqual(before);
    expect(told).toBeLessThanOrEqual(Date.now());
  });

  it("sets and clears the timers of the system", () => {
    vi.useFakeTimers();
    try {
      const first = vi.fn();
      const second = vi.fn();
      systemClock.setTimeout(first, 10);
      systemClock.clearTimeout(systemClock.setTimeout(second, 10) as never);
      vi.advanceTimersByTime(10);
      expect(first).toHaveBeenCalledTimes(1);
      expect(second).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(systemClock)).toBe(true);
  });
});

describe("a clock of the host's", () => {
  const fails = (): never => {
    throw new Error("no time");
  };
  const hand = new HandClock();
  it.each<[string, Partial<Clock>, string]>([
    ["cannot tell the time", { now: fails }, "executed"],
    ["cannot set a timer", { setTimeout: fails }, "denied"],
    ["is over with a timer before it is set", { setTimeout: (act) => act() }, "denied"],
    ["cannot clear a timer", { clearTimeout: fails }, "executed"],
  ])("P15 keeps no call from ending where it %s", async (_, members, status) => {
    const { now, setTimeout, clearTimeout } = hand;
    const settle = vi.fn(async () => {});
    const runner = new ToolRunner({
      tools: [{ name: "read", execute: async () => "done", timeoutMs: 100 }],
      guardrails: [allowAll(), { name: "g", evaluate: async () => allow(), settle }],
      observers: [{ name: "o", intent: async () => {}, settle }],
      clock: { now, setTimeout, clearTimeout, ...members },
    });
    expect((await runner.run({ name: "read" })).status).toBe(status);
    expect(settle).toHaveBeenCalledTimes(2);
    await runner.close();
  });
});

describe("a host's clock", () => {
  it("that throws from the first time on stands at 0", () => {
    const throws = (): never => {
      throw new Error("no time");
    };
    const clock = steady({ now: throws, setTimeout: throws, clearTimeout: throws });
    expect(clock.now()).toBe(0);
  });
});
