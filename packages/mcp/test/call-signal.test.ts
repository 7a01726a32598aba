import { type CallerSignal, deny } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallSignal } from "../src/connection/call-signal.js";
import { deferred } from "./support/deferred.js";
import { call, Wire } from "./support/wire.js";

type Act = readonly ["add" | "remove", number] | readonly ["abort"];

const acts = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom("add" as const, "remove" as const), fc.nat(3)),
    fc.constant(["abort"] as const),
  ),
  { maxLength: 20 },
);

/** What listeners hear, and in which order, and what the signal says after each act. */
function heard(acts: readonly Act[], signal: CallerSignal, abort: () => void): unknown[] {
  const log: unknown[] = [];
  const listeners = [0, 1, 2, 3].map((which) => () => log.push([which, signal.aborted]));
  for (const [act, which] of acts) {
    if (act === "abort") abort();
    else {
      const listener = listeners[which as number] as () => void;
      if (act === "add") signal.addEventListener("abort", listener, { once: true });
      else signal.removeEventListener("abort", listener);
    }
    log.push(signal.aborted);
  }
  return log;
}

describe("a call's signal", () => {
  it("tells whom an AbortSignal would tell, when it would", () => {
    fc.assert(
      fc.property(acts, (acts) => {
        const ours = new CallSignal();
        const theirs = new AbortController();
        expect(heard(acts, ours, () => ours.abort())).toEqual(
          heard(acts, theirs.signal, () => theirs.abort()),
        );
      }),
    );
  });

  it("P4 reaches a guard that is still judging, as an AbortSignal with a reason", async () => {
    const seen = deferred<AbortSignal>();
    const answer = deferred<ReturnType<typeof deny>>();
    const wire = new Wire({
      guardrails: [
        {
          name: "slow",
          evaluate: (judged) => {
            seen.resolve(judged.signal);
            return answer.promise;
          },
        },
      ],
    });
    wire.connection.fromClient(call(1, "send"));
    const signal = await seen.promise;
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(signal.aborted).toBe(false);
    wire.connection.fromClient({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ name: "AbortError" });
    answer.resolve(deny("too late"));
    await wire.connection.close();
  });
});
