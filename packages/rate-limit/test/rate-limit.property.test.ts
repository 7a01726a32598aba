import type { ToolCall } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { Oracle, type Standing } from "./oracle.js";
import { executed, handClock, notExecuted, toolCall } from "./tool-call.js";

/** One thing that happens. Times are whole 1,024ths, so that all sums are exact. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("call"), key: fc.nat(3), units: fc.nat(4) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("ask"), key: fc.nat(3), units: fc.nat(4) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("end"), which: fc.nat(20), ran: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("move"), by: fc.integer({ min: 0, max: 12_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("move"),
      by: fc.integer({ min: -80_000, max: 80_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "move", by: 3_600_000 * 1_024 }) },
) as fc.Arbitrary<Step>;

type Step =
  | { do: "call" | "ask"; key: number; units: number }
  | { do: "end"; which: number; ran: boolean }
  | { do: "move"; by: number };

interface Setting {
  limit: number;
  windowMs: number;
  weighted: boolean;
  concurrency: number | undefined;
  /** With few, the four keys take over each other's rows. */
  maxKeys: number | undefined;
  algorithm: "log" | "sub-windows" | "gcra";
}
const setting = (algorithm: Setting["algorithm"]): fc.Arbitrary<Setting> =>
  fc.record({
    limit: fc.integer({ min: 1, max: 9 }),
    windowMs: fc.integer({ min: 1, max: 40 }),
    weighted: fc.boolean(),
    concurrency: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    maxKeys: fc.constantFrom(undefined, 1, 2),
    algorithm: fc.constant(algorithm),
  });

/** Play the steps, and tell of each question what the limiter said and when. */
function play(
  { limit, windowMs, weighted, concurrency, maxKeys, algorithm }: Setting,
  steps: readonly Step[],
  judge: (oracle: Oracle, now: number, units: number, allowed: boolean, asked: boolean) => void,
): readonly Oracle[] {
  const clock = handClock();
  const provider = rateLimit({
    limit,
    windowMs,
    algorithm,
    concurrency,
    maxKeys,
    now: clock.now,
    ...(weighted && { cost: ({ args }: ToolCall) => args.units as number }),
  });
  const oracles = [0, 1, 2, 3].map(() => new Oracle(limit, windowMs, concurrency));
  const open: { call: ToolCall; oracle: Oracle; taken: Standing | undefined }[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const each of steps) {
    if (each.do === "move") {
      clock.time += each.by / 1_024;
    } else if (each.do === "end") {
      if (open.length === 0) continue;
      const [ended] = open.splice(each.which % open.length, 1) as [(typeof open)[number]];
      const ran = each.ran && ended.taken !== undefined;
      provider.settle?.(ended.call, ran ? executed : notExecuted);
      if (ended.taken === undefined) continue;
      ended.taken.open = false;
      if (!ran) ended.oracle.giveBack(ended.taken);
    } else {
      latest = Math.max(latest, clock.time);
      const units = weighted ? each.units : 1;
      const oracle = oracles[each.key] as Oracle;
      const call = toolCall(`tool-${each.key}`, { args: { units } });
      const asked = each.do === "ask";
      const answer = asked ? provider.evaluate(call) : provider.admit?.(call);
      const allowed = (answer as { decision: string }).decision === "allow";
      // Of a key that got no row nothing is known but that it was denied.
      if ((answer as { code?: string }).code !== "rate_limit_keys") {
        judge(oracle, latest, units, allowed, asked);
      }
      if (!asked)
        open.push({ call, oracle, taken: allowed ? oracle.take(latest, units) : undefined });
    }
  }
  return oracles;
}

const steps = fc.array(step, { minLength: 1, maxLength: 120, size: "max" });

describe("the log", { tags: "longer" }, () => {
  it("P14 says what the definition of the limit says, to every question", () => {
    fc.assert(
      fc.property(setting("log"), steps, (chosen, steps) => {
        play(chosen, steps, (oracle, now, units, allowed) => {
          expect(allowed).toBe(oracle.allows(now, units));
        });
      }),
      { numRuns: inject("long") ? 400 : 100 },
    );
  });

  it("P14 never admits more than the limit in any window, whatever the clock does", () => {
    fc.assert(
      fc.property(setting("log"), steps, (chosen, steps) => {
        for (const oracle of play(chosen, steps, () => {})) {
          expect(oracle.worst()).toBeLessThanOrEqual(chosen.limit);
        }
      }),
      { numRuns: inject("long") ? 200 : 50 },
    );
  });
});

