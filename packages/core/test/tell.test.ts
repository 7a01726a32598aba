import { describe, expect, it } from "vitest";
import { notify } from "../src/time/notify.js";
import { HandClock } from "./support/hand-clock.js";
import { oddPromise } from "./support/odd-values.js";
import { deferred, idle } from "./support/promises.js";

describe("telling somebody", () => {
  const told = (act: () => unknown, clock = new HandClock()) => {
    const failures: unknown[] = [];
    return {
      clock,
      failures,
      over: notify(act, { clock, timeoutMs: 50, caller: undefined }, (error) =>
        failures.push(error),
      ),
    };
  };

  it("is over at once, without a timer, where nothing is waited for", () => {
    const { clock, failures, over } = told(() => "heard");
    expect([over, failures, clock.made]).toEqual([undefined, [], 0]);
  });

  it("fails with what was thrown, also undefined, and never throws", () => {
    for (const thrown of [new Error("x"), undefined, 0]) {
      const { failures, over } = told(() => {
        throw thrown;
      });
      expect([over, failures]).toEqual([undefined, [thrown]]);
    }
  });

  it("fails with what was rejected, and with an error where that was nothing", async () => {
    const error = new Error("x");
    const { failures, over, clock } = told(() => Promise.reject(error));
    await over;
    expect([failures, clock.waiting]).toEqual([[error], 0]);
    for (const reason of [undefined, null]) {
      const nothing = told(() => Promise.reject(reason));
      await nothing.over;
      expect(nothing.failures).toEqual([new Error("it rejected without a reason")]);
    }
  });

  it("is over when its time is, fails once, and hears no more", async () => {
    for (const late of ["resolve", "reject"] as const) {
      const hold = deferred<unknown>();
      const { failures, over, clock } = told(() => hold.promise);
      clock.pass(50);
      await over;
      expect(failures).toEqual([new Error("it did not finish in time")]);
      hold[late]("late");
      await idle();
      expect(failures).toHaveLength(1);
    }
  });

  it.each(["constructor", "then"] as const)(
    "is over, and says why, where a promise's own %s throws",
    async (key) => {
      const clock = new HandClock();
      const failed: unknown[] = [];
      const bounds = { clock, timeoutMs: 100, caller: undefined };
      await notify(
        () => oddPromise(key),
        bounds,
        (error) => void failed.push(error),
      );
      expect([failed.length, clock.waiting]).toEqual([1, 0]);
    },
  );
});
