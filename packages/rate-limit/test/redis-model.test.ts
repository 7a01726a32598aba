import type { ToolCall } from "@toolstile/core";
import { type RateLimitProvider, rateLimit } from "@toolstile/rate-limit";
import { type IoredisClient, redisStore } from "@toolstile/rate-limit/redis";
import { Redis } from "ioredis";
import { afterAll, afterEach, describe, expect, inject, it } from "vitest";
import { keyNames } from "../src/redis/keys.js";
import { Oracle, type Standing } from "./oracle.js";
import { ownPrefix, someRedis } from "./redis-server.js";
import { setServerTime, timed } from "./redis-time.js";
import { executed, handClock, notExecuted, toolCall } from "./tool-call.js";

const soak = process.env.TOOLSTILE_SOAK === "1";
const steps = soak ? 125_000 : inject("long") ? 400 : 100;
const server = await someRedis();
const redis = server === undefined ? undefined : new Redis(server.url);
const prefix = ownPrefix();

afterEach(async () => {
  const left = (await redis?.keys(`${prefix}*`)) ?? [];
  if (left.length > 0) await redis?.del(...left);
});
afterAll(async () => {
  redis?.disconnect();
  await server?.remove();
});

/** The same numbers each time. A linear congruential generator (Numerical Recipes). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A client that sends scripts again: at once, whose first answer is lost, and
 * some of the last that took or gave back once more when others came after.
 */
function repeating(client: IoredisClient, random: () => number): IoredisClient {
  let grants: (readonly [string, number, ...string[]])[] = [];
  const ends: (readonly [string, number, ...string[]])[] = [];
  const oneOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  return {
    evalsha: client.evalsha,
    eval: async (...question) => {
      const again = random() < 0.3 ? oneOf(random() < 0.5 ? grants : ends) : undefined;
      if (again !== undefined) await client.eval(...again);
      let answer = await client.eval(...question);
      if (random() < 0.5) answer = await client.eval(...question);
      const [, count, ...rest] = question;
      const [mode, idOfEnd] = rest.slice(count);
      if (mode === "commit" || mode === "give back") {
        ends.push(question);
        // How long an end is remembered is tested elsewhere.
        grants = grants.filter((grant) => !grant.includes(idOfEnd as string));
      } else if (Array.isArray(answer) && answer[2] === "granted") grants.push(question);
      if (grants.length > 2) grants.shift();
      if (ends.length > 8) ends.shift();
      return answer;
    },
  };
}

const timeKey = `${prefix}:time`;

interface Pair {
  readonly shared: RateLimitProvider;
  readonly memory: RateLimitProvider;
  readonly setTime: (ms: number) => Promise<void>;
}

function pair(redis: Redis, limits: object, seed?: number): Pair {
  const clock = handClock();
  const once = timed(redis, timeKey);
  const client = seed === undefined ? once : repeating(once, generator(seed));
  const cost = ({ args }: ToolCall): number => args.units as number;
  const store = redisStore({ client, prefix, timeoutMs: 60_000, leaseMs: 86_400_000 });
  return {
    shared: rateLimit({ ...limits, cost, store }),
    memory: rateLimit({ ...limits, cost, now: clock.now }),
    setTime: async (ms) => {
      clock.time = ms;
      await setServerTime(redis, timeKey, ms);
    },
  };
}

// What redis expires it expires by its own clock: windows are so long that nothing does meanwhile.
const unit = 1_000;
const windowMs = 400 * unit;
const settings = [
  ["log", { limit: 5, windowMs }],
  ["sub-windows", { limit: 8, windowMs, algorithm: "sub-windows" }],
  ["gcra", { limit: 8, windowMs, algorithm: "gcra" }],
  [
    "several limits and places",
    {
      limits: [
        { limit: 5, windowMs },
        { limit: 9, windowMs: 900 * unit, algorithm: "sub-windows" },
        { limit: 6, windowMs: 600 * unit, algorithm: "gcra", burst: 3 },
      ],
      concurrency: 3,
    },
  ],
] as const;

interface Open {
  readonly calls: readonly [ToolCall, ToolCall];
  readonly oracle: Oracle;
  readonly standing: Standing;
}

