import { once } from "node:events";
import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import { type RateLimitProvider, rateLimit } from "@toolstile/rate-limit";
import { type RedisStoreOptions, redisStore } from "@toolstile/rate-limit/redis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clients, type RedisClient } from "./redis-clients.js";
import { hasRedisServer, type OwnRedis, ownRedis } from "./redis-server.js";
import { notExecuted, toolCall } from "./tool-call.js";

const limit = { limit: 10, windowMs: 3_600_000 };

/** 25 ms on a machine that is at leisure. One that is not lets every timer be late. */
const slackMs = 250;

/** An address that a failover moves from one server to another, and cuts the connections of the first. */
async function movingAddress(first: string) {
  let port = Number(new URL(first).port);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectTo(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        sockets.delete(from);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    moveTo: (url: string): void => {
      port = Number(new URL(url).port);
      cut();
    },
    remove: (): void => {
      server.close();
      cut();
    },
  };
}

const moment = () => new Promise((resolve) => setImmediate(resolve));

describe.skipIf(!hasRedisServer).each(clients)(
  "a failover to a replica, with %s (needs redis-server)",
  { tags: "long" },
  (_, connect) => {
    let primary: OwnRedis;
    let replica: OwnRedis;
    let address: Awaited<ReturnType<typeof movingAddress>>;
    let connection: RedisClient;
    let toReplica: RedisClient;
    /** While there is no outage, a machine that is busy must not look like one. */
    let isOut = false;
    const clock = {
      now: () => performance.now(),
      setTimeout: (run: () => void, ms: number) => setTimeout(run, ms > 20 || isOut ? ms : 30_000),
      clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
    };

    beforeEach(async () => {
      isOut = false;
      [primary, replica] = await Promise.all([ownRedis(), ownRedis()]);
      address = await movingAddress(primary.url);
      connection = connect(address.url);
      toReplica = connect(replica.url);
      await connection.send("CONFIG", "SET", "repl-diskless-sync-delay", "0");
      await toReplica.send("REPLICAOF", "127.0.0.1", new URL(primary.url).port);
      while (!String(await toReplica.send("INFO", "replication")).includes("link_status:up")) {
        await moment();
      }
    });
    afterEach(async () => {
      connection.close();
      toReplica.close();
      address.remove();
      await Promise.all([primary.remove(), replica.remove()]);
    });

    function provider(options: Partial<RedisStoreOptions> = {}): RateLimitProvider {
      const store = redisStore({ client: connection.client, clock, ...options });
      return rateLimit({ ...limit, store });
    }

    /** What so many calls in a row come to, how many were let through, and the slowest. */
    async function ask(provider: RateLimitProvider, times: number) {
      const codes = new Set<string | undefined>();
      let admitted = 0;
      let slowestMs = 0;
      for (let time = 0; time < times; time++) {
        const start = performance.now();
        const answer = await provider.admit?.(toolCall("search"));
        slowestMs = Math.max(slowestMs, performance.now() - start);
        if (answer?.decision === "allow") admitted += 1;
        else codes.add(answer?.code);
      }
      return { admitted, codes: [...codes], slowestMs };
    }

    /** All that the primary has written is with the replica. */
    const replicated = () => connection.send("WAIT", "1", "0");
    const promote = () => toReplica.send("REPLICAOF", "NO", "ONE");

    /** Ask about another tool until the server that answers is heard, and takes writes. */
    async function recovered(provider: RateLimitProvider): Promise<void> {
      const probe = toolCall("probe");
      // The outage is over: a give-back that a busy machine answers late must not begin another.
      isOut = false;
      for (;;) {
        const answer = await provider.admit?.(probe);
        await provider.settle?.(probe, notExecuted);
        if (answer?.code !== "rate_limit_store") return;
        await moment();
      }
    }

    it("P14 denies in time until the replica is promoted, and counts on where the primary was", async () => {
      const limiter = provider();
      expect(await ask(limiter, 4)).toMatchObject({ admitted: 4 });
      await replicated();
      isOut = true;
      await primary.kill();
      const gone = await ask(limiter, 30);
      // The address leads to the replica before that may be written to.
      address.moveTo(replica.url);
      const early = await ask(limiter, 30);
      for (const { admitted, codes, slowestMs } of [gone, early]) {
        expect({ admitted, codes }).toEqual({ admitted: 0, codes: ["rate_limit_store"] });
        expect(slowestMs).toBeLessThan(slackMs);
      }
      await promote();
      await recovered(limiter);
      expect(await ask(limiter, 20)).toMatchObject({ admitted: 6, codes: ["rate_limit"] });
      // Nor is there more for a process that knows nothing of it.
      expect(await ask(provider(), 20)).toMatchObject({ admitted: 0, codes: ["rate_limit"] });
    });

    it("P14 grants no fresh window where the replica lacks the last writes", async () => {
      const limiter = provider();
      expect(await ask(limiter, 3)).toMatchObject({ admitted: 3 });
      await replicated();
      // From here on it hears no more of the primary.
      await promote();
      expect(await ask(limiter, 5)).toMatchObject({ admitted: 5 });
      isOut = true;
      await primary.kill();
      address.moveTo(replica.url);
      for (let turn = 0; turn < 20; turn++) {
        const { admitted, codes, slowestMs } = await ask(limiter, 10);
        expect({ admitted, codes }).toEqual({ admitted: 0, codes: ["rate_limit_store"] });
        expect(slowestMs).toBeLessThan(slackMs);
        await connection.send("PING");
      }
      // What it noticed it has told the server, which tells those that come.
      expect(await ask(provider(), 20)).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
    });

    it("P14 notices a lost grant, also when others have written as often since", async () => {
      const [limiter, other] = [provider(), provider()];
      expect(await ask(other, 2)).toMatchObject({ admitted: 2 });
      await replicated();
      await promote();
      expect(await ask(limiter, 3)).toMatchObject({ admitted: 3 });
      isOut = true;
      await primary.kill();
      address.moveTo(replica.url);
      await recovered(other);
      // It has lost nothing, and gets what the replica believes to be free.
      expect(await ask(other, 3)).toMatchObject({ admitted: 3 });
      expect(await ask(limiter, 5)).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
      expect(await ask(other, 5)).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
    });

    it("P14 takes nothing while the primary has too few replicas to be believed", async () => {
      const limiter = provider();
      // A replica that is still being given the first copy counts for none.
      await connection.send("SET", "first", "1");
      await connection.send("DEL", "first");
      await replicated();
      await connection.send("CONFIG", "SET", "min-replicas-to-write", "2");
      expect(await ask(limiter, 5)).toMatchObject({ admitted: 0, codes: ["rate_limit_store"] });
      expect(await connection.send("DBSIZE")).toBe(0);
      await connection.send("CONFIG", "SET", "min-replicas-to-write", "1");
      await recovered(limiter);
      expect(await ask(limiter, 12)).toMatchObject({ admitted: 10, codes: ["rate_limit"] });
    });

    it.each([
      ["has all writes", true],
      ["lacks the last writes", false],
    ])(
      "P14 lets through no more than its share meanwhile, nor than the bound in all, where the replica %s",
      async (_, isWhole) => {
        const limiter = provider({ onOutage: { localShare: 2 } });
        expect(limiter.limits[0]).toMatchObject({ bound: 10, outageBound: 15 });
        expect(await ask(limiter, 1)).toMatchObject({ admitted: 1 });
        await replicated();
        if (!isWhole) await promote();
        expect(await ask(limiter, 2)).toMatchObject({ admitted: 2 });
        if (isWhole) await replicated();
        isOut = true;
        await primary.kill();
        // A share is 5, of which 3 are used.
        const gone = await ask(limiter, 30);
        expect(gone).toMatchObject({ admitted: 2, codes: ["rate_limit"] });
        expect(gone.slowestMs).toBeLessThan(slackMs);
        address.moveTo(replica.url);
        await promote();
        const other = provider({ onOutage: { localShare: 2 } });
        await connection.send("PING");
        let later = 0;
        for (let turn = 0; turn < 20; turn++) {
          const { admitted, slowestMs } = await ask(limiter, 10);
          expect(slowestMs).toBeLessThan(slackMs);
          later += admitted + (await ask(other, 10)).admitted;
          await connection.send("PING");
        }
        expect(3 + gone.admitted + later).toBeLessThanOrEqual(15);
      },
    );
  },
);
