import { type RateLimitOptions, type RateLimitStore, rateLimit } from "@toolstile/rate-limit";
import { call, outcome, testProvider } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { executed, handClock, notExecuted, toolCall, unknown } from "./tool-call.js";

const allowed = { decision: "allow" };
const settings: readonly (readonly [string, RateLimitOptions])[] = [
  ["log", { limit: 10, windowMs: 60_000 }],
  ["sub-windows", { limit: 2_000, windowMs: 60_000, cost: 200 }],
  ["gcra", { limit: 10, windowMs: 60_000, algorithm: "gcra", key: "session" }],
  ["concurrency", { concurrency: 3, key: ["tool", "principal"] }],
];

describe.each(settings)("rateLimit by %s", (_, options) => {
  testProvider(it, () => rateLimit({ ...options, now: () => 0 }), {
    allowed: [
      call({ query: "spring tide" }),
      call({ query: "neap tide" }, "search", { context: { sessionId: "s-4711" } }),
    ],
  });
});

describe("rateLimit of calls that cost too much", () => {
  testProvider(
    it,
    () => rateLimit({ limit: 10, windowMs: 60_000, cost: ({ toolName }) => toolName.length }),
    {
      allowed: call({ query: "spring tide" }),
      denied: call({ query: "neap tide" }, "search_wide"),
    },
  );
});

function admitted(
  provider: ReturnType<typeof rateLimit>,
  toolName = "search",
  times = 100,
): number {
  let count = 0;
  while (count < times && provider.admit?.(toolCall(toolName)) === rateLimitAllow) count++;
  return count;
}
const rateLimitAllow = rateLimit({ limit: 1, windowMs: 1 }).evaluate(toolCall("search"));

