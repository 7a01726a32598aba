import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { CheckedDecision } from "../src/guard/read-decision.js";
import { allow } from "../src/guard/verdicts.js";
import { asking, failOnUnhandledRejections } from "./support/asking.js";
import { scopeOn } from "./support/calls.js";
import { secret } from "./support/errors.js";
import { deferred } from "./support/promises.js";

failOnUnhandledRejections();

describe("P4 an abort while a guard thinks", () => {
  it("denies at once, and what the guard says then is not heard", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const answer = deferred();
    const checked = asking(() => answer.promise, asked) as Promise<CheckedDecision>;
    caller.abort(new Error(secret));
    answer.resolve(allow());
    expect({ ...(await checked) }).toMatchObject({ decision: "deny", basis: "error" });
    expect(JSON.stringify({ ...(await checked) })).not.toContain(secret);
    expect(asked.clock.waiting).toBe(0);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("denies at once when it came before the guard answered with a promise", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const checked = asking(() => {
      caller.abort();
      return Promise.resolve(allow());
    }, asked);
    expect((await checked).decision).toBe("deny");
    expect(asked.clock.waiting).toBe(0);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("denies when the abort and the answer come in the same turn, whichever is first", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const answer = deferred();
    const checked = asking(() => answer.promise, asked) as Promise<CheckedDecision>;
    answer.resolve(allow());
    caller.abort();
    expect((await checked).decision).toBe("deny");
  });

  it("reaches the guard through the call's signal", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    let heard: unknown;
    const checked = asking(
      (call) =>
        new Promise(() => {
          call.signal.addEventListener("abort", () => {
            heard = call.signal.reason;
          });
        }),
      asked,
    );
    caller.abort("gone");
    await checked;
    expect(heard).toBe("gone");
  });
});
