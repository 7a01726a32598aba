import { ToolRunner } from "@toolstile/core";
import { type RateLimitOptions, rateLimit } from "@toolstile/rate-limit";
import { redisStore } from "@toolstile/rate-limit/redis";
import { call, testProvider } from "@toolstile/testing";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { clients, type RedisClient } from "./redis-clients.js";
import { ownPrefix, removeAll, someRedis } from "./redis-server.js";
import { executed, notExecuted, toolCall, unknown } from "./tool-call.js";

const server = await someRedis();
afterAll(() => server?.remove());

describe.skipIf(server === undefined).each(clients)(
  "redisStore with %s (needs redis-server)",
  (_, connect) => {
    let connection: RedisClient;
    let prefix: string;
    beforeEach(async () => {
      connection = connect(server?.url ?? "");
      prefix = ownPrefix();
      await connection.send("PING");
    });
    afterEach(async () => {
      await removeAll(connection, prefix);
      connection.close();
    });

    // A machine that is busy is no outage here.
    const open = (options: Omit<RateLimitOptions, "store">, more: object = {}) =>
      rateLimit({
        ...options,
        store: redisStore({ client: connection.client, prefix, timeoutMs: 10_000, ...more }),
      });
    const admitted = async (
      provider: ReturnType<typeof rateLimit>,
      times = 30,
    ): Promise<number> => {
      const answers = Array.from({ length: times }, () => provider.admit?.(toolCall("search")));
      return (await Promise.all(answers)).filter((answer) => answer?.decision === "allow").length;
    };

    it.each(["log", "sub-windows", "gcra"] as const)(
      "P14 admits the limit and no call more to many at once, over two limiters (%s)",
      async (algorithm) => {
        const options = { limit: 10, windowMs: 3_600_000, algorithm };
        const counts = await Promise.all([admitted(open(options)), admitted(open(options))]);
        expect(counts[0] + counts[1]).toBe(10);
      },
    );

    it.each(["log", "sub-windows", "gcra"] as const)(
      "P14 gives back, once, what a call took whose tool did not run, and keeps the rest (%s)",
      async (algorithm) => {
        const provider = open({ limit: 4, windowMs: 3_600_000, algorithm, cost: 2 });
        const [first, second] = [toolCall("search"), toolCall("search")];
        await provider.admit?.(first);
        await provider.admit?.(second);
        for (let time = 0; time < 3; time++) await provider.settle?.(first, notExecuted);
        await provider.settle?.(second, unknown);
        expect(await admitted(provider)).toBe(1);
      },
    );

    it("P14 takes nothing for a call that is asked about, or denied elsewhere", async () => {
      const limiter = open({ limit: 1, windowMs: 3_600_000 });
      for (let time = 0; time < 5; time++) {
        expect(await limiter.evaluate(toolCall("search"))).toEqual({ decision: "allow" });
      }
      const runner = new ToolRunner({
        tools: [{ name: "search", execute: () => "found" }],
        guardrails: [
          limiter,
          {
            name: "never",
            evaluate: () => ({ decision: "allow" }),
            admit: () => ({ decision: "deny", reason: "not today" }),
          },
        ],
      });
      for (let time = 0; time < 3; time++) {
        expect(await runner.run({ name: "search" })).toMatchObject({ decidedBy: "never" });
      }
      expect(await admitted(limiter)).toBe(1);
      expect(await limiter.evaluate(toolCall("search"))).toMatchObject({ code: "rate_limit" });
    });

    it("P14 takes from several limits or from none, and says which denied and for how long", async () => {
      const limits = [
        { limit: 5, windowMs: 3_600_000 },
        { limit: 2, windowMs: 86_400_000, algorithm: "sub-windows" as const },
      ];
      const provider = open({ limits });
      expect(await admitted(provider)).toBe(2);
      expect(await provider.admit?.(toolCall("search"))).toMatchObject({
        code: "rate_limit",
        metadata: { limit: 2, windowMs: 86_400_000 },
      });
      const first = open({ limits: limits.slice(0, 1) });
      expect(await admitted(first)).toBe(5);
    });

    it("P14 counts a budget for each session and for the day, over processes", async () => {
      const options = { limit: 3, windowMs: 86_400_000, key: "session" } as const;
      const [one, other] = [open(options), open(options)];
      const ask = async (provider: typeof one, sessionId: string): Promise<string | undefined> =>
        (await provider.admit?.(toolCall("search", { context: { sessionId } })))?.decision;
      for (let time = 0; time < 3; time++) expect(await ask(one, "a")).toBe("allow");
      expect(await ask(other, "a")).toBe("deny");
      expect(await ask(other, "b")).toBe("allow");
    });

    it("P14 frees a place when its call has ended, however it ended", async () => {
      const provider = open({ concurrency: 2 });
      for (const outcome of [executed, notExecuted, unknown]) {
        const calls = [toolCall("search"), toolCall("search")];
        for (const call of calls) {
          expect(await provider.admit?.(call)).toEqual({ decision: "allow" });
        }
        expect(await provider.admit?.(toolCall("search"))).toMatchObject({ code: "concurrency" });
        for (const call of calls) await provider.settle?.(call, outcome);
      }
    });

    it("P17 names nobody on the server, keeps a call in one slot, and leaves nothing that does not expire", async () => {
      const provider = open({
        limits: [
          { limit: 3, windowMs: 60_000 },
          { limit: 3, windowMs: 60_000, algorithm: "gcra" },
        ],
        key: "principal",
        concurrency: 2,
      });
      await provider.admit?.(toolCall("search", { context: { principal: "ada@example.org" } }));
      const names = (await connection.send("KEYS", `${prefix}*`)) as string[];
      expect(names.length).toBe(5);
      const tags = names.map((name) => /\{(.+)\}/.exec(name)?.[1]);
      expect(new Set(tags).size).toBe(1);
      expect(names.join()).not.toContain("ada");
      for (const name of names) {
        expect(Number(await connection.send("PTTL", name))).toBeGreaterThan(0);
      }
    });

    it("P1 denies when what is on the server is no count of its own", async () => {
      const provider = open({ limit: 3, windowMs: 60_000 });
      await provider.admit?.(toolCall("search"));
      const names = (await connection.send("KEYS", `${prefix}*:key:*`)) as string[];
      for (const name of names) await connection.send("SET", name, "of another");
      expect(await provider.admit?.(toolCall("search"))).toMatchObject({
        code: "rate_limit_store",
        reason:
          "rate limit of tool 'search' cannot be checked now: its store cannot tell; try again later",
      });
    });
  },
);

