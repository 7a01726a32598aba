import { describe, expect, it } from "vitest";
import { withTimeout } from "../src/guard/combinators.js";
import { chain } from "../src/guard/compose.js";
import { flatten, type Guardrail } from "../src/guard/define.js";
import { Deliberation } from "../src/guard/deliberation.js";
import { parallel } from "../src/guard/parallel.js";
import { shadow } from "../src/guard/shadow.js";
import { callOf, provider, scopeOn } from "./support/calls.js";
import { errorOf } from "./support/errors.js";
import { settleAll } from "./support/promises.js";

describe("withTimeout", () => {
  /** Whether a guard that never answers is given up at each of some moments. */
  async function overAt(
    guardrail: Guardrail,
    moments: readonly number[],
  ): Promise<readonly boolean[]> {
    const { scope, clock } = scopeOn({ timeoutMs: 5_000 });
    const folding = new Deliberation(flatten([guardrail]), "call", callOf({}, { scope }));
    void folding.run();
    const over: boolean[] = [];
    for (const moment of moments) {
      clock.pass(moment - clock.now());
      await settleAll();
      over.push(folding.denial?.basis === "timeout");
    }
    return over;
  }
  const never = (timeoutMs?: number) => ({
    ...provider("never", () => new Promise(() => undefined)),
    timeoutMs,
  });

  it("shortens, and lengthens", async () => {
    expect(await overAt(withTimeout(never(), 10), [9, 10])).toEqual([false, true]);
    expect(await overAt(withTimeout(never(), 60_000), [5_000, 59_999, 60_000])).toEqual([
      false,
      false,
      true,
    ]);
    expect(await overAt(withTimeout(never(10), 20), [10, 19, 20])).toEqual([false, false, true]);
    expect(await overAt(withTimeout(never(20), 10), [9, 10])).toEqual([false, true]);
  });

  it("can be none", async () => {
    expect(await overAt(withTimeout(never(), Number.POSITIVE_INFINITY), [2 ** 40])).toEqual([
      false,
    ]);
  });

  it("is the outermost of several", async () => {
    expect(await overAt(withTimeout(withTimeout(never(), 10), 20), [10, 20])).toEqual([
      false,
      true,
    ]);
  });

  it("is each guard's own in a chain, and reaches into parallel", async () => {
    expect(await overAt(withTimeout(chain([provider("a"), never()]), 10), [9, 10])).toEqual([
      false,
      true,
    ]);
    expect(await overAt(withTimeout(parallel([never()]), 10), [9, 10])).toEqual([false, true]);
  });

  it("lets a shadow give up and never denies by it", async () => {
    const { scope, clock } = scopeOn({ timeoutMs: 5_000 });
    const folding = new Deliberation(
      flatten([withTimeout(shadow(never()), 10)]),
      "call",
      callOf({}, { scope }),
    );
    const pending = folding.run();
    clock.pass(10);
    await pending;
    expect(folding.denial).toBeUndefined();
    expect(folding.records).toMatchObject([
      { provider: "never", basis: "timeout", mode: "shadow" },
    ]);
  });

  it.each([[0], [-1], [Number.NaN], ["10"], [undefined], [null]])(
    "P5 refuses %s in the place of a time",
    (timeoutMs) => {
      const error = errorOf(() => withTimeout(provider("a"), timeoutMs as never));
      expect(error.code).toBe("ERR_INVALID_OPTION");
      expect(error.message).toContain("withTimeout()");
    },
  );
});
