import { allow } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import { RateLimiterMemory } from "rate-limiter-flexible";

const far = 1_000_000_000;
const windowMs = 3_600_000;
const names = Array.from({ length: 10_000 }, (_, index) => `caller_${index}`);
const ran = Object.freeze({ executed: true });

/** Many callers of one tool in turn, as a runner asks the limiter, with the end of what it let through. */
function asking(limit, algorithm, answer, callers = names) {
  // The clock of the system is not what is measured.
  const limiter = rateLimit({ limit, windowMs, algorithm, key: "principal", now: () => 0 });
  const calls = callers.map((principal) => ({
    run: {},
    toolName: "search",
    context: { principal },
    args: {},
  }));
  let turn = 0;
  function ask() {
    turn = turn + 1 === calls.length ? 0 : turn + 1;
    const call = calls[turn];
    const verdict = limiter.admit(call);
    if (verdict.decision === "allow") limiter.settle(call, ran);
    return verdict;
  }
  for (let index = 0; index < calls.length * 2; index++) ask();
  if ((ask() === allow()) !== (answer === "allow"))
    throw new Error(`The limiter did not ${answer}.`);
  return ask;
}

function flexible(points, answer) {
  const limiter = new RateLimiterMemory({ points, duration: 3_600 });
  let turn = 0;
  return async () => {
    turn = turn + 1 === names.length ? 0 : turn + 1;
    try {
      return await limiter.consume(names[turn]);
    } catch (refusal) {
      if (answer === "allow") throw refusal;
      return refusal;
    }
  };
}

const beside = (name, limit, algorithm, answer) => ({
  name: `rate limit as provider, ${name}, against rate-limiter-flexible in memory`,
  goal: undefined,
  reference: { unit: "of its time", run: flexible(answer === "allow" ? far : 1, answer) },
  setup: async () => asking(limit, algorithm, answer),
});

const denying = (algorithm) => ({
  name: `rate limit as provider, ${algorithm}, denying against allowing`,
  goal: 1,
  reference: { unit: "of allowing", run: asking(far, algorithm, "allow") },
  setup: async () => asking(1, algorithm, "deny"),
});

/** The time in itself: what an empty turn takes is the reference, and is taken off. */
const alone = (algorithm) => ({
  name: `rate limit as provider, ${algorithm}, allowing 100 callers, clock excluded`,
  goal: 60,
  difference: true,
  reference: { unit: "ns more", run: () => ran },
  setup: async () => asking(far, algorithm, "allow", names.slice(0, 100)),
});

export const rows = [
  alone("gcra"),
  alone("sub-windows"),
  beside("gcra, allowing", far, "gcra", "allow"),
  beside("gcra, denying", 1, "gcra", "deny"),
  denying("gcra"),
  denying("sub-windows"),
];
