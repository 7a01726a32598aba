import { AssertionError } from "node:assert";
import type { Clock } from "@toolstile/core";
import { valueWithin } from "@toolstile/core/provider";

// Kept from the start, so that a test with fake timers still ends.
const { setTimeout, clearTimeout } = globalThis;
const clock: Clock = { now: () => Date.now(), setTimeout, clearTimeout };

/** The answer, or a failed assertion once the time is over. */
export async function inTime<T>(withinMs: number, answer: () => T | PromiseLike<T>): Promise<T> {
  const bounds = { clock, timeoutMs: withinMs, caller: undefined };
  return valueWithin(bounds, Promise.resolve(answer()), () => {
    throw new AssertionError({ message: `There was no answer within ${withinMs} ms.` });
  });
}