describe("sub-windows", { tags: "longer" }, () => {
  it("P14 never admits more than the limit in any window, whatever the clock does", () => {
    fc.assert(
      fc.property(setting("sub-windows"), steps, (chosen, steps) => {
        for (const oracle of play(chosen, steps, () => {})) {
          expect(oracle.worst()).toBeLessThanOrEqual(chosen.limit);
        }
      }),
      { numRuns: inject("long") ? 400 : 100 },
    );
  });

  it("denies only what a window longer by lateMs would deny", () => {
    fc.assert(
      fc.property(setting("sub-windows"), steps, (chosen, steps) => {
        const { limit, windowMs, algorithm } = chosen;
        const lateMs = rateLimit({ limit, windowMs, algorithm }).limits[0]?.lateMs as number;
        play(chosen, steps, (oracle, now, units, allowed) => {
          if (!allowed) expect(oracle.allows(now, units, windowMs + lateMs)).toBe(false);
        });
      }),
      { numRuns: inject("long") ? 400 : 100 },
    );
  });
});

describe("gcra", { tags: "longer" }, () => {
  it("P14 never admits more than burst + limit in any window, whatever is given back when", () => {
    fc.assert(
      fc.property(setting("gcra"), steps, (chosen, steps) => {
        for (const oracle of play(chosen, steps, () => {})) {
          expect(oracle.worst()).toBeLessThanOrEqual(2 * chosen.limit);
        }
      }),
      { numRuns: inject("long") ? 400 : 100 },
    );
  });

  it("P14 keeps to its rate between any two calls that stand, whatever is given back when", () => {
    fc.assert(
      fc.property(setting("gcra"), steps, (chosen, steps) => {
        const { limit, windowMs } = chosen;
        const unitMs = Math.ceil((windowMs * 1_024) / limit) / 1_024;
        play(chosen, steps, (oracle, now, units, allowed, asked) => {
          if (!allowed || asked || units === 0) return;
          for (const { time } of oracle.standing) {
            const since = oracle.standing
              .filter((other) => other.time >= time)
              .reduce((sum, other) => sum + other.units, units);
            expect(since * unitMs).toBeLessThanOrEqual(now - time + limit * unitMs);
          }
        });
      }),
      { numRuns: inject("long") ? 400 : 100 },
    );
  });

  it("says what the virtual schedule says in whole numbers, where nothing is given back", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 4, 8),
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.record({ by: fc.nat(20_000), units: fc.integer({ min: 1, max: 3 }) }), {
          maxLength: 80,
          size: "max",
        }),
        (limit, windowMs, calls) => {
          const clock = handClock();
          const provider = rateLimit({
            limit,
            windowMs,
            algorithm: "gcra",
            cost: ({ args }) => args.units as number,
            now: clock.now,
          });
          const unit = BigInt((windowMs * 1_024) / limit);
          let arrival = 0n;
          for (const { by, units } of calls) {
            clock.time += by / 1_024;
            const now = BigInt(clock.time * 1_024);
            const next = (arrival > now ? arrival : now) + BigInt(units) * unit;
            const fits = next - now <= BigInt(limit) * unit;
            if (fits) arrival = next;
            const answer = provider.admit?.(toolCall("search", { args: { units } }));
            expect((answer as { decision: string }).decision).toBe(fits ? "allow" : "deny");
          }
        },
      ),
      { numRuns: inject("long") ? 200 : 50 },
    );
  });
});

describe("every algorithm", { tags: "longer" }, () => {
  it.each(["log", "sub-windows", "gcra"] as const)(
    "P14 denies in evaluate exactly what admit denies at that instant (%s)",
    (algorithm) => {
      fc.assert(
        fc.property(setting(algorithm), steps, (chosen, steps) => {
          const clock = handClock();
          const provider = rateLimit({
            limit: chosen.limit,
            windowMs: chosen.windowMs,
            algorithm,
            concurrency: chosen.concurrency,
            maxKeys: 2,
            now: clock.now,
          });
          for (const each of steps) {
            if (each.do === "move") clock.time += each.by / 1_024;
            if (each.do !== "call" && each.do !== "ask") continue;
            const call = toolCall(`tool-${each.key}`);
            const asked = [provider.evaluate(call), provider.evaluate(call)];
            const admitted = provider.admit?.(call);
            expect(asked).toEqual([admitted, admitted]);
            if (each.do === "call")
              provider.settle?.(call, each.units > 2 ? executed : notExecuted);
          }
        }),
        { numRuns: inject("long") ? 150 : 40 },
      );
    },
  );

  it.each(["log", "sub-windows", "gcra"] as const)(
    "allows at the time that a denial names, if nobody else came (%s)",
    (algorithm) => {
      fc.assert(
        fc.property(setting(algorithm), steps, (chosen, steps) => {
          const clock = handClock();
          const { limit, windowMs } = chosen;
          const provider = rateLimit({ limit, windowMs, algorithm, now: clock.now });
          let latest = 0;
          for (const each of steps) {
            if (each.do === "move") clock.time += Math.max(0, each.by) / 1_024;
            latest = clock.time;
            const answer = provider.admit?.(toolCall("search")) as {
              decision: string;
              metadata?: { retryAfterMs: number };
            };
            if (answer.decision === "allow") continue;
            clock.time = latest + (answer.metadata?.retryAfterMs as number);
            expect(provider.evaluate(toolCall("search"))).toEqual({ decision: "allow" });
          }
        }),
        { numRuns: inject("long") ? 100 : 25 },
      );
    },
  );
});
