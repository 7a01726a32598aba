import { afterEach, beforeEach, expect } from "vitest";
import type { Scope } from "../../src/call/caller.js";
import { ask, type Question } from "../../src/guard/ask.js";
import type { CheckedDecision } from "../../src/guard/read-decision.js";
import { callOf, scopeOn } from "./calls.js";
import { throws } from "./errors.js";

/** Ask one guard once, for a call. */
export function asking(
  question: Question,
  { scope }: { scope: Scope } = scopeOn(),
  timeoutMs?: number,
): CheckedDecision | Promise<CheckedDecision> {
  return ask(question, "call", "guard", timeoutMs, callOf({}, { scope }));
}

/** Fail each test of the file that leaves a rejection which nobody handles. */
export function failOnUnhandledRejections(): void {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  beforeEach(() => {
    unhandled.length = 0;
    process.on("unhandledRejection", note);
  });
  afterEach(async () => {
    // The JavaScript engine reports an unhandled rejection after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
}

export function proxyOf(trap: keyof ProxyHandler<object>): object {
  return new Proxy({ extra: 1 }, { [trap]: throws });
}
/** Data at first, so that a promise can carry it. */
export function thenThrowing(from: number): object {
  let reads = 0;
  return gettingThen(() => (++reads >= from ? throws() : undefined));
}
export function gettingThen(get: () => unknown): object {
  return Object.defineProperty({}, "then", { get });
}
