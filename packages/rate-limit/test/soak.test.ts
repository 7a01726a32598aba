import { rateLimit } from "@toolstile/rate-limit";
import { describe, expect, it } from "vitest";
import { executed, handClock, notExecuted, toolCall } from "./tool-call.js";

const soak = process.env.TOOLSTILE_SOAK === "1";
const decisions = soak ? 1_000_000 : 100_000;

/** The same numbers each time. A linear congruential generator (Numerical Recipes). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Times of what stands of one key, oldest first; summed anew each time. */
class Times {
  readonly standing: number[] = [];
  used(now: number, windowMs: number): number {
    while (this.standing.length > 0 && now - (this.standing[0] as number) >= windowMs) {
      this.standing.shift();
    }
    return this.standing.length;
  }
}

describe("many decisions, with jumps of the clock and things given back", { tags: "long" }, () => {
  it.each([1, 10, 100])(
    "P14 never admits more than a limit of %d, and the log denies nothing wrongly",
    (limit) => {
      const random = generator(limit);
      const clock = handClock();
      const windowMs = 1_000;
      const provider = rateLimit({ limit, windowMs, now: clock.now, maxKeys: 1_000 });
      const tools = Array.from({ length: 5 }, (_, index) => ({
        name: `tool-${index}`,
        times: new Times(),
      }));
      const open: { call: ReturnType<typeof toolCall>; times: Times; time: number }[] = [];
      let latest = 0;
      let wrong = 0;
      for (let count = 0; count < decisions; count++) {
        const jump = random();
        if (jump < 0.0005) clock.time += 3_600_000;
        else if (jump < 0.001) clock.time -= Math.floor(random() * 2_000);
        else clock.time += Math.floor((random() * windowMs) / limit / 2);
        latest = Math.max(latest, clock.time);
        const { name, times } = tools[Math.floor(random() * 5)] as (typeof tools)[number];
        const fits = times.used(latest, windowMs) < limit;
        const call = toolCall(name);
        const answer = provider.admit?.(call) as { decision: string };
        if ((answer.decision === "allow") !== fits) wrong += 1;
        if (answer.decision === "allow") {
          times.standing.push(latest);
          open.push({ call, times, time: latest });
        }
        if (open.length > 30 || (open.length > 0 && random() < 0.4)) {
          const [ended] = open.splice(Math.floor(random() * open.length), 1);
          if (ended === undefined) continue;
          const ran = random() < 0.7;
          provider.settle?.(ended.call, ran ? executed : notExecuted);
          const at = ended.times.standing.indexOf(ended.time);
          if (!ran && at !== -1) ended.times.standing.splice(at, 1);
        }
      }
      expect(wrong).toBe(0);
    },
    120_000,
  );
});
