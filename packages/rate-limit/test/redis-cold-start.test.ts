import { rateLimit } from "@toolstile/rate-limit";
import { redisStore } from "@toolstile/rate-limit/redis";
import { fakeClock } from "@toolstile/testing";
import { afterAll, describe, expect, it } from "vitest";
import { clients } from "./redis-clients.js";
import { ownPrefix, removeAll, someRedis } from "./redis-server.js";
import { toolCall } from "./tool-call.js";

const server = await someRedis();
afterAll(() => server?.remove());

describe.skipIf(server === undefined).each(clients)(
  "a cold start with %s (needs redis-server)",
  (_, connect) => {
    it("admits the first calls, made before there is a connection", async () => {
      const connection = connect(server?.url ?? "");
      const prefix = ownPrefix();
      await connection.send("SCRIPT", "FLUSH");
      const cold = connect(server?.url ?? "");
      const store = redisStore({ client: cold.client, prefix, firstTimeoutMs: 60_000 });
      const limiter = rateLimit({ limit: 20, windowMs: 3_600_000, store });
      const calls = Array.from({ length: 20 }, () => limiter.admit?.(toolCall("search")));
      const verdicts = await Promise.all(calls);
      expect(verdicts.filter((verdict) => verdict?.decision === "allow")).toHaveLength(20);
      await removeAll(connection, prefix);
      connection.close();
      cold.close();
    });
  },
);

describe("the first answer", () => {
  /** A server whose answers come when the test says so. */
  function slowServer() {
    const waiting: ((answer: unknown) => void)[] = [];
    const ask = () => new Promise((resolve) => waiting.push(resolve));
    return {
      client: { evalsha: ask, eval: ask },
      answer: () => {
        for (const resolve of waiting.splice(0)) resolve(["g", "1", "1", "granted"]);
      },
    };
  }
  const moment = () => new Promise((resolve) => setImmediate(resolve));

  it("is waited for longer, and later ones are not", async () => {
    const clock = fakeClock();
    const { client, answer } = slowServer();
    const store = redisStore({ client, clock, timeoutMs: 25, firstTimeoutMs: 1_000 });
    const limiter = rateLimit({ limit: 10, windowMs: 1_000, store });
    const first = limiter.admit?.(toolCall("search"));
    clock.advance(799);
    await moment();
    answer();
    expect(await first).toMatchObject({ decision: "allow" });
    const second = limiter.admit?.(toolCall("search"));
    clock.advance(20);
    expect(await second).toMatchObject({ decision: "deny", code: "rate_limit_store" });
  });

  it("is waited for once, not by each call anew", async () => {
    const clock = fakeClock();
    const { client } = slowServer();
    const store = redisStore({ client, clock, timeoutMs: 25, firstTimeoutMs: 1_000 });
    const limiter = rateLimit({ limit: 10, windowMs: 1_000, store });
    const first = limiter.admit?.(toolCall("search"));
    clock.advance(700);
    const second = limiter.admit?.(toolCall("search"));
    clock.advance(100);
    for (const verdict of [first, second]) {
      expect(await verdict).toMatchObject({ code: "rate_limit_store" });
    }
    expect(await limiter.admit?.(toolCall("search"))).toMatchObject({ code: "rate_limit_store" });
    expect(clock.waiting()).toBe(0);
  });
});
