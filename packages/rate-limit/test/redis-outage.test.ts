import type { ToolCall } from "@toolstile/core";
import { type RateLimitProvider, rateLimit } from "@toolstile/rate-limit";
import { type RedisStoreOptions, redisStore } from "@toolstile/rate-limit/redis";
import { fakeClock } from "@toolstile/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clients, type RedisClient } from "./redis-clients.js";
import { hasRedisServer, type OwnRedis, ownRedis } from "./redis-server.js";
import { notExecuted, toolCall } from "./tool-call.js";

const limit = { limit: 10, windowMs: 3_600_000 };

/** 25 ms on a machine that is at leisure. One that is not lets every timer be late. */
const slackMs = 250;

describe.skipIf(!hasRedisServer).each(clients)(
  "an outage, with %s (needs redis-server)",
  (_, connect) => {
    let server: OwnRedis;
    let connection: RedisClient;
    const unhandled: unknown[] = [];
    /** While there is no outage, a machine that is busy must not look like one. */
    let isOut = false;
    const clock = {
      now: () => performance.now(),
      setTimeout: (run: () => void, ms: number) => setTimeout(run, ms > 20 || isOut ? ms : 30_000),
      clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
    };
    const note = (reason: unknown): void => void unhandled.push(reason);

    beforeEach(async () => {
      isOut = false;
      process.on("unhandledRejection", note);
      server = await ownRedis();
      connection = connect(server.url);
      await connection.send("PING");
    });
    afterEach(async () => {
      connection.close();
      await server.remove();
      process.off("unhandledRejection", note);
      expect(unhandled).toEqual([]);
    });

    function provider(
      options: Partial<RedisStoreOptions> = {},
      limits: object = limit,
    ): RateLimitProvider {
      return rateLimit({
        ...limits,
        store: redisStore({ client: connection.client, clock, ...options }),
      });
    }

    /** What so many calls in a row come to, how many were let through, and the slowest. */
    async function ask(provider: RateLimitProvider, times: number) {
      const codes = new Set<string | undefined>();
      let admitted = 0;
      let slowestMs = 0;
      for (let time = 0; time < times; time++) {
        const start = performance.now();
        const answer = (await provider.admit?.(toolCall("search"))) as {
          decision: string;
          code?: string;
        };
        slowestMs = Math.max(slowestMs, performance.now() - start);
        if (answer.decision === "allow") admitted += 1;
        else codes.add(answer.code);
      }
      return { admitted, codes: [...codes], slowestMs };
    }

    /**
     * Ask until the server is heard again.
     *
     * The outage is over before the first question: the give-back of a probe that the server
     * is slow to answer would be a late answer, and so an outage to the test that goes on.
     */
    async function recovered(provider: RateLimitProvider): Promise<void> {
      isOut = false;
      const probe = toolCall("probe");
      for (;;) {
        const answer = (await provider.admit?.(probe)) as { decision: string; code?: string };
        await provider.settle?.(probe, notExecuted);
        if (answer.code !== "rate_limit_store") break;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }

    const outages: readonly (readonly [string, () => Promise<void> | void])[] = [
      ["is killed", () => server.kill()],
      ["is stopped", () => server.signal("SIGSTOP")],
      ["is slow", () => void connection.send("DEBUG", "SLEEP", "0.5").catch(() => {})],
      [
        "has become a replica that nobody may write to",
        async () => void (await connection.send("REPLICAOF", "127.0.0.1", "1")),
      ],
      [
        "is loading",
        async () => {
          await connection.send("DEBUG", "POPULATE", "300", "filler", "200");
          await connection.send("SAVE");
          await server.kill();
          const slow = [
            "--key-load-delay",
            "10000",
            "--loading-process-events-interval-bytes",
            "1024",
          ];
          await server.start(...slow);
        },
      ],
    ];

    it.each(outages)("P14 denies within 25 ms when the server %s", async (_, break_) => {
      const limiter = provider();
      expect(await ask(limiter, 4)).toMatchObject({ admitted: 4 });
      await break_();
      isOut = true;
      const { admitted, codes, slowestMs } = await ask(limiter, 30);
      expect({ admitted, codes }).toEqual({ admitted: 0, codes: ["rate_limit_store"] });
      expect(slowestMs).toBeLessThan(slackMs);
      server.signal("SIGCONT");
    });

    it("P14 decides when four fifths of 25 ms are over by its clock, and not before, though nobody answers", async () => {
      const still = fakeClock();
      const limiter = provider({ clock: still });
      expect(await ask(limiter, 4)).toMatchObject({ admitted: 4 });
      server.signal("SIGSTOP");
      const answer = Promise.resolve(limiter.admit?.(toolCall("search")));
      const decided = answer.then(() => "decided");
      const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      await turn();
      still.advance(19.9);
      expect(await Promise.race([decided, turn().then(() => "undecided")])).toBe("undecided");
      still.advance(0.1);
      expect(await answer).toMatchObject({ decision: "deny", code: "rate_limit_store" });
      server.signal("SIGCONT");
    });

    it.each(outages)(
      "P14 lets through no more than its share when the server %s, and counts what it had",
      async (_, break_) => {
        const limiter = provider({ onOutage: { localShare: 2 } });
        expect(limiter.limits[0]).toMatchObject({ bound: 10, outageBound: 15 });
        expect(await ask(limiter, 3)).toMatchObject({ admitted: 3 });
        await break_();
        isOut = true;
        // A share is 5, of which 3 are used.
        const { admitted, codes, slowestMs } = await ask(limiter, 30);
        expect({ admitted, codes }).toEqual({ admitted: 2, codes: ["rate_limit"] });
        expect(slowestMs).toBeLessThan(slackMs);
        server.signal("SIGCONT");
      },
    );

    it("P14 gives back what was granted after it was denied, and takes up where it was", async () => {
      const limiter = provider();
      expect(await ask(limiter, 4)).toMatchObject({ admitted: 4 });
      server.signal("SIGSTOP");
      isOut = true;
      expect(await ask(limiter, 20)).toMatchObject({ admitted: 0 });
      server.signal("SIGCONT");
      await recovered(limiter);
      // The late grants went back before the probe's answer was asked for on the same connection.
      await connection.send("PING");
      expect(await ask(limiter, 20)).toEqual({
        admitted: 6,
        codes: ["rate_limit"],
        slowestMs: expect.any(Number),
      });
    });

    it("P14 tells the server what it let through meanwhile, so that an outage of one process adds nothing", async () => {
      const limiter = provider({ onOutage: { localShare: 1 } });
      expect(limiter.limits[0]).toMatchObject({ bound: 10, outageBound: 10 });
      expect(await ask(limiter, 3)).toMatchObject({ admitted: 3 });
      server.signal("SIGSTOP");
      isOut = true;
      expect(await ask(limiter, 4)).toMatchObject({ admitted: 4 });
      server.signal("SIGCONT");
      await connection.send("PING");
      isOut = false;
      expect((await ask(limiter, 40)).admitted).toBe(3);
      const other = provider({ onOutage: { localShare: 1 } });
      expect((await ask(other, 5)).admitted).toBe(0);
    });

    const losses: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["was flushed", () => connection.send("FLUSHALL")],
      [
        "was started anew with nothing in it",
        async () => {
          await server.kill();
          await server.start();
          await connection.send("PING");
        },
      ],
    ];

    it.each(losses)("P14 grants no fresh window when the server %s", async (_, lose) => {
      const limiter = provider();
      expect(await ask(limiter, 20)).toMatchObject({ admitted: 10 });
      await lose();
      expect(await ask(limiter, 20)).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
      // Nor to a process that knows nothing of it.
      expect(await ask(provider(), 20)).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
    });

    it("P14 notices that the server began anew, also when it has written more since than it had", async () => {
      const limiter = provider();
      await ask(limiter, 2);
      await connection.send("FLUSHALL");
      await ask(provider(), 5);
      for (const each of [limiter, provider()]) {
        expect(await ask(each, 5)).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
      }
    });

    it("P14 notices that the server went back to an older state", async () => {
      const limiter = provider();
      await ask(limiter, 3);
      const dumped = await connection.run(
        "local all = {} for _, k in ipairs(redis.call('KEYS', '*')) do if redis.call('TYPE', k).ok == 'hash' then all[#all+1] = k all[#all+1] = cjson.encode(redis.call('HGETALL', k)) end end return all",
        [],
        [],
      );
      await ask(limiter, 7);
      await connection.run(
        "for i = 1, #ARGV, 2 do redis.call('HSET', ARGV[i], unpack(cjson.decode(ARGV[i + 1]))) end return 1",
        [],
        dumped as string[],
      );
      expect(await ask(limiter, 5)).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
    });

    it("counts on as before when only the scripts were flushed", async () => {
      const limiter = provider();
      await ask(limiter, 4);
      await connection.send("SCRIPT", "FLUSH");
      expect(await ask(limiter, 20)).toMatchObject({ admitted: 6, codes: ["rate_limit"] });
    });

    it("P14 denies when there is no server at the start, and counts once there is", async () => {
      await server.kill();
      isOut = true;
      connection.close();
      connection = connect(server.url);
      const limiter = provider();
      const first = await ask(limiter, 10);
      expect(first).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
      expect(first.slowestMs).toBeLessThan(800 + slackMs);
      const second = await ask(limiter, 10);
      expect(second).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
      expect(second.slowestMs).toBeLessThan(slackMs);
      await server.start();
      await recovered(limiter);
      expect(await ask(limiter, 20)).toMatchObject({ admitted: 10, codes: ["rate_limit"] });
    });

    it("P17 sends next to nothing to a server that does not answer", async () => {
      let sent = 0;
      const { client } = connection;
      const counting = new Proxy(client as object, {
        get: (target, name) => {
          const member = Reflect.get(target, name) as unknown;
          if (typeof member !== "function") return member;
          return (...args: unknown[]) => {
            sent += 1;
            return member.apply(target, args) as unknown;
          };
        },
      }) as RedisStoreOptions["client"];
      const limiter = provider({ client: counting });
      await ask(limiter, 1);
      server.signal("SIGSTOP");
      isOut = true;
      sent = 0;
      await ask(limiter, 5_000);
      expect(sent).toBeLessThan(20);
      server.signal("SIGCONT");
    });

    it("P14 frees the places of a process that crashed when their lease is over, and of no other", async () => {
      const options = { leaseMs: 1_000 };
      const alive = provider(options, { concurrency: 2 });
      // Its renewals stop as if it were gone: its clock stands still.
      const gone = rateLimit({
        concurrency: 2,
        store: redisStore({
          client: connection.client,
          leaseMs: 1_000,
          clock: { now: () => 0, setTimeout: () => undefined, clearTimeout: () => {} },
        }),
      });
      const held: ToolCall = toolCall("search");
      expect(await gone.admit?.(toolCall("search"))).toMatchObject({ decision: "allow" });
      expect(await alive.admit?.(held)).toMatchObject({ decision: "allow" });
      let answer: { decision: string; code?: string } | undefined;
      const start = performance.now();
      do {
        answer = (await alive.admit?.(toolCall("search"))) as typeof answer;
      } while (answer?.decision !== "allow");
      expect(performance.now() - start).toBeGreaterThan(500);
      // The one that is alive keeps its first place beyond the lease.
      while (performance.now() - start < 1_400) {
        expect(await alive.admit?.(toolCall("search"))).toMatchObject({ decision: "deny" });
      }
    });
  },
);
