import { rateLimit } from "@toolstile/rate-limit";

const windowMs = 60_000;

/** A limiter by session, asked about one of n sessions after another. */
function perSession(algorithm) {
  return (n) => {
    const limiter = rateLimit({
      limit: 1_000,
      windowMs,
      algorithm,
      key: "session",
      maxKeys: n + 1,
    });
    const calls = Array.from({ length: n }, (_, index) => callOf(`session-${index}`));
    for (const each of calls) limiter.admit(each);
    let next = 0;
    return {
      run() {
        // Apart from each other, as callers are.
        next = (next + 7_919) % n;
        const one = calls[next];
        limiter.admit(one);
        limiter.settle(one, { callId: "c", status: "denied", executed: false });
      },
    };
  };
}

const { signal } = new AbortController();

function callOf(sessionId) {
  return { callId: "c", toolName: "search", args: {}, context: { sessionId }, run: {}, signal };
}

const algorithms = ["gcra", "sub-windows", "log"];

/** @type {import("../curves.mjs").Curve[]} */
export const curves = [
  ...algorithms.map((algorithm) => ({
    name: `taking a unit and giving it back, ${algorithm}`,
    against: "sessions that have one",
    growth: /** @type {const} */ ("constant"),
    // Up to what the caches of a processor hold: beyond, each session costs a miss, and no more.
    sizes: [100, 1_000, 10_000],
    checked: [100, 1_000],
    at: perSession(algorithm),
  })),
  {
    name: "a call that a full log denies",
    against: "the limit",
    growth: "constant",
    sizes: [100, 1_000, 10_000, 100_000],
    checked: [100, 10_000],
    at(n) {
      const limiter = rateLimit({ limit: n, windowMs, algorithm: "log", now: () => 1 });
      for (let index = 0; index < n; index++) limiter.admit(callOf("anna"));
      const one = callOf("anna");
      return { run: () => limiter.admit(one) };
    },
  },
  {
    name: "a call of a new session when all others have expired",
    against: "sessions before it",
    growth: "constant",
    sizes: [100, 1_000, 10_000, 100_000],
    checked: [100, 10_000],
    at(n) {
      let now = 0;
      const limiter = rateLimit({ limit: 9, windowMs, key: "session", maxKeys: n, now: () => now });
      const fill = (round) => {
        for (let index = 0; index < n; index++) limiter.admit(callOf(`${round}-${index}`));
      };
      fill("first");
      let round = 0;
      return {
        before() {
          fill(round);
          now += 10 * windowMs;
          round++;
        },
        run: () => limiter.admit(callOf(`new-${round}`)),
        turns: 20,
      };
    },
  },
];
