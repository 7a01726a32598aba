import fc from "fast-check";
import { expect, it } from "vitest";
import { SessionNumbers } from "../src/log/session-numbers.js";

it("P15 numbers each session from 1 without a hole while it is remembered", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 100 }), (uses) => {
      const numbers = new SessionNumbers(20);
      const counts = new Map<number, number>();
      for (const session of uses) {
        const count = (counts.get(session) ?? 0) + 1;
        counts.set(session, count);
        expect(numbers.next(`s${session}`)).toEqual({ seq: count, forgotten: 0 });
      }
    }),
  );
});

it("P17 remembers no more than its limit, and restarts no number without saying that it may", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 8 }),
      fc.array(fc.nat(20), { maxLength: 200 }),
      (limit, uses) => {
        const numbers = new SessionNumbers(limit);
        const seen = new Set<number>();
        for (const session of uses) {
          const { seq, forgotten } = numbers.next(`s${session}`);
          if (seq === 1 && seen.has(session)) expect(forgotten).toBeGreaterThan(0);
          seen.add(session);
          expect(numbers.remembered).toBeLessThanOrEqual(limit);
        }
      },
    ),
  );
});

it("remembers a session that is in use, however many others come and go", () => {
  const numbers = new SessionNumbers(10);
  for (let round = 1; round <= 1_000; round++) {
    numbers.next(`other-${round}`);
    expect(numbers.next("mine").seq).toBe(round);
  }
});

it("counts as forgotten only those that did not come back in time", () => {
  const numbers = new SessionNumbers(4);
  for (const session of ["a", "b", "c", "a"]) numbers.next(session);
  expect(numbers.next("d")).toEqual({ seq: 1, forgotten: 1 });
  expect(numbers.next("a")).toEqual({ seq: 3, forgotten: 0 });
  expect(numbers.next("b")).toEqual({ seq: 1, forgotten: 2 });
});
