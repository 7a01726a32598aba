import { rateLimit } from "@toolstile/rate-limit";
import { heapUsed } from "@toolstile/testing/heap";
import { describe, expect, it } from "vitest";
import { Oracle } from "./oracle.js";
import { executed, handClock, notExecuted, toolCall } from "./tool-call.js";

const soak = process.env.TOOLSTILE_SOAK === "1";
const hostile = soak ? 1_000_000 : 60_000;

function caller(principal: string) {
  return toolCall("search", { context: { principal } });
}

describe.each(["log", "sub-windows", "gcra"] as const)(
  "a flood of keys against %s",
  { tags: "long" },
  (algorithm) => {
    it("P17 changes no verdict on the keys that were there, and memory is flat", () => {
      const clock = handClock();
      const options = { limit: 5, windowMs: 1_000, algorithm, key: "principal" as const };
      const provider = rateLimit({ ...options, maxKeys: 100, now: clock.now });
      const undisturbed = rateLimit({ ...options, now: clock.now });
      const kept = Array.from({ length: 10 }, (_, index) => `kept-${index}`);
      for (const principal of kept) {
        for (const each of [provider, undisturbed]) each.admit?.(caller(principal));
      }
      let refused = 0;
      let after = 0;
      for (let count = 0; count < hostile; count++) {
        clock.time += 0.25;
        const answer = provider.admit?.(caller(`hostile-${count}`)) as { code?: string };
        if (answer.code === "rate_limit_keys") refused += 1;
        if (count % 40 === 0) {
          const principal = kept[(count / 40) % 10] as string;
          const asked = provider.admit?.(caller(principal));
          expect(asked).toEqual(undisturbed.admit?.(caller(principal)));
        }
        if (count === hostile / 4) after = heapUsed();
      }
      // Of the 4,000 hostile keys of a window few find a row; the rest are denied.
      expect(refused).toBeGreaterThan(hostile / 2);
      expect(heapUsed() - after).toBeLessThan(2_000_000);
    });
  },
);

describe("a full house of keys", () => {
  const options = { limit: 2, windowMs: 1_000, key: "principal", maxKeys: 100 } as const;

  it("P17 grants a key nothing for having been put out: what it used stands", () => {
    const clock = handClock();
    const provider = rateLimit({ ...options, now: clock.now });
    const oracles = new Map<string, Oracle>();
    for (let count = 0; count < 20_000; count++) {
      clock.time += count % 7;
      const principal = `p-${(count * 7_919) % 331}`;
      const oracle = oracles.get(principal) ?? new Oracle(2, 1_000);
      oracles.set(principal, oracle);
      const answer = provider.admit?.(caller(principal)) as { decision: string };
      if (answer.decision === "allow") {
        expect(oracle.allows(clock.time, 1)).toBe(true);
        oracle.take(clock.time, 1);
      }
    }
  });

  it("P17 denies a new key while all are live, and takes the first that is idle", () => {
    const clock = handClock();
    const provider = rateLimit({ ...options, now: clock.now });
    for (let count = 0; count < 100; count++) provider.admit?.(caller(`p-${count}`));
    clock.time = 999;
    for (let count = 1; count < 100; count++) provider.admit?.(caller(`p-${count}`));
    expect(provider.admit?.(caller("new"))).toMatchObject({ code: "rate_limit_keys" });
    expect(provider.admit?.(caller("p-5"))).toMatchObject({ code: "rate_limit" });
    clock.time = 1_000 + 1_000 / 31;
    expect(provider.evaluate(caller("new"))).toEqual({ decision: "allow" });
    expect(provider.admit?.(caller("new"))).toEqual({ decision: "allow" });
    expect(provider.admit?.(caller("newer"))).toMatchObject({ code: "rate_limit_keys" });
  });

  it("P17 keeps the row of a key with an open call, however old its window", () => {
    const clock = handClock();
    const provider = rateLimit({ ...options, maxKeys: 1, concurrency: 1, now: clock.now });
    const open = caller("first");
    provider.admit?.(open);
    clock.time = 1_000_000;
    expect(provider.admit?.(caller("second"))).toMatchObject({ code: "rate_limit_keys" });
    expect(provider.admit?.(caller("first"))).toMatchObject({ code: "concurrency" });
    provider.settle?.(open, executed);
    expect(provider.admit?.(caller("second"))).toEqual({ decision: "allow" });
  });

  it("P17 frees the row of a key at once that was given all back", () => {
    const provider = rateLimit({ ...options, maxKeys: 1, now: () => 0 });
    for (let count = 0; count < 50; count++) {
      const call = caller(`p-${count}`);
      expect(provider.admit?.(call)).toEqual({ decision: "allow" });
      provider.settle?.(call, notExecuted);
    }
  });

  it("lets a call through that takes nothing, since it needs no row", () => {
    const provider = rateLimit({
      ...options,
      maxKeys: 1,
      cost: ({ args }) => (args.units as number | undefined) ?? 0,
      now: () => 0,
    });
    provider.admit?.(toolCall("search", { args: { units: 1 }, context: { principal: "first" } }));
    expect(provider.admit?.(caller("second"))).toEqual({ decision: "allow" });
    expect(provider.evaluate(caller("second"))).toEqual({ decision: "allow" });
  });
});

it("P17 frees the log of a key whose row another takes", { tags: "long" }, () => {
  const clock = handClock();
  const options = { limit: 256, windowMs: 1_000, key: "principal", maxKeys: 1_000 } as const;
  const provider = rateLimit({ ...options, now: clock.now });
  const fill = (name: string, calls: number): void => {
    for (let key = 0; key < 1_000; key++) {
      const context = { principal: `${name}-${key}` };
      for (let count = 0; count < calls; count++) provider.admit?.(toolCall("search", { context }));
    }
  };
  fill("busy", 256);
  const full = heapUsed();
  clock.time = 5_000;
  fill("other", 1);
  expect(full - heapUsed()).toBeGreaterThan(1_000_000);
});
