import { rateLimit } from "@toolstile/rate-limit";
import { redisStore } from "@toolstile/rate-limit/redis";
import { fakeClock } from "@toolstile/testing";
import { heapUsed } from "@toolstile/testing/heap";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LocalShare, withShares } from "../src/redis/local-share.js";
import { handClock, toolCall } from "./tool-call.js";

function share(processes: number, maxKeys = 100) {
  const clock = handClock();
  const limits = rateLimit({ limit: 10, windowMs: 800 }).limits;
  const policy = { name: "x", limits, concurrency: Number.POSITIVE_INFINITY, weighted: true };
  return { clock, local: new LocalShare(policy, processes, maxKeys, clock.now) };
}

it("P14 lets no more than its share through in any window, with what the server granted in it", () => {
  const step = fc.record({
    by: fc.nat(300),
    units: fc.integer({ min: 1, max: 4 }),
    granted: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(step, { maxLength: 60 }),
      (processes, steps) => {
        const { clock, local } = share(processes);
        const taken: { time: number; units: number }[] = [];
        for (const { by, units, granted } of steps) {
          clock.time += by;
          if (granted) local.record("key", units);
          else if (!local.reserve("key", units).granted) continue;
          taken.push({ time: clock.time, units });
          const used = taken
            .filter(({ time }) => clock.time - time < 800)
            .reduce((sum, each) => sum + each.units, 0);
          if (!granted) expect(used).toBeLessThanOrEqual(Math.floor(10 / processes));
        }
      },
    ),
  );
});

it("P14 never exceeds the outage bound over all processes, whatever the server forgets to hear", () => {
  const step = fc.record({ by: fc.nat(60), process: fc.nat(2), out: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
      const processes = [share(3), share(3), share(3)];
      const limits = rateLimit({ limit: 10, windowMs: 800 }).limits;
      const bound = withShares(limits, 3)[0]?.outageBound as number;
      expect(bound).toBe(16);
      // An exact server, that is told of what was let through without it before it decides.
      const server: number[] = [];
      const all: number[] = [];
      let now = 0;
      for (const { by, process, out } of steps) {
        now += by;
        const { clock, local } = processes[process] as (typeof processes)[number];
        clock.time = now;
        if (out) {
          if (local.reserve("key", 1).granted) all.push(now);
        } else {
          const debt = local.takeDebt("key");
          local.told("key", debt, true);
          for (let unit = 0; unit < debt; unit++) server.push(now);
          if (server.filter((time) => now - time < 800).length < 10) {
            server.push(now);
            all.push(now);
            local.record("key", 1);
          }
        }
        expect(all.filter((time) => now - time < 800).length).toBeLessThanOrEqual(bound);
      }
    }),
    { numRuns: 300 },
  );
});

it("P17 denies keys that it had no room to count what the server granted them, for a window", () => {
  const { clock, local } = share(1, 10);
  for (let key = 0; key < 20; key++) local.record(`key-${key}`, 1);
  clock.time = 700;
  expect(local.reserve("key-3", 1)).toMatchObject({ granted: true });
  expect(local.reserve("key-15", 1)).toMatchObject({ granted: false, cause: "store" });
  clock.time = 2_000;
  expect(local.reserve("key-15", 1)).toMatchObject({ granted: true });
});

it("P17 keeps memory flat while a flood of keys is let through without the server", () => {
  const { clock, local } = share(1, 100);
  let after = 0;
  for (let key = 0; key < 60_000; key++) {
    clock.time += 1;
    local.reserve(`key-${key}`, 1);
    if (key === 20_000) after = heapUsed();
  }
  expect(heapUsed() - after).toBeLessThan(1_000_000);
});

it.each([
  ["deny", undefined],
  ["a share of nothing", { localShare: 11 }],
])("P14 denies after 20 ms, not before, when the server says nothing (%s)", async (_, onOutage) => {
  const clock = fakeClock();
  const silent = (): Promise<unknown> => new Promise(() => {});
  const store = redisStore({
    client: { evalsha: silent, eval: silent },
    onOutage,
    clock,
    firstTimeoutMs: 25,
  });
  const provider = rateLimit({ limit: 10, windowMs: 1_000, store });
  let answer: unknown;
  const admitted = Promise.resolve(provider.admit?.(toolCall("search"))).then((verdict) => {
    answer = verdict;
  });
  clock.advance(19);
  await new Promise((resolve) => setImmediate(resolve));
  expect(answer).toBeUndefined();
  clock.advance(1);
  await admitted;
  expect(answer).toMatchObject({ decision: "deny", code: "rate_limit_store" });
  // From here on nobody waits.
  expect(await provider.admit?.(toolCall("search"))).toMatchObject({ code: "rate_limit_store" });
  expect(clock.waiting()).toBe(0);
});