describe("redisStore", () => {
  const client = { evalsha: async () => "nonsense", eval: async () => "nonsense" };

  testProvider(
    it,
    () => rateLimit({ limit: 10, windowMs: 60_000, store: redisStore({ client }) }),
    { denied: [call({ query: "spring tide" })] },
  );

  it("P3 denies at once, and ends no process, where an answer holds what has no text", async () => {
    const answer = async () => ["1", "1", "1", Object.create(null)];
    const store = redisStore({ client: { evalsha: answer, eval: answer }, timeoutMs: 60_000 });
    const provider = rateLimit({ limit: 10, windowMs: 60_000, store });
    const denial = { decision: "deny", code: "rate_limit_store" };
    expect(await provider.evaluate?.(toolCall("search"))).toMatchObject(denial);
    expect(await provider.admit?.(toolCall("search"))).toMatchObject(denial);
  });

  it.each<[string, unknown, string]>([
    ["no client", {}, "'client' must be a client of ioredis or of node-redis"],
    [
      "a client of something else",
      { client: { get: () => "" } },
      "'client' must be a client of ioredis or of node-redis",
    ],
    ["a prefix with braces", { client, prefix: "{a}" }, "prefix"],
    [
      "no time at all",
      { client, timeoutMs: 1 },
      "'timeoutMs' must be a whole number from 5 to 60000, received 1.",
    ],
    ["a short lease", { client, leaseMs: 10 }, "'leaseMs' must be a whole number from 1000"],
    ["letting all through in an outage", { client, onOutage: "allow" }, "onOutage"],
    ["a share of no process", { client, onOutage: { localShare: 0 } }, "localShare"],
    ["a slip", { client, onOutages: "deny" }, "onOutage"],
  ])("P5 refuses %s", (_, options, message) => {
    expect(() => redisStore(options as never)).toThrow(message);
  });
});