async function play(
  { shared, memory, setTime }: Pair,
  seed: number,
  goesBack: boolean,
  judge: (oracle: Oracle, now: number, units: number, verdicts: readonly unknown[]) => void,
): Promise<void> {
  const random = generator(seed);
  const namesOf = keyNames(prefix, {
    name: "rate-limit",
    limits: shared.limits,
    concurrency: 1,
    weighted: true,
  });
  const markerOf = (tool: string): string => namesOf(tool).marker;
  const tools = [0, 1, 2].map((index) => ({
    name: `tool-${index}`,
    oracle: new Oracle(shared.limits[0]?.bound ?? 0, windowMs),
    marker: markerOf(`tool-${index}`),
    latest: 0,
  }));
  const held = async (marker: string): Promise<number> =>
    Number((await redis?.hget(marker, "latest")) ?? 0) / 1_000;
  const open: Open[] = [];
  let time = 1_000 * unit;
  for (let step = 0; step < steps; step++) {
    const jump = random();
    if (jump < 0.002) time += 10 * windowMs;
    else if (goesBack && jump < 0.05) time -= Math.floor(random() * 3_000) * unit;
    else if (jump < 0.5) time += Math.floor(random() * 60) * unit;
    time = Math.max(time, 0);
    await setTime(time);
    const tool = tools[Math.floor(random() * 3)] as (typeof tools)[number];
    // The server's clock is held at the latest time that it acted upon.
    const now = Math.max(time, await held(tool.marker));
    const units = 1 + Math.floor(random() * 3);
    const calls = [0, 1].map(() => toolCall(tool.name, { args: { units } })) as [
      ToolCall,
      ToolCall,
    ];
    if (!goesBack && random() < 0.2) {
      expect(await shared.evaluate(calls[0])).toEqual(memory.evaluate(calls[1]));
    }
    const verdicts = [await shared.admit?.(calls[0]), await memory.admit?.(calls[1])] as const;
    judge(tool.oracle, now, units, verdicts);
    if (verdicts[0]?.decision === "allow") {
      tool.latest = now;
      open.push({ calls, oracle: tool.oracle, standing: tool.oracle.take(now, units) });
    }
    if (open.length > 5 || random() < 0.4) {
      const [ended] = open.splice(Math.floor(random() * open.length), 1);
      if (ended === undefined) continue;
      const outcome = random() < 0.6 ? executed : notExecuted;
      await shared.settle?.(ended.calls[0], outcome);
      await memory.settle?.(ended.calls[1], outcome);
      if (outcome === notExecuted) ended.oracle.giveBack(ended.standing);
    }
    // The oracle sums all that it has: what is two windows old counts for nothing.
    if (step % 50 === 0) for (const each of tools) forget(each.oracle, each.latest, open);
  }
}

describe.skipIf(redis === undefined)(
  "the scripts, by a clock that jumps (needs redis-server)",
  { tags: "longer" },
  () => {
    it.each(settings)(
      "P14 decide every call as the memory does, and as the limit is defined (%s)",
      async (name, limits) => {
        await play(
          pair(redis as Redis, limits),
          name.length,
          false,
          (oracle, now, units, [shared, memory]) => {
            expect(shared).toEqual(memory);
            const { decision } = shared as { decision: string };
            if (name === "log") expect(decision === "allow").toBe(oracle.allows(now, units));
          },
        );
      },
      3_600_000,
    );

    it.each(settings)(
      "P14 decide every call as the memory does when scripts arrive again, at once and late (%s)",
      async (name, limits) => {
        await play(
          pair(redis as Redis, limits, name.length + 2),
          name.length + 3,
          false,
          (_oracle, _now, _units, [shared, memory]) => expect(shared).toEqual(memory),
        );
      },
      3_600_000,
    );

    it.each(settings)(
      "P14 never let more than the bound through when the server's clock goes back and scripts arrive again (%s)",
      async (name, limits) => {
        await play(
          pair(redis as Redis, limits, name.length + 4),
          name.length + 1,
          true,
          (oracle, now, units, [shared]) => {
            const { decision } = shared as { decision: string };
            if (decision === "allow") expect(oracle.allows(now, units)).toBe(true);
          },
        );
      },
      3_600_000,
    );
  },
);

function forget(oracle: Oracle, latest: number, open: readonly Open[]): void {
  const kept = oracle.standing.filter(
    (each) => each.time > latest - 2 * windowMs || open.some(({ standing }) => standing === each),
  );
  oracle.standing.splice(0, oracle.standing.length, ...kept);
}
