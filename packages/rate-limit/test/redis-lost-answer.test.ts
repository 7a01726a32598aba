import { type RateLimitOptions, type RateLimitProvider, rateLimit } from "@toolstile/rate-limit";
import { redisStore } from "@toolstile/rate-limit/redis";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LosingProxy, losingProxy } from "./losing-proxy.js";
import { clients, type RedisClient } from "./redis-clients.js";
import { ownPrefix, removeAll, someRedis } from "./redis-server.js";
import { executed, notExecuted, toolCall } from "./tool-call.js";

const server = await someRedis();
afterAll(() => server?.remove());

const algorithms = ["log", "sub-windows", "gcra"] as const;
/** No unit is paid off or forgotten while a test runs. */
const windowMs = 86_400_000;

describe.skipIf(server === undefined).each(clients)(
  "an answer that is lost with its connection, with %s (needs redis-server)",
  (library, connect) => {
    // By their defaults this one asks again when it is connected again, and the other gives up.
    const asksAgain = library === "ioredis";
    let proxy: LosingProxy;
    let connection: RedisClient;
    let prefix: string;

    beforeEach(async () => {
      prefix = ownPrefix();
      proxy = await losingProxy(server?.url ?? "");
      connection = connect(proxy.url);
      await connection.send("PING");
    });
    afterEach(async () => {
      connection.close();
      await proxy.close();
      const direct = connect(server?.url ?? "");
      await removeAll(direct, prefix);
      direct.close();
    });

    async function open(options: RateLimitOptions, more: object = {}): Promise<RateLimitProvider> {
      const { client } = connection;
      const store = redisStore({ client, prefix, timeoutMs: 60_000, ...more });
      const provider = rateLimit({ ...options, store });
      // The server has the scripts from here on, so that each is sent once.
      const first = toolCall("first");
      await provider.admit?.(first);
      await provider.settle?.(first, notExecuted);
      return provider;
    }

    async function admitted(provider: RateLimitProvider, times: number): Promise<number> {
      let count = 0;
      for (let time = 0; time < times; time++) {
        if ((await provider.admit?.(toolCall("search")))?.decision === "allow") count += 1;
      }
      return count;
    }

    it.each(algorithms)(
      "P14 gives back once when nobody heard that it did (%s)",
      async (algorithm) => {
        const provider = await open({ limit: 8, windowMs, algorithm });
        expect(await admitted(provider, 6)).toBe(6);
        for (let round = 1; round <= 3; round++) {
          const call = toolCall("search");
          expect(await provider.admit?.(call)).toEqual({ decision: "allow" });
          proxy.loseAnswerTo("give back");
          await provider.settle?.(call, notExecuted);
          expect(proxy.lost()).toBe(round);
        }
        expect(await admitted(provider, 20)).toBe(2);
      },
    );

    it.each(algorithms)("P14 takes once when nobody heard that it did (%s)", async (algorithm) => {
      const provider = await open({ limit: 8, windowMs, algorithm, cost: 2 });
      expect(await admitted(provider, 2)).toBe(2);
      proxy.loseAnswerTo("reserve");
      expect(await admitted(provider, 1)).toBe(asksAgain ? 1 : 0);
      expect(proxy.lost()).toBe(1);
      expect(await admitted(provider, 20)).toBe(1);
    });

    it("P14 takes the last unit and the last place once, and lets their call run", async () => {
      const limits = algorithms.map((algorithm) => ({ limit: 1, windowMs, algorithm }));
      const provider = await open({ limits, concurrency: 1 });
      const call = toolCall("search");
      proxy.loseAnswerTo("reserve");
      const answer = await provider.admit?.(call);
      expect(answer?.decision).toBe(asksAgain ? "allow" : "deny");
      expect(await admitted(provider, 3)).toBe(0);
      await provider.settle?.(call, notExecuted);
      expect(await admitted(provider, 3)).toBe(asksAgain ? 1 : 0);
    });

    it("P14 frees one place when nobody heard that it did", async () => {
      const provider = await open({ concurrency: 3 });
      const calls = [toolCall("search"), toolCall("search"), toolCall("search")];
      for (const call of calls) {
        expect(await provider.admit?.(call)).toEqual({ decision: "allow" });
      }
      proxy.loseAnswerTo("commit");
      await provider.settle?.(calls[0] as (typeof calls)[number], executed);
      expect(proxy.lost()).toBe(1);
      expect(await admitted(provider, 5)).toBe(1);
    });

    it("P14 holds one place for a call whose place it renewed unheard", async () => {
      const renewals: (() => void)[] = [];
      const leaseMs = 777_000;
      const clock = {
        now: () => performance.now(),
        setTimeout: (run: () => void, ms: number) => {
          if (ms === leaseMs / 3) renewals.push(run);
          return ms === leaseMs / 3 ? undefined : setTimeout(run, ms);
        },
        clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
      };
      const provider = await open({ concurrency: 3 }, { leaseMs, clock });
      const call = toolCall("search");
      expect(await provider.admit?.(call)).toEqual({ decision: "allow" });
      proxy.loseAnswerTo(`${leaseMs}000`);
      renewals.at(-1)?.();
      // Sent after the renewal, and so answered after it.
      await connection.send("PING").catch(() => {});
      expect(proxy.lost()).toBe(1);
      expect(await admitted(provider, 5)).toBe(2);
      await provider.settle?.(call, executed);
      expect(await admitted(provider, 5)).toBe(1);
    });
  },
);
