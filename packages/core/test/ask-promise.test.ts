import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Question } from "../src/guard/ask.js";
import { allowed, type CheckedDecision } from "../src/guard/read-decision.js";
import { allow, deny, modify } from "../src/guard/verdicts.js";
import {
  asking,
  failOnUnhandledRejections,
  gettingThen,
  proxyOf,
  thenThrowing,
} from "./support/asking.js";
import { scopeOn } from "./support/calls.js";
import { secret, throws } from "./support/errors.js";
import { deferred, settleAll } from "./support/promises.js";

failOnUnhandledRejections();

describe("P1 a guard that answers with a promise", () => {
  it.each([
    ["allow", allow(), { decision: "allow", basis: "policy" }],
    ["deny", deny("no"), { decision: "deny", basis: "policy", reason: "no" }],
    ["modify", modify({ a: 1 }), { decision: "modify", basis: "policy" }],
  ])("may %s", async (_, answer, expected) => {
    expect({ ...(await asking(async () => answer)) }).toMatchObject(expected);
    expect({
      ...(await asking(() => ({ then: (yes: (value: unknown) => void) => yes(answer) }))),
    }).toMatchObject(expected);
  });

  it("is given 5 seconds when nothing else is said", async () => {
    const asked = scopeOn({ timeoutMs: 5_000 });
    const checkedDecisions: CheckedDecision[] = [];
    void (asking(() => new Promise(() => undefined), asked) as Promise<CheckedDecision>).then(
      (checked) => checkedDecisions.push(checked),
    );
    asked.clock.pass(4_999);
    await settleAll();
    expect(checkedDecisions).toEqual([]);
    asked.clock.pass(1);
    await settleAll();
    expect(checkedDecisions).toHaveLength(1);
    expect({ ...checkedDecisions[0] }).toMatchObject({
      decision: "deny",
      basis: "timeout",
      reason: "guardrail 'guard' did not answer in time",
    });
    expect(asked.faults).toMatchObject([["guard", "call", expect.any(Error)]]);
  });

  it.each([
    ["shorter", 10],
    ["longer", 60_000],
  ])("is given its own time where that is %s", async (_, timeoutMs) => {
    const asked = scopeOn({ timeoutMs: 5_000 });
    let checked: CheckedDecision | undefined;
    void (
      asking(() => new Promise(() => undefined), asked, timeoutMs) as Promise<CheckedDecision>
    ).then((given) => {
      checked = given;
    });
    asked.clock.pass(timeoutMs - 1);
    await settleAll();
    expect(checked).toBeUndefined();
    asked.clock.pass(1);
    await settleAll();
    expect(checked?.basis).toBe("timeout");
  });

  it("has no deadline where that is Infinity", async () => {
    const asked = scopeOn();
    const answer = deferred();
    const checked = asking(() => answer.promise, asked, Number.POSITIVE_INFINITY);
    expect(asked.clock.made).toBe(0);
    asked.clock.pass(2 ** 40);
    answer.resolve(allow());
    expect(await checked).toBe(allowed);
  });

  it("leaves no timer and no listener when it has answered", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const answer = deferred();
    const checked = asking(() => answer.promise, asked);
    expect(asked.clock.waiting).toBe(1);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(1);
    answer.resolve(allow());
    await checked;
    expect(asked.clock.waiting).toBe(0);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("P4 is not heard any more when its time is over, and its signal is aborted", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ timeoutMs: 10, caller: caller.signal });
    const answer = deferred();
    let signal: AbortSignal | undefined;
    const checked = asking((call) => {
      signal = call.signal;
      return answer.promise;
    }, asked) as Promise<CheckedDecision>;
    expect(signal?.aborted).toBe(false);
    asked.clock.pass(10);
    expect(signal?.aborted).toBe(true);
    answer.resolve(allow());
    expect((await checked).basis).toBe("timeout");
    await settleAll();
    expect((await checked).decision).toBe("deny");
    asked.scope.release();
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
    expect(caller.signal.aborted).toBe(false);
  });

  it("leaves no unhandled rejection when it fails after its time", async () => {
    const asked = scopeOn({ timeoutMs: 10 });
    const answer = deferred();
    const checked = asking(() => answer.promise, asked);
    asked.clock.pass(10);
    expect((await checked).basis).toBe("timeout");
    answer.reject(new Error(secret));
    await settleAll();
    expect((await checked).basis).toBe("timeout");
  });

  it("is held to its first answer when it settles twice", async () => {
    const twice = (first: unknown, second: unknown) => ({
      then(yes: (value: unknown) => void, no: (error: unknown) => void) {
        yes(first);
        yes(second);
        no(second);
      },
    });
    expect((await asking(() => twice(deny("no"), allow()))).decision).toBe("deny");
    expect((await asking(() => twice(allow(), deny("no")))).decision).toBe("allow");
  });

  it("is held to a rejection that comes before an answer", async () => {
    const checked = await asking(() => ({
      then(yes: (value: unknown) => void, no: (error: unknown) => void) {
        no(new Error(secret));
        yes(allow());
      },
    }));
    expect({ ...checked }).toMatchObject({ decision: "deny", basis: "error" });
  });

  it.each<readonly [string, unknown, string]>([
    ["a function", async () => () => allow(), "malformed"],
    ["undefined", async () => undefined, "malformed"],
    [
      "a proxy whose descriptors throw",
      async () => proxyOf("getOwnPropertyDescriptor"),
      "malformed",
    ],
    ["a proxy whose keys throw", async () => proxyOf("ownKeys"), "malformed"],
    ["a proxy whose prototype throws", async () => proxyOf("getPrototypeOf"), "malformed"],
    ["an object whose then throws the second time", async () => thenThrowing(2), "malformed"],
    ["an object whose then throws the third time", async () => thenThrowing(3), "malformed"],
    ["the word allow", async () => "allow", "malformed"],
    ["a list of an answer", async () => [allow()], "malformed"],
    ["a promise of an answer in an object", async () => ({ answer: allow() }), "malformed"],
    ["nothing, and throws in then", () => ({ then: throws }), "error"],
    ["nothing, and throws in the getter of then", () => gettingThen(throws), "error"],
    ["a then that is data the second time", () => flipping(), "malformed"],
    ["a native promise whose own then throws", () => nativeWith({ then: throws }), "error"],
    ["a native promise whose constructor throws", () => nativeGetting("constructor"), "error"],
    [
      "a native promise whose own then gives no answer",
      () => nativeWith({ then: (yes: (value: unknown) => void) => yes(undefined) }),
      "malformed",
    ],
    [
      "a thenable that resolves with a rejecting thenable",
      () => ({ then: (yes: (value: unknown) => void) => yes({ then: throws }) }),
      "error",
    ],
  ])("denies when it promises %s", async (_, question, basis) => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const checked = await asking(question as Question, asked);
    expect({ ...checked }).toMatchObject({ decision: "deny", basis });
    expect(JSON.stringify({ ...checked })).not.toContain(secret);
    expect(asked.clock.waiting).toBe(0);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });
});

/** First it looks like a promise, then like an ALLOW. */
function flipping(): object {
  let reads = 0;
  return {
    decision: "allow",
    get then() {
      reads++;
      return reads === 1 ? () => undefined : undefined;
    },
  };
}
function nativeWith(own: object): Promise<unknown> {
  return Object.assign(Promise.resolve(allow()), own);
}
function nativeGetting(key: string): Promise<unknown> {
  return Object.defineProperty(Promise.resolve(allow()), key, { get: throws });
}
