import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExpiryWheel } from "../src/expiry-wheel.js";

const rows = 12;
const longestHoldMs = 1_000;
/** How late a row may fall due. */
const lateMs = longestHoldMs / 62;

describe("the expiry wheel", () => {
  it("P17 lets a row fall due when it holds nothing, at most a sixty-second of a hold later", () => {
    const step = fc.record({
      row: fc.nat(rows - 1),
      hold: fc.integer({ min: -5, max: longestHoldMs }),
      move: fc.oneof(fc.nat(40), fc.nat(5_000)),
      remove: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000, max: 10_000 }),
        fc.array(step, { size: "max", maxLength: 80 }),
        (start, steps) => {
          const wheel = new ExpiryWheel(longestHoldMs);
          wheel.grow(4);
          wheel.grow(rows);
          const placed = new Map<number, number>();
          let now = start;
          for (const { row, hold, move, remove } of steps) {
            if (remove) {
              wheel.remove(row);
              placed.delete(row);
            } else {
              wheel.place(row, now + hold, now);
              placed.set(row, now + hold);
            }
            now += move;
            for (let due = wheel.due(now); due !== -1; due = wheel.due(now)) {
              expect(placed.get(due)).toBeLessThanOrEqual(now);
              wheel.remove(due);
              placed.delete(due);
            }
            for (const heldUntil of placed.values())
              expect(heldUntil).toBeGreaterThan(now - lateMs);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("has a row in one list only, however often it is placed", () => {
    const wheel = new ExpiryWheel(longestHoldMs);
    wheel.grow(2);
    for (const heldUntil of [500, 10, 900, -1, 20]) wheel.place(0, heldUntil, 0);
    expect(wheel.due(2_000)).toBe(0);
    wheel.remove(0);
    expect(wheel.due(5_000)).toBe(-1);
  });

  it("puts a row back that is not due, and not at once again", () => {
    const wheel = new ExpiryWheel(longestHoldMs);
    wheel.grow(1);
    wheel.place(0, 0, 0);
    expect(wheel.due(0)).toBe(0);
    wheel.putBack(0, 0, 0);
    expect(wheel.due(0)).toBe(-1);
    expect(wheel.due(2 * lateMs)).toBe(0);
  });
});