describe("rateLimit", () => {
  it("P14 admits the limit and no call more, until the first is a window old", () => {
    const clock = handClock();
    const provider = rateLimit({ limit: 3, windowMs: 1_000, now: clock.now });
    expect(admitted(provider)).toBe(3);
    clock.time = 999;
    expect(admitted(provider)).toBe(0);
    clock.time = 1_000;
    expect(admitted(provider)).toBe(3);
  });

  it("P14 takes nothing for being asked", () => {
    const provider = rateLimit({ limit: 1, windowMs: 1_000, now: () => 0 });
    for (let time = 0; time < 10; time++) {
      expect(provider.evaluate(toolCall("search"))).toEqual(allowed);
    }
    expect(admitted(provider)).toBe(1);
  });

  it.each(["log", "sub-windows", "gcra"] as const)(
    "P14 gives back, once, what a call took whose tool did not run (%s)",
    (algorithm) => {
      const provider = rateLimit({ limit: 2, windowMs: 1_000, algorithm, now: () => 5 });
      const stopped = toolCall("search");
      provider.admit?.(stopped);
      provider.admit?.(toolCall("search"));
      for (let time = 0; time < 3; time++) provider.settle?.(stopped, notExecuted);
      expect(admitted(provider)).toBe(1);
    },
  );

  it("P14 gives back with gcra no more than time has left of it, when an earlier call was given back", () => {
    const clock = handClock();
    const provider = rateLimit({ limit: 2, windowMs: 2_000, algorithm: "gcra", now: clock.now });
    const [first, second] = [toolCall("search"), toolCall("search")];
    provider.admit?.(first);
    provider.admit?.(second);
    provider.settle?.(first, notExecuted);
    clock.time = 1_200;
    expect(admitted(provider, "search", 1)).toBe(1);
    clock.time = 1_500;
    // Paid off at 1,000 since the first was given back: nothing of it is left.
    provider.settle?.(second, notExecuted);
    expect(admitted(provider)).toBe(1);
    clock.time = 2_199;
    expect(admitted(provider)).toBe(0);
    clock.time = 2_200;
    expect(admitted(provider)).toBe(1);
  });

  it.each([
    ["ran", executed],
    ["may have run", unknown],
  ])("P14 keeps what a call took whose tool %s", (_, outcome) => {
    const provider = rateLimit({ limit: 2, windowMs: 1_000, now: () => 0 });
    const call = toolCall("search");
    provider.admit?.(call);
    provider.settle?.(call, outcome);
    provider.settle?.(call, notExecuted);
    expect(admitted(provider)).toBe(1);
  });

  it("P14 gives nothing for a settle of a run that it never admitted", () => {
    const provider = rateLimit({ limit: 2, windowMs: 1_000, concurrency: 2, now: () => 0 });
    for (let time = 0; time < 5; time++) provider.settle?.(toolCall("search"), notExecuted);
    expect(admitted(provider)).toBe(2);
  });

  it("P14 counts both when a run is admitted twice, and gives back both", async () => {
    const provider = rateLimit({ limit: 2, windowMs: 1_000, concurrency: 2, now: () => 0 });
    const call = toolCall("search");
    provider.admit?.(call);
    provider.admit?.(call);
    expect(admitted(provider)).toBe(0);
    await provider.settle?.(call, notExecuted);
    expect(admitted(provider)).toBe(2);
  });

  it("P14 takes from several limits or from none", () => {
    const clock = handClock();
    const limits = [
      { limit: 2, windowMs: 100 },
      { limit: 3, windowMs: 1_000 },
    ];
    const provider = rateLimit({ limits, now: clock.now });
    expect(admitted(provider)).toBe(2);
    clock.time = 100;
    // The second limit has room for one. What it denies must not have been taken from the first.
    expect(admitted(provider)).toBe(1);
    clock.time = 1_000;
    expect(admitted(provider)).toBe(2);
  });

  it("gives back to every one of several limits", () => {
    const limits = [
      { limit: 3, windowMs: 100 },
      { limit: 2, windowMs: 1_000, algorithm: "gcra" as const },
      { limit: 2, windowMs: 2_000, algorithm: "sub-windows" as const },
    ];
    const provider = rateLimit({ limits, now: () => 0 });
    const calls = [toolCall("search"), toolCall("search")];
    for (const call of calls) provider.admit?.(call);
    expect(admitted(provider)).toBe(0);
    for (const call of calls) provider.settle?.(call, notExecuted);
    expect(admitted(provider)).toBe(2);
  });

  it.each([
    ["ran", executed],
    ["did not run", notExecuted],
    ["may have run", unknown],
  ])("P14 frees the place of a call that %s, whatever the order", async (_, outcome) => {
    const provider = rateLimit({ concurrency: 20, now: () => 0 });
    for (let round = 0; round < 5; round++) {
      const calls = Array.from({ length: 20 }, () => toolCall("search"));
      for (const call of calls) expect(provider.admit?.(call)).toEqual(allowed);
      expect(admitted(provider)).toBe(0);
      for (const call of round % 2 === 0 ? calls : calls.reverse()) {
        await provider.settle?.(call, outcome);
        await provider.settle?.(call, outcome);
      }
    }
    expect(admitted(provider)).toBe(20);
  });

  it("counts each tool for itself, whoever calls it, unless told otherwise", () => {
    const provider = rateLimit({ limit: 1, windowMs: 1_000, now: () => 0 });
    expect(provider.admit?.(toolCall("search", { agentName: "ada" }))).toEqual(allowed);
    expect(provider.admit?.(toolCall("fetch", { agentName: "ada" }))).toEqual(allowed);
    expect(provider.admit?.(toolCall("search", { agentName: "bob" }))).toMatchObject({
      decision: "deny",
    });
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "1", undefined, null])(
    "P14 denies a call whose cost is %s",
    (cost) => {
      const provider = rateLimit({ limit: 1, windowMs: 1, cost: () => cost as number });
      const denial = { decision: "deny", code: "rate_limit_cost" };
      expect(provider.evaluate(toolCall("search"))).toMatchObject(denial);
      expect(provider.admit?.(toolCall("search"))).toMatchObject(denial);
    },
  );

  it.each<[string, unknown]>([
    ["what is no number", Number.NaN],
    ["no end", Number.POSITIVE_INFINITY],
    ["nothing", undefined],
    ["null", null],
    ["a date", new Date(0)],
    ["text", "5"],
    ["a big integer", 5n],
    ["an object that turns into a number", { valueOf: () => 5 }],
    ["a list", [5]],
  ])("P14 denies when the clock gives %s", (_, reading) => {
    for (const algorithm of ["log", "sub-windows", "gcra"] as const) {
      const now = (): number => reading as number;
      const provider = rateLimit({ limit: 1, windowMs: 1_000, algorithm, now });
      expect(() => provider.evaluate(toolCall("search"))).toThrow(
        "rateLimit(): now must return milliseconds",
      );
      expect(() => provider.admit?.(toolCall("search"))).toThrow(
        "rateLimit(): now must return milliseconds",
      );
    }
  });

  it("P8 counts callers without a name together, whatever is planted on Object.prototype", () => {
    const provider = rateLimit({ limit: 1, windowMs: 1_000, key: "session", now: () => 0 });
    expect(provider.admit?.(toolCall("search"))).toEqual(allowed);
    Object.defineProperty(Object.prototype, "sessionId", { value: "fresh", configurable: true });
    try {
      expect(provider.admit?.(toolCall("search"))).toMatchObject({ decision: "deny" });
    } finally {
      Reflect.deleteProperty(Object.prototype, "sessionId");
    }
  });

  it("P8 takes no option from Object.prototype", () => {
    Object.defineProperty(Object.prototype, "cost", { value: 0, configurable: true });
    try {
      expect(admitted(rateLimit({ limit: 2, windowMs: 1_000, now: () => 0 }))).toBe(2);
    } finally {
      Reflect.deleteProperty(Object.prototype, "cost");
    }
  });
});

