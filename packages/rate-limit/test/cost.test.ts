import { rateLimit } from "@toolstile/rate-limit";
import { expect, it } from "vitest";
import { costReader, noCost } from "../src/cost.js";
import { toolCall } from "./tool-call.js";

it.each([
  [0, 0],
  [1, 1],
  [0.2, 1],
  [2.5, 3],
  [1e300, 1e300],
])("a cost of %d counts as %d", (cost, units) => {
  expect(costReader(cost)(toolCall("search"))).toBe(units);
  expect(costReader(() => cost)(toolCall("search"))).toBe(units);
});

it("a cost that cannot be told is none", () => {
  const fails = () => {
    throw new Error("hunter2");
  };
  expect(costReader(fails)(toolCall("search"))).toBe(noCost);
});

it.each(["log", "sub-windows", "gcra"] as const)(
  "P14 a call above the limit never fits, and one of no cost always does (%s)",
  (algorithm) => {
    const provider = rateLimit({
      limit: 5,
      windowMs: 1_000,
      algorithm,
      now: () => 0,
      cost: ({ args }) => args.units as number,
    });
    const admit = (units: number) => provider.admit?.(toolCall("search", { args: { units } }));
    expect(admit(6)).toMatchObject({ decision: "deny", metadata: { limit: 5 } });
    expect(admit(5)).toEqual({ decision: "allow" });
    expect(admit(1e300)).toMatchObject({ decision: "deny" });
    expect(admit(1)).toMatchObject({ decision: "deny" });
    expect(admit(0)).toEqual({ decision: "allow" });
  },
);

it.each([65_535, 65_536, 1_000_000_000])(
  "P14 a limit of %d is reached by units and not passed",
  (limit) => {
    const provider = rateLimit({
      limit,
      windowMs: 1_000,
      now: () => 0,
      cost: ({ args }) => args.units as number,
    });
    const admit = (units: number) => provider.admit?.(toolCall("search", { args: { units } }));
    expect(admit(limit - 1)).toEqual({ decision: "allow" });
    expect(admit(2)).toMatchObject({ decision: "deny" });
    expect(admit(1)).toEqual({ decision: "allow" });
    expect(admit(1)).toMatchObject({ decision: "deny" });
  },
);
