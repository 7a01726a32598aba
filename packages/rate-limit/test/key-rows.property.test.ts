import type { ToolCall } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { Oracle } from "./oracle.js";
import { executed, handClock, notExecuted, toolCall } from "./tool-call.js";

/** A key fills its row with so many calls, some of them do not run, and time goes by. */
const turn = fc.record({
  key: fc.nat(4),
  calls: fc.array(
    fc.record({ units: fc.integer({ min: 1, max: 3 }), ran: fc.boolean(), late: fc.boolean() }),
    { minLength: 1, maxLength: 11, size: "max" },
  ),
  /** Between two calls, in 1,024ths of the window. */
  gap: fc.constantFrom(0, 0, 1, 100),
  /** Afterwards, in quarters of the window. */
  wait: fc.constantFrom(0, 1, 4, 5, 6, 9),
});
const setting = fc.record({
  limit: fc.integer({ min: 1, max: 8 }),
  weighted: fc.boolean(),
  maxKeys: fc.integer({ min: 1, max: 3 }),
});
const windowMs = 1_024;

type Answer = { decision: string; code?: string };
const decisionOf = (answer: unknown): string => (answer as Answer).decision;

describe.each(["log", "sub-windows", "gcra"] as const)(
  "a row that goes from key to key",
  (algorithm) => {
    it(`P14 P17 counts for the next key as a fresh one would (${algorithm})`, {
      tags: "longer",
    }, () => {
      fc.assert(
        fc.property(
          setting,
          fc.array(turn, { minLength: 2, maxLength: 20, size: "max" }),
          (chosen, turns) => {
            const { limit, weighted, maxKeys } = chosen;
            const clock = handClock();
            const cost = weighted ? ({ args }: ToolCall) => args.units as number : 1;
            const options = { limit, windowMs, algorithm, cost, now: clock.now };
            const recycled = rateLimit({ ...options, maxKeys });
            // With a row for each key, no row is ever another's.
            const apart = rateLimit(options);
            const oracles = Array.from({ length: 5 }, () => new Oracle(limit, windowMs));
            const bound = recycled.limits[0]?.bound as number;
            const late: (() => void)[] = [];
            for (const { key, calls, gap, wait } of turns) {
              for (const { units, ran, late: endsLate } of calls) {
                clock.time += gap;
                const call = toolCall(`tool-${key}`, { args: { units } });
                const answer = recycled.admit?.(call) as Answer;
                if (answer.code === "rate_limit_keys") continue;
                expect(answer).toEqual(apart.admit?.(call));
                if (answer.decision !== "allow") continue;
                const oracle = oracles[key] as Oracle;
                const taken = oracle.take(clock.time, weighted ? units : 1);
                const end = (): void => {
                  for (const each of [recycled, apart])
                    each.settle?.(call, ran ? executed : notExecuted);
                  if (!ran) oracle.giveBack(taken);
                };
                // A call may also end when its row is another key's.
                if (endsLate) late.push(end);
                else end();
              }
              clock.time += (wait * windowMs) / 4;
              if (late.length > 4) for (const end of late.splice(0)) end();
            }
            for (const oracle of oracles) expect(oracle.worst()).toBeLessThanOrEqual(bound);
          },
        ),
        { numRuns: inject("long") ? 300 : 100 },
      );
    });

    it(`P14 P17 holds the limit, from the 17th key on, of keys that come and go (${algorithm})`, () => {
      for (let limit = 1; limit <= 8; limit++) {
        const clock = handClock();
        const provider = rateLimit({
          limit,
          windowMs: 100,
          algorithm,
          key: "session",
          now: clock.now,
        });
        const admitted = (sessionId: string): number => {
          let count = 0;
          const call = () => toolCall("search", { context: { sessionId } });
          while (count < 50 && decisionOf(provider.admit?.(call())) === "allow") count++;
          return count;
        };
        for (let session = 0; session < 60; session++) {
          if (session % 15 === 14) clock.time += 250;
          expect(admitted(`s-${session}`)).toBe(limit);
          expect(admitted(`s-${session}`)).toBe(0);
        }
      }
    });
  },
);

it("P14 P17 lets one key's full row count for nothing in another's", () => {
  const clock = handClock();
  const provider = rateLimit({
    limit: 1,
    windowMs: 100,
    key: "session",
    maxKeys: 1,
    now: clock.now,
  });
  const decide = (time: number, sessionId: string): string => {
    clock.time = time;
    return decisionOf(provider.admit?.(toolCall("search", { context: { sessionId } })));
  };
  expect(decide(0, "a")).toBe("allow");
  expect(decide(150, "b")).toBe("allow");
  expect(decide(250, "c")).toBe("allow");
  expect(decide(250, "c")).toBe("deny");
  expect(decide(349, "c")).toBe("deny");
  expect(decide(350, "c")).toBe("allow");
});