/** A store that answers when told, as one over a network would. */
function slowStore(): {
  store: RateLimitStore;
  log: string[];
  reply: (answer: "grant" | "refuse" | "fail") => Promise<void>;
} {
  const log: string[] = [];
  const waiting: ((answer: "grant" | "refuse" | "fail") => void)[] = [];
  const refusal = { granted: false, cause: "limit", limitIndex: 0, retryAfterMs: 12_000 } as const;
  return {
    log,
    store: {
      reserve: (key, units) =>
        new Promise((resolve, reject) => {
          log.push(`reserve ${key} ${units}`);
          waiting.push((answer) => {
            if (answer === "fail") reject(new Error("connection lost, password=hunter2"));
            else if (answer === "refuse") resolve(refusal);
            else {
              const commit = async (): Promise<void> => void log.push("commit");
              const giveBack = async (): Promise<void> => void log.push("give back");
              resolve({ granted: true, commit, giveBack });
            }
          });
        }),
    },
    reply: async (answer) => {
      waiting.shift()?.(answer);
      await Promise.resolve();
    },
  };
}

describe("rateLimit with an asynchronous store", () => {
  const make = (store: RateLimitStore): ReturnType<typeof rateLimit> =>
    rateLimit({ limit: 10, windowMs: 60_000, store: () => store });

  it.each([
    ["grant", executed, "commit"],
    ["grant", notExecuted, "give back"],
  ] as const)("waits for a %s and ends it with the call", async (answer, outcome, ended) => {
    const { store, log, reply } = slowStore();
    const provider = make(store);
    const call = toolCall("search");
    const verdict = provider.admit?.(call);
    await reply(answer);
    expect(await verdict).toEqual(allowed);
    await provider.settle?.(call, outcome);
    await provider.settle?.(call, outcome);
    expect(log).toEqual(["reserve search 1", ended]);
  });

  it("P14 gives back a grant that comes after the run is over", async () => {
    const { store, log, reply } = slowStore();
    const provider = make(store);
    const call = toolCall("search");
    provider.admit?.(call);
    const settled = provider.settle?.(call, notExecuted);
    expect(log).toEqual(["reserve search 1"]);
    await reply("grant");
    await settled;
    expect(log).toEqual(["reserve search 1", "give back"]);
  });

  it("denies a refusal, and has nothing to give back", async () => {
    const { store, log, reply } = slowStore();
    const provider = make(store);
    const call = toolCall("search");
    const verdict = provider.admit?.(call);
    await reply("refuse");
    expect(await verdict).toMatchObject({ decision: "deny", code: "rate_limit" });
    await provider.settle?.(call, notExecuted);
    expect(log).toEqual(["reserve search 1"]);
  });

  it("P1 rejects, which denies, when the store fails, and settles all the same", async () => {
    const { store, log, reply } = slowStore();
    const provider = make(store);
    const call = toolCall("search");
    const verdict = provider.admit?.(call);
    const seen = expect(verdict).rejects.toThrow("connection lost");
    await reply("fail");
    await seen;
    await provider.settle?.(call, notExecuted);
    expect(log).toEqual(["reserve search 1"]);
  });

  it("asks a store that can be asked, and allows in evaluate where it cannot", async () => {
    const { store } = slowStore();
    expect(make(store).evaluate(toolCall("search"))).toEqual(allowed);
    const refusal = {
      granted: false,
      cause: "concurrency",
      limitIndex: 0,
      retryAfterMs: 0,
    } as const;
    const full = make({ ...store, peek: async () => refusal });
    expect(await full.evaluate(toolCall("search"))).toMatchObject({ code: "concurrency" });
    const free = make({ ...store, peek: async () => undefined });
    expect(await free.evaluate(toolCall("search"))).toEqual(allowed);
  });

  it.each([undefined, null, {}, true, "granted", { granted: "yes" }])(
    "P1 allows nothing when the store answers %j",
    async (answer) => {
      const store = { reserve: () => answer } as unknown as RateLimitStore;
      const late = { reserve: async () => answer } as unknown as RateLimitStore;
      const ask = async (store: RateLimitStore): Promise<unknown> => {
        try {
          return await make(store).admit?.(call());
        } catch {
          return "threw";
        }
      };
      expect(await ask(store)).not.toEqual(allowed);
      expect(await ask(late)).not.toEqual(allowed);
    },
  );

  it("P8 takes no promise for a grant, whatever is planted on Object.prototype", async () => {
    const { store, reply } = slowStore();
    const provider = make(store);
    Object.defineProperty(Object.prototype, "granted", {
      value: true,
      configurable: true,
      writable: true,
    });
    const verdict = provider.admit?.(toolCall("search"));
    Reflect.deleteProperty(Object.prototype, "granted");
    await reply("refuse");
    expect(await verdict).toMatchObject({ decision: "deny" });
  });
});

it("settles a call that had no arguments", () => {
  const provider = rateLimit({ limit: 1, windowMs: 1 });
  const { args: _, signal: __, ...head } = call();
  expect(provider.settle?.(head, outcome(call(), "invalid"))).toBeUndefined();
});
