import { type RateLimitOptions, rateLimit } from "@toolstile/rate-limit";
import { heapUsed } from "@toolstile/testing/heap";
import { describe, expect, it } from "vitest";
import { handClock, toolCall } from "./tool-call.js";

const context = { sessionId: "s-hunter2", principal: "p-hunter2", tenant: "t-hunter2" };
const call = () => toolCall("search", { agentName: "a-hunter2", context });

function denialOf(options: RateLimitOptions, times: number, waitedMs = 0): unknown {
  const clock = handClock();
  const provider = rateLimit({ ...options, now: clock.now });
  for (let time = 0; time < times; time++) provider.admit?.(call());
  clock.time = waitedMs;
  return provider.evaluate(call());
}

describe("a denial", () => {
  it("says the limit and the wait, to the model in words and to the record in numbers", () => {
    expect(denialOf({ limit: 10, windowMs: 60_000 }, 10, 48_500)).toEqual({
      decision: "deny",
      reason: "rate limit reached for tool 'search': 10 calls per 60 s; try again in 12 s",
      code: "rate_limit",
      metadata: { limit: 10, windowMs: 60_000, retryAfterMs: 12_000, algorithm: "log" },
    });
  });

  it.each<[RateLimitOptions, number, string]>([
    [
      { limit: 1, windowMs: 1_000, key: "session" },
      1,
      "rate limit reached for this session: 1 call per 1 s; try again in 1 s",
    ],
    [
      { limit: 1, windowMs: 250, key: ["tool", "principal"] },
      1,
      "rate limit reached for tool 'search', this principal: 1 call per 250 ms; try again in 250 ms",
    ],
    [
      { limit: 1, windowMs: 86_400_000, key: () => "hunter2" },
      1,
      "rate limit reached for tool 'search': 1 call per 24 h; try again in 24 h",
    ],
    [
      { limit: 9, windowMs: 600_000, cost: () => 5, key: "tenant" },
      1,
      "rate limit reached for this tenant: 9 units per 10 min; try again in 10 min",
    ],
    [
      { limit: 9, windowMs: 60_000, cost: 10 },
      0,
      "tool call 'search' costs more than its rate limit: 9 units per 60 s",
    ],
    [
      { limit: 9, windowMs: 60_000, algorithm: "gcra", burst: 2, cost: 3 },
      0,
      "tool call 'search' costs more than its rate limit: 2 units at once",
    ],
    [
      { concurrency: 2, key: "agent" },
      2,
      "concurrency limit reached for this agent: 2 calls at once; try again when one has ended",
    ],
    [
      { limit: 9, windowMs: 60_000, key: () => 1 as never },
      0,
      "rate limit could not tell whose tool call 'search' is",
    ],
    [
      { limit: 9, windowMs: 60_000, cost: () => Number.NaN },
      0,
      "rate limit could not tell what tool call 'search' costs",
    ],
  ])("P2 names no key but its kind: %j", (options, times, reason) => {
    const denial = denialOf(options, times);
    expect(denial).toMatchObject({ decision: "deny", reason });
    expect(JSON.stringify(denial)).not.toContain("hunter2");
  });

  it("has the words that were given where something is reached, and the numbers all the same", () => {
    const reason = "at most a few writes in a session; ask a person";
    const limited = { limit: 1, windowMs: 31_622_400_000, key: "session", reason } as const;
    expect(denialOf(limited, 1)).toEqual({
      decision: "deny",
      reason,
      code: "rate_limit",
      metadata: {
        limit: 1,
        windowMs: 31_622_400_000,
        retryAfterMs: 31_622_400_000,
        algorithm: "log",
      },
    });
    expect(denialOf({ concurrency: 1, reason }, 1)).toMatchObject({ reason, code: "concurrency" });
    expect(denialOf({ limit: 1, windowMs: 9, cost: 2, reason }, 0)).toMatchObject({ reason });
    const noKey = denialOf({ ...limited, key: () => 7 as never }, 0);
    expect(noKey).toMatchObject({
      reason: expect.stringContaining("could not tell whose"),
      code: "rate_limit_key",
    });
  });

  it("names the one of several limits that was reached", () => {
    const limits = [
      { limit: 5, windowMs: 1_000 },
      { limit: 2, windowMs: 60_000, algorithm: "gcra" as const },
    ];
    expect(denialOf({ limits }, 2)).toMatchObject({
      metadata: { limit: 2, windowMs: 60_000, retryAfterMs: 30_000, algorithm: "gcra" },
    });
  });

  it("says of a new caller, when no more can be counted, that it is too many", () => {
    const provider = rateLimit({ limit: 1, windowMs: 1_000, maxKeys: 1, key: "session" });
    provider.admit?.(call());
    expect(provider.evaluate(toolCall("search"))).toEqual({
      decision: "deny",
      reason: "rate limit cannot count any more callers of tool 'search' now; try again later",
      code: "rate_limit_keys",
    });
  });

  it("is frozen, since it is given again", () => {
    const denial = denialOf({ limit: 1, windowMs: 1_000 }, 1) as { metadata: object };
    expect(Object.isFrozen(denial) && Object.isFrozen(denial.metadata)).toBe(true);
  });

  it("P17 keeps no name that is long, nor the text that a name was cut out of", () => {
    const provider = rateLimit({ limit: 1, windowMs: 1_000, key: () => "all", now: () => 0 });
    provider.admit?.(call());
    const before = heapUsed();
    for (let tool = 0; tool < 500; tool++) {
      const long = `${String(tool).padStart(32, "x")}${"y".repeat(50_000)}`;
      provider.evaluate(toolCall(long));
      provider.evaluate(toolCall(JSON.parse(JSON.stringify(long)).slice(0, 32)));
    }
    expect(heapUsed() - before).toBeLessThan(5_000_000);
    expect(provider.evaluate(toolCall("z".repeat(300)))).toMatchObject({
      reason: `rate limit reached for tool '${"z".repeat(64)}…': 1 call per 1 s; try again in 1 s`,
    });
  });

  it("P17 is right for each of more tools than are remembered", () => {
    const provider = rateLimit({ limit: 1, windowMs: 1_000, key: () => "all", now: () => 0 });
    provider.admit?.(call());
    for (let round = 0; round < 2; round++) {
      for (let tool = 0; tool < 3_000; tool++) {
        expect(provider.evaluate(toolCall(`tool-${tool}`))).toMatchObject({
          reason: `rate limit reached for tool 'tool-${tool}': 1 call per 1 s; try again in 1 s`,
        });
      }
    }
  });
});
