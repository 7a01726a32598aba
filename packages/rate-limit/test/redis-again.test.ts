import type { ToolCall } from "@toolstile/core";
import { type RateLimitOptions, rateLimit } from "@toolstile/rate-limit";
import { type IoredisClient, redisStore } from "@toolstile/rate-limit/redis";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownPrefix, someRedis } from "./redis-server.js";
import { setServerTime, timed } from "./redis-time.js";
import { notExecuted, toolCall } from "./tool-call.js";

const server = await someRedis();
const algorithms = ["log", "sub-windows", "gcra"] as const;
const windowMs = 1_000_000;
type Question = readonly [script: string, keys: number, ...string[]];

describe.skipIf(server === undefined)(
  "what the server remembers of grants (needs redis-server)",
  () => {
    let redis: Redis;
    let prefix: string;
    let questions: Question[];
    let isTwice: boolean;
    let now: number;

    beforeEach(async () => {
      redis = new Redis(server?.url ?? "");
      prefix = ownPrefix();
      questions = [];
      isTwice = false;
      now = 0;
      await pass(1_000_000);
    });
    afterEach(async () => {
      const left = await redis.keys(`${prefix}*`);
      if (left.length > 0) await redis.del(...left);
      redis.disconnect();
    });
    afterAll(() => server?.remove());

    async function pass(ms: number): Promise<void> {
      now += ms;
      await setServerTime(redis, `${prefix}:time`, now);
    }

    function open(options: RateLimitOptions) {
      const once = timed(redis, `${prefix}:time`);
      const client: IoredisClient = {
        evalsha: once.evalsha,
        eval: async (...question) => {
          questions.push(question);
          if (isTwice) await once.eval(...question);
          return once.eval(...question);
        },
      };
      const cost = ({ args }: ToolCall): number => (args.units as number | undefined) ?? 1;
      const provider = rateLimit({
        ...options,
        cost,
        store: redisStore({ client, prefix, timeoutMs: 60_000 }),
      });
      const isAdmitted = async (call: ToolCall = toolCall("search")): Promise<boolean> =>
        (await provider.admit?.(call))?.decision === "allow";
      const admitted = async (times: number): Promise<number> => {
        const answers = await Promise.all(Array.from({ length: times }, () => isAdmitted()));
        return answers.filter(Boolean).length;
      };
      const giveBack = async (call: ToolCall): Promise<void> =>
        provider.settle?.(call, notExecuted);
      return { again: once.eval, isAdmitted, admitted, giveBack };
    }

    async function stateFields(): Promise<number> {
      const names = await redis.keys(`${prefix}:{*}:key:*`);
      return redis.hlen(names.find((name) => /:key:[0-9a-f]+$/.test(name)) ?? "");
    }

    it.each(algorithms)(
      "P14 takes nothing for a reserve that arrives after its end (%s)",
      async (algorithm) => {
        const { again, isAdmitted, giveBack } = open({
          limit: 1,
          windowMs,
          algorithm,
          concurrency: 1,
        });
        const call = toolCall("search");
        expect(await isAdmitted(call)).toBe(true);
        await giveBack(call);
        for (const question of questions.splice(0)) await again(...question);
        expect(await isAdmitted()).toBe(true);
        expect(await isAdmitted()).toBe(false);
      },
    );

    it.each(algorithms)(
      "P14 gives nothing back of counts that the call is not in (%s)",
      async (algorithm) => {
        const { isAdmitted, admitted, giveBack } = open({ limit: 3, windowMs, algorithm });
        const call = toolCall("search");
        expect(await isAdmitted(call)).toBe(true);
        // As if they had expired: what says that they must be there is gone as well.
        await redis.del(...(await redis.keys(`${prefix}:{*}:key:*`)));
        await redis.del(...(await redis.keys(`${prefix}:{*}:counted`)));
        for (const marker of await redis.keys(`${prefix}:{*}:marker`)) {
          await redis.hset(marker, "counted", 0);
        }
        expect(await admitted(10)).toBe(3);
        await giveBack(call);
        expect(await admitted(10)).toBe(0);
      },
    );

    it("P14 counts a reserve that arrived twice in its window and no longer, while calls go on (log)", async () => {
      const { isAdmitted, admitted } = open({ limit: 10, windowMs });
      // Six calls in a window, so that the log is never empty.
      for (let step = 0; step < 60; step++) {
        isTwice = step % 5 === 0 && step < 30;
        expect(await isAdmitted()).toBe(true);
        await pass(windowMs / 6);
      }
      expect(await admitted(20)).toBe(5);
    });

    it("P14 tells the server once of what was let through without it, when that arrives twice", async () => {
      const limits = algorithms.map((algorithm) => ({ limit: 10, windowMs, algorithm }));
      const { again, admitted } = open({ limits });
      expect(await admitted(1)).toBe(1);
      const [script, keys, ...rest] = questions[0] as Question;
      const question = rest.map((each, index) => (index === keys + 2 ? "another:1" : each));
      // The place of the debt among the arguments.
      question[keys + 7] = "4";
      for (let time = 0; time < 3; time++) await again(script, keys, ...question);
      expect(await admitted(20)).toBe(4);
    });

    it.each(algorithms)(
      "P17 remembers no more grants of a key than a few times its limit, however many there were (%s)",
      async (algorithm) => {
        const { isAdmitted } = open({ limit: 10, windowMs, algorithm });
        for (let step = 0; step < 200; step++) {
          expect(await isAdmitted()).toBe(true);
          await pass(windowMs / 5);
        }
        expect(await stateFields()).toBeLessThanOrEqual(2 * 10 + 17);
      },
    );

    it("P14 gives back what the newest thousand grants took, remembers no more than two thousand, and gives none too much", async () => {
      const { isAdmitted, admitted, giveBack } = open({
        limit: 3_000,
        windowMs,
        algorithm: "sub-windows",
      });
      const calls = Array.from({ length: 2_500 }, () => toolCall("search"));
      for (let first = 0; first < calls.length; first += 100) {
        // Of grants of one instant none is the newest.
        await pass(1);
        const answers = await Promise.all(calls.slice(first, first + 100).map(isAdmitted));
        expect(answers.every(Boolean)).toBe(true);
      }
      expect(await stateFields()).toBeLessThanOrEqual(2_017);
      await giveBack(calls[0] as ToolCall);
      await giveBack(calls[1_500] as ToolCall);
      await giveBack(calls[2_499] as ToolCall);
      expect(await isAdmitted(toolCall("search", { args: { units: 503 } }))).toBe(false);
      expect(await isAdmitted(toolCall("search", { args: { units: 502 } }))).toBe(true);
      expect(await admitted(3)).toBe(0);
    });
  },
);
