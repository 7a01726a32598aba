import { describe, expect, it } from "vitest";
import { fakeClock } from "../src/index.js";

describe("fakeClock", () => {
  it("stands still until it is told to move", () => {
    const clock = fakeClock(1_000);
    expect(clock.now()).toBe(1_000);
    clock.advance(5);
    expect(clock.now()).toBe(1_005);
  });

  it("runs timers in the order of their time, each at its own time", () => {
    const clock = fakeClock();
    const ran: string[] = [];
    clock.setTimeout(() => ran.push(`late at ${clock.now()}`), 20);
    clock.setTimeout(() => ran.push(`soon at ${clock.now()}`), 10);
    clock.setTimeout(() => ran.push("never"), 31);
    clock.advance(30);
    expect(ran).toEqual(["soon at 10", "late at 20"]);
    expect(clock.waiting()).toBe(1);
  });

  it("runs a timer that another set, where it falls due on the way", () => {
    const clock = fakeClock();
    const ran: number[] = [];
    clock.setTimeout(() => clock.setTimeout(() => ran.push(clock.now()), 5), 5);
    clock.advance(10);
    expect(ran).toEqual([10]);
  });

  it("forgets a timer that is cleared, and takes a stranger's without complaint", () => {
    const clock = fakeClock();
    const ran: string[] = [];
    clock.clearTimeout(clock.setTimeout(() => ran.push("cleared"), 1));
    clock.clearTimeout(undefined);
    clock.advance(2);
    expect(ran).toEqual([]);
  });
});
