import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { rateLimit } from "@toolstile/rate-limit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clients } from "./redis-clients.js";
import { ownPrefix, removeAll, someRedis } from "./redis-server.js";
import { executed, notExecuted, toolCall } from "./tool-call.js";

const soak = process.env.TOOLSTILE_SOAK === "1";
const processes = 4;
const reservations = soak ? 250_000 : 2_500;
const server = await someRedis();
afterAll(() => server?.remove());

interface Raced {
  stand: [number, number][];
  denied: number;
  givenBack: number;
  ms: number;
}

let racers: readonly ChildProcess[] = [];

function start(library: string): ChildProcess {
  const path = fileURLToPath(new URL("redis-racer.mjs", import.meta.url));
  return fork(path, [library, server?.url ?? ""], {
    execArgv: ["--conditions=@toolstile/source"],
  });
}

function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`A racer ended with ${code}.`)));
  });
}

async function race(options: object): Promise<Raced[]> {
  const results = racers.map(message);
  for (const racer of racers) racer.send({ reservations, inFlight: 64, ...options });
  return (await Promise.all(results)) as Raced[];
}

function standing(results: readonly Raced[]): number {
  return results.reduce((sum, { stand }) => sum + stand.length, 0);
}

describe.skipIf(server === undefined)(
  `${processes} processes that share a Redis server (needs redis-server)`,
  { tags: "long" },
  () => {
    const url = server?.url ?? "";

    beforeAll(async () => {
      racers = clients.flatMap(([library]) => [0, 1].map(() => start(library)));
      await Promise.all(racers.map(message));
    });
    afterAll(() => {
      for (const racer of racers) racer.kill();
    });

    async function withPrefix<T>(test: (prefix: string) => Promise<T>): Promise<T> {
      const prefix = ownPrefix();
      const connection = clients[0]?.[1](url);
      try {
        return await test(prefix);
      } finally {
        if (connection !== undefined) await removeAll(connection, prefix);
        connection?.close();
      }
    }

    it.each([
      ["log", 1_000],
      ["sub-windows", 5_000],
      ["gcra", 500],
    ] as const)(
      "P14 get the whole limit of a long window and no call more (%s)",
      (algorithm, limit) =>
        withPrefix(async (prefix) => {
          // An hour and a day: nothing is paid off or forgotten while this runs.
          const windowMs = algorithm === "gcra" ? 86_400_000 : 3_600_000;
          const results = await race({ prefix, algorithm, limit, windowMs });
          const stand = standing(results);
          const back = results.reduce((sum, { givenBack }) => sum + givenBack, 0);
          if (soak) {
            const ms = Math.max(...results.map(({ ms }) => ms));
            console.log(
              `${algorithm}: ${processes * reservations} reservations in ${Math.round(ms)} ms, ${stand} of ${limit} stand, ${back} were given back`,
            );
          }
          // What was given back last nobody had asked for again.
          const rest = { prefix, algorithm, limit, windowMs, reservations: limit, keeps: true };
          const all = stand + standing(await race(rest));
          // Of units given back out of order, this one may give back less.
          const leastBack = algorithm === "gcra" ? back : 0;
          expect(all).toBeGreaterThanOrEqual(limit - leastBack);
          expect(all).toBeLessThanOrEqual(limit);
        }),
      600_000,
    );

    it(
      "P14 get no more than the limit in any window, while windows pass",
      () =>
        withPrefix(async (prefix) => {
          const [limit, windowMs] = [100, 200];
          const results = await race({ prefix, algorithm: "log", limit, windowMs });
          const stand = results.flatMap(({ stand }) => stand).sort(([a], [b]) => a - b);
          expect(stand.length).toBeGreaterThan(limit);
          // What was asked for and granted within a window was granted in it, whenever exactly.
          for (let first = 0; first < stand.length; first++) {
            const start = (stand[first] as [number, number])[0];
            let inside = 0;
            for (let at = first; at < stand.length; at++) {
              const [sent, got] = stand[at] as [number, number];
              if (sent - start >= windowMs) break;
              if (got - start < windowMs) inside += 1;
            }
            expect(inside).toBeLessThanOrEqual(limit);
          }
        }),
      600_000,
    );
  },
);

it(`P14 admits the limit and no call more to ${processes * reservations} reservations in memory at once`, {
  tags: "long",
}, async () => {
  const limit = 10_000;
  const provider = rateLimit({ limit, windowMs: 3_600_000, algorithm: "log", now: () => 0 });
  let stand = 0;
  async function caller(left: number): Promise<void> {
    for (let turn = 0; turn < left; turn++) {
      const call = toolCall("search");
      const answer = await provider.admit?.(call);
      if (answer?.decision !== "allow") continue;
      const ran = (turn & 7) !== 0;
      await Promise.resolve();
      await provider.settle?.(call, ran ? executed : notExecuted);
      if (ran) stand += 1;
    }
  }
  const callers = 500;
  await Promise.all(
    Array.from({ length: callers }, () => caller((processes * reservations) / callers)),
  );
  expect(stand).toBe(Math.min(limit, stand));
  expect(stand).toBeGreaterThan(soak ? limit - 1 : limit / 2);
});
