import { describe, expect, it } from "vitest";
import { SlidingLog } from "../src/sliding-log.js";

/** Take one unit at a time until none fits, and say how many did. */
function filled(log: SlidingLog, now: number): number {
  let taken = 0;
  for (; taken < 20 && log.wait(0, now, 1) === 0; taken++) log.take(0, now, 1);
  return taken;
}

describe.each([false, true])("the log (weighted: %s)", (weighted) => {
  it.each([1, 2, 3, 4, 5, 8])(
    "P14 takes into a full ring of %i that has ended, unasked",
    (limit) => {
      const log = new SlidingLog(limit, 100, weighted);
      log.grow(1);
      for (let now = 0; now < limit; now++) log.take(0, now, 1);
      log.take(0, 150, 1);
      expect(log.heldUntil(0)).toBe(250);
      expect(filled(log, 160)).toBe(limit - 1);
      expect(log.wait(0, 160, 1)).toBe(90);
      expect(filled(log, 249)).toBe(0);
      expect(filled(log, 250)).toBe(1);
    },
  );

  it.each([1, 4, 8])("P17 holds nothing in a row of %i that is released", (limit) => {
    const log = new SlidingLog(limit, 100, weighted);
    log.grow(1);
    for (let now = 0; now < limit; now++) log.take(0, now, 1);
    log.release(0);
    expect(log.heldUntil(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(filled(log, 50)).toBe(limit);
  });
});
