import { type RateLimitOptions, rateLimit } from "@toolstile/rate-limit";
import { type RedisStoreOptions, redisStore } from "@toolstile/rate-limit/redis";
import { Redis } from "ioredis";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { hasRedisServer, type OwnRedis, ownRedis } from "./redis-server.js";
import { setServerTime, timed } from "./redis-time.js";
import { toolCall } from "./tool-call.js";

const hour = 3_600_000;
const limit = { limit: 10, windowMs: hour };

describe.skipIf(!hasRedisServer)(
  "what processes remember of each other's server (needs redis-server)",
  () => {
    let server: OwnRedis | undefined;
    let redis: Redis;
    beforeEach(async () => {
      server ??= await ownRedis();
      redis ??= new Redis(server.url);
      await redis.flushall();
    });
    afterAll(async () => {
      redis?.disconnect();
      await server?.remove();
    });

    /** Another process, which remembers nothing yet. */
    const process = (
      storeOptions: Partial<RedisStoreOptions> = {},
      options: RateLimitOptions = limit,
    ) => {
      const store = redisStore({ client: redis, timeoutMs: 10_000, ...storeOptions });
      const provider = rateLimit({ ...options, store });
      return async (times: number) => {
        const codes = new Set<string | undefined>();
        let admitted = 0;
        for (let time = 0; time < times; time++) {
          const verdict = await provider.admit?.(toolCall("search"));
          if (verdict?.decision === "allow") admitted++;
          else codes.add(verdict?.code);
        }
        return { admitted, codes: [...codes] };
      };
    };

    it("P14 grants no fresh window on a server that is again what it was before another took its place", async () => {
      let now = 0;
      const clock = {
        now: () => now,
        setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
        clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
      };
      const at = async (ms: number) => {
        now = ms;
        await setServerTime(redis, "time", ms);
      };
      const ask = process({ client: timed(redis, "time"), clock });
      await at(hour);
      expect(await ask(1)).toMatchObject({ admitted: 1 });
      // Two windows later an empty one answers, and then the first again.
      await redis.swapdb(0, 1);
      await at(3 * hour);
      expect(await ask(12)).toEqual({ admitted: 10, codes: ["rate_limit"] });
      await redis.swapdb(0, 1);
      await at(3 * hour + 1);
      expect(await ask(12)).toEqual({ admitted: 0, codes: ["rate_limit_store"] });
      await at(4 * hour + 1);
      expect(await ask(12)).toEqual({ admitted: 10, codes: ["rate_limit"] });
    });

    it("P14 counts once for processes whose own clocks are hours apart, stand or go back", async () => {
      const system = {
        setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
        clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
      };
      let back = 9 * hour;
      const clocks = [() => 5 * hour, () => performance.now(), () => (back -= hour / 7)];
      const asks = clocks.map((now) => process({ clock: { ...system, now } }));
      let admitted = 0;
      for (let round = 0; round < 5; round++) {
        for (const ask of asks) admitted += (await ask(2)).admitted;
      }
      expect(admitted).toBe(10);
    });

    it("P14 keeps the places of a process with a long lease while one with a short lease calls", async () => {
      const places = { concurrency: 2 };
      expect(await process({ leaseMs: 60_000 }, places)(1)).toMatchObject({ admitted: 1 });
      expect(await process({ leaseMs: 1_000 }, places)(1)).toMatchObject({ admitted: 1 });
      const [open = ""] = await redis.keys("*:open");
      expect(await redis.pttl(open)).toBeGreaterThan(30_000);
      const [marker = ""] = await redis.keys("*:marker");
      expect(await redis.pttl(marker)).toBeGreaterThan(150_000);
    });

    it("P17 forgets processes of which nothing counts any more, and keeps all others", async () => {
      await process()(1);
      const [marker = ""] = await redis.keys("*:marker");
      const [seconds] = await redis.time();
      const later = (Number(seconds) + 100) * 1_000_000;
      const fields = (name: string, until: number) =>
        Array.from({ length: 600 }, (_, index) => [`by:${name}${index}`, `1 ${until}`]).flat();
      await redis.hset(marker, ...fields("gone", 1), ...fields("live", later));
      await process()(1);
      const left = (await redis.hkeys(marker)).filter((field) => field.startsWith("by:"));
      expect(left.filter((field) => field.startsWith("by:gone"))).toEqual([]);
      expect(left.length).toBe(600 + 2);
    });
  },
);
