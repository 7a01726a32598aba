import { afterEach, beforeEach, expect } from "vitest";
import { ask, type Question } from "../../src/ask.js";
import type { Scope } from "../../src/call.js";
import type { Judgement } from "../../src/judgement.js";
import { callOf, scopeOn } from "./calls.js";
import { throws } from "./errors.js";

/** Ask one guard once, for a call. */
export function asking(
  question: Question,
  { scope }: { scope: Scope } = scopeOn(),
  timeoutMs?: number,
): Judgement | Promise<Judgement> {
  return ask(question, "call", "guard", timeoutMs, scope, callOf({}, { scope }));
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
    // The engine reports a rejection that nobody handled after the microtasks of a turn.
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
