import { type RateLimitOptions, rateLimit } from "@toolstile/rate-limit";
import { redisStore } from "@toolstile/rate-limit/redis";
import { Redis } from "ioredis";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { ownPrefix, someRedis } from "./redis-server.js";
import { notExecuted, toolCall } from "./tool-call.js";

const server = await someRedis();
const redis = new Redis(server?.url ?? "", { lazyConnect: true });
afterAll(async () => {
  redis.disconnect();
  await server?.remove();
});

const algorithms = ["log", "sub-windows", "gcra"] as const;
const windowMs = 3_600_000;

describe.skipIf(server === undefined)("counts that are partly gone (needs redis-server)", () => {
  let prefix = ownPrefix();
  afterEach(async () => {
    const left = await redis.keys(`${prefix}*`);
    if (left.length > 0) await redis.del(...left);
    prefix = ownPrefix();
  });

  /** Another process, which knows nothing of what the server granted. */
  const process = (options: Omit<RateLimitOptions, "store">) => {
    const store = redisStore({ client: redis, prefix, timeoutMs: 10_000 });
    const provider = rateLimit({ ...options, store, key: "principal" });
    return async (principal = "ada", times = 12) => {
      const codes = new Set<string | undefined>();
      let admitted = 0;
      for (let time = 0; time < times; time++) {
        const verdict = await provider.admit?.(toolCall("search", { context: { principal } }));
        if (verdict?.decision === "allow") admitted++;
        else codes.add(verdict?.code);
      }
      return { admitted, codes: [...codes] };
    };
  };
  const lose = async (pattern: string) => {
    const keys = await redis.keys(`${prefix}:${pattern}`);
    expect(keys.length).toBeGreaterThan(0);
    await redis.del(...keys);
  };
  const denied = { admitted: 0, codes: ["rate_limit_store"] };

  const losses: [string, string, readonly (typeof algorithms)[number][]][] = [
    ["a key's counts", `*:key:${"?".repeat(64)}`, algorithms],
    ["a key's log", "*:log:0", ["log"]],
    ["all of a key", "*:key:*", algorithms],
    ["the marker", "*:marker", algorithms],
    ["the list of what is counted", "*:counted", algorithms],
    ["marker and list", "*[rd]", algorithms],
  ];
  const cases = losses.flatMap(([name, pattern, of]) =>
    of.map((algorithm) => [name, algorithm, pattern] as const),
  );

  it.each(cases)(
    "P14 denies after it lost %s, in this process and in another (%s)",
    async (_, algorithm, pattern) => {
      const options = { limit: 10, windowMs, algorithm };
      const here = process(options);
      expect(await here()).toMatchObject({ admitted: 10, codes: ["rate_limit"] });
      await lose(pattern);
      expect(await process(options)()).toEqual(denied);
      expect(await here()).toEqual(denied);
    },
  );

  it.each(algorithms)(
    "P14 counts anew once the doubt is over, for every key (%s)",
    async (algorithm) => {
      const options = { limit: 10, windowMs, algorithm };
      await process(options)();
      await process(options)("bo");
      await lose("*:key:*");
      expect(await process(options)()).toEqual(denied);
      expect(await process(options)("bo")).toEqual(denied);
      // As long as the doubt lasts nothing is granted; then what was lost no longer counts.
      for (const marker of await redis.keys(`${prefix}*:marker`)) await redis.hdel(marker, "doubt");
      expect(await process(options)()).toMatchObject({ admitted: 10, codes: ["rate_limit"] });
      expect(await process(options)("bo")).toMatchObject({ admitted: 10 });
    },
  );

  it.each(algorithms)("doubts nothing when counts end as they should (%s)", async (algorithm) => {
    const short = { limit: 2, windowMs: 20, algorithm };
    const ask = process(short);
    let admitted = 0;
    const codes = new Set<string | undefined>();
    for (let round = 0; round < 60; round++) {
      const answer = await ask(`user-${round % 5}`, 3);
      admitted += answer.admitted;
      for (const code of answer.codes) codes.add(code);
      while ((await redis.keys(`${prefix}*:key:*`)).length > 3) await redis.ping();
    }
    expect(admitted).toBeGreaterThan(60);
    expect([...codes]).toEqual(["rate_limit"]);
  });

  it("doubts nothing when all that was taken is given back", async () => {
    const store = redisStore({ client: redis, prefix, timeoutMs: 10_000 });
    const provider = rateLimit({ limit: 2, windowMs, store });
    for (let round = 0; round < 10; round++) {
      const calls = [toolCall("search"), toolCall("search")];
      for (const call of calls)
        expect(await provider.admit?.(call)).toMatchObject({ decision: "allow" });
      for (const call of calls) await provider.settle?.(call, notExecuted);
    }
  });
});
