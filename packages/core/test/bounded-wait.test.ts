import { describe, expect, it } from "vitest";
import { CallerAbort } from "../src/provider/index.js";
import { BoundedWait } from "../src/time/wait.js";
import { HandClock } from "./support/hand-clock.js";

function boom(): never {
  throw new Error("a getter");
}

describe("a signal that cannot be listened to", () => {
  it("P12 leaves no deadline behind", () => {
    const clock = new HandClock();
    const caller = Object.assign(new CallerAbort(), { addEventListener: boom });
    expect(() => new BoundedWait({ clock, timeoutMs: 5, caller }, () => {})).toThrow("a getter");
    expect(clock.waiting).toBe(0);
  });
});

describe("a wait that is over", () => {
  it("P4 is not ended again by a signal that does not let go of it", () => {
    const ends: string[] = [];
    const caller = Object.assign(new CallerAbort(), { removeEventListener: () => {} });
    const bounds = { clock: new HandClock(), timeoutMs: 5, caller };
    const wait = new BoundedWait(bounds, (why) => void ends.push(why));
    wait.stop();
    caller.abort();
    expect(ends).toEqual([]);
  });
});
