import { expect, it } from "vitest";
import { WaitingCalls } from "../../src/host/waiting-calls.js";

it("are 10,000 at most: the oldest is forgotten for one more, and one that comes again is the newest", () => {
  const calls = new WaitingCalls<number>();
  for (let at = 0; at < 10_000; at++) calls.set(`call ${at}`, at);
  calls.set("call 5", 7);
  expect(calls.has("call 0")).toBe(true);
  calls.set("call 0", 7);
  expect(calls.size).toBe(10_000);
  calls.set("one more", 1);
  expect(calls.size).toBe(10_000);
  expect([calls.has("call 0"), calls.has("call 1"), calls.has("call 2")]).toEqual([
    true,
    false,
    true,
  ]);
});
