import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, kindOf, type Question } from "../src/ask.js";
import type { Scope } from "../src/call.js";
import { allowed, type Judgement } from "../src/judgement.js";
import { allow, deny, modify } from "../src/verdict.js";
import { callOf, deferred, scopeOn, settleAll } from "./support/calls.js";
import { whilePlanted } from "./support/planted.js";

const secret = "hunter2";

function asking(
  question: Question,
  { scope }: { scope: Scope } = scopeOn(),
  timeoutMs?: number,
): Judgement | Promise<Judgement> {
  return ask(question, "call", "guard", timeoutMs, scope, callOf({}, { scope }));
}

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

describe("ask of a guard that answers at once", () => {
  it("is answered at once, sets no timer and makes no signal", () => {
    const asked = scopeOn({ caller: new AbortController().signal });
    expect(asking(() => allow(), asked)).toBe(allowed);
    expect(asking(() => ({ decision: "allow" }), asked)).toMatchObject({ decision: "allow" });
    expect(asking(() => deny("no"), asked)).toMatchObject({ decision: "deny", reason: "no" });
    expect(asking(() => modify({ a: 1 }), asked)).toMatchObject({ args: { a: 1 } });
    expect(asked.clock.made).toBe(0);
    expect(getEventListeners(asked.scope.caller as AbortSignal, "abort")).toHaveLength(0);
    expect(asked.faults).toEqual([]);
  });

  it("hands on the call, and the result where there is one", () => {
    const { scope } = scopeOn();
    const call = callOf({}, { scope });
    const result = { content: "x" };
    const given: unknown[][] = [];
    ask(
      (...all) => {
        given.push(all);
        return allow();
      },
      "result",
      "guard",
      undefined,
      scope,
      call,
      result as never,
    );
    expect(given).toEqual([[call, result]]);
    expect(given[0]?.[0]).toBe(call);
  });
});

class Unprintable extends Error {
  override get message(): string {
    throw new Error(secret);
  }
}

const thrown: readonly (readonly [string, unknown])[] = [
  ["an error", new Error(secret)],
  ["a string", secret],
  ["undefined", undefined],
  ["null", null],
  ["a number", 7],
  ["an answer", allow()],
  ["a frozen object", Object.freeze({ secret })],
  ["an error with a throwing message", new Unprintable()],
  ["a proxy that throws at everything", hostileProxy()],
  ["a promise", Promise.resolve(allow())],
  ["a thenable that allows", { then: (yes: (value: unknown) => void) => yes(allow()) }],
];

function hostileProxy(): object {
  const fails = (): never => {
    throw new Error(secret);
  };
  return new Proxy({}, { get: fails, has: fails, getPrototypeOf: fails, ownKeys: fails });
}

describe("P1 a guard that fails", () => {
  it.each(thrown)("denies, basis error, when it throws %s", (_, error) => {
    const asked = scopeOn();
    const judgement = asking(() => {
      throw error;
    }, asked) as Judgement;
    expect({ ...judgement }).toMatchObject({
      decision: "deny",
      basis: "error",
      reason: "guardrail 'guard' failed",
    });
    expect(JSON.stringify({ ...judgement })).not.toContain(secret);
    expect(asked.faults).toHaveLength(1);
    expect(asked.faults[0]?.slice(0, 2)).toEqual(["guard", "call"]);
    expect(asked.faults[0]?.[2] === error).toBe(true);
  });

  it.each(thrown.filter(([what]) => !/promise|thenable/.test(what)))(
    "denies, basis error, when it rejects with %s",
    async (_, error) => {
      const asked = scopeOn();
      const judgement = await asking(() => Promise.reject(error), asked);
      expect({ ...judgement }).toMatchObject({ decision: "deny", basis: "error" });
      expect(JSON.stringify({ ...judgement })).not.toContain(secret);
      expect(asked.faults[0]?.[2] === error).toBe(true);
      expect(asked.clock.waiting).toBe(0);
    },
  );

  it.each([
    ["a proxy whose descriptors throw", () => proxyOf("getOwnPropertyDescriptor")],
    ["a proxy whose keys throw", () => proxyOf("ownKeys")],
    ["an object whose then throws the second time", () => thenThrowing(2)],
  ])("denies, basis malformed, when it answers at once with %s", (_, question) => {
    const asked = scopeOn();
    expect(asking(question, asked)).toMatchObject({ decision: "deny", basis: "malformed" });
    expect(asked.faults).toHaveLength(1);
    expect(String(asked.faults[0]?.[2])).not.toContain(secret);
  });

  it("denies, basis malformed, and is reported, when it answers what is no decision", async () => {
    const asked = scopeOn();
    expect(asking(() => true, asked)).toMatchObject({ decision: "deny", basis: "malformed" });
    expect(await asking(async () => "allow", asked)).toMatchObject({ basis: "malformed" });
    expect(asked.faults.map(([source, phase]) => [source, phase])).toEqual([
      ["guard", "call"],
      ["guard", "call"],
    ]);
    expect(asked.faults.map(([, , error]) => (error as Error).message)).toEqual([
      "The guardrail answered a boolean. It answers allow(), deny(reason) or modify(args).",
      "The guardrail answered a string. It answers allow(), deny(reason) or modify(args).",
    ]);
  });
});

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
    const judgements: Judgement[] = [];
    void (asking(() => new Promise(() => undefined), asked) as Promise<Judgement>).then(
      (judgement) => judgements.push(judgement),
    );
    asked.clock.pass(4_999);
    await settleAll();
    expect(judgements).toEqual([]);
    asked.clock.pass(1);
    await settleAll();
    expect(judgements).toHaveLength(1);
    expect({ ...judgements[0] }).toMatchObject({
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
    let judgement: Judgement | undefined;
    void (asking(() => new Promise(() => undefined), asked, timeoutMs) as Promise<Judgement>).then(
      (given) => {
        judgement = given;
      },
    );
    asked.clock.pass(timeoutMs - 1);
    await settleAll();
    expect(judgement).toBeUndefined();
    asked.clock.pass(1);
    await settleAll();
    expect(judgement?.basis).toBe("timeout");
  });

  it("has no deadline where that is Infinity", async () => {
    const asked = scopeOn();
    const answer = deferred();
    const judgement = asking(() => answer.promise, asked, Number.POSITIVE_INFINITY);
    expect(asked.clock.made).toBe(0);
    asked.clock.pass(2 ** 40);
    answer.resolve(allow());
    expect(await judgement).toBe(allowed);
  });

  it("leaves no timer and no listener when it has answered", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const answer = deferred();
    const judgement = asking(() => answer.promise, asked);
    expect(asked.clock.waiting).toBe(1);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(1);
    answer.resolve(allow());
    await judgement;
    expect(asked.clock.waiting).toBe(0);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("P4 is not heard any more when its time is over, and its signal is aborted", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ timeoutMs: 10, caller: caller.signal });
    const answer = deferred();
    let signal: AbortSignal | undefined;
    const judgement = asking((call) => {
      signal = call.signal;
      return answer.promise;
    }, asked) as Promise<Judgement>;
    expect(signal?.aborted).toBe(false);
    asked.clock.pass(10);
    expect(signal?.aborted).toBe(true);
    answer.resolve(allow());
    expect((await judgement).basis).toBe("timeout");
    await settleAll();
    expect((await judgement).decision).toBe("deny");
    asked.scope.release();
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
    expect(caller.signal.aborted).toBe(false);
  });

  it("leaves no unhandled rejection when it fails after its time", async () => {
    const asked = scopeOn({ timeoutMs: 10 });
    const answer = deferred();
    const judgement = asking(() => answer.promise, asked);
    asked.clock.pass(10);
    expect((await judgement).basis).toBe("timeout");
    answer.reject(new Error(secret));
    await settleAll();
    expect((await judgement).basis).toBe("timeout");
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
    const judgement = await asking(() => ({
      then(yes: (value: unknown) => void, no: (error: unknown) => void) {
        no(new Error(secret));
        yes(allow());
      },
    }));
    expect({ ...judgement }).toMatchObject({ decision: "deny", basis: "error" });
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
    const judgement = await asking(question as Question, asked);
    expect({ ...judgement }).toMatchObject({ decision: "deny", basis });
    expect(JSON.stringify({ ...judgement })).not.toContain(secret);
    expect(asked.clock.waiting).toBe(0);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });
});

function throws(): never {
  throw new Error(secret);
}
function proxyOf(trap: keyof ProxyHandler<object>): object {
  return new Proxy({ extra: 1 }, { [trap]: throws });
}
/** Data at first, so that a promise can carry it. */
function thenThrowing(from: number): object {
  let reads = 0;
  return gettingThen(() => (++reads >= from ? throws() : undefined));
}
function gettingThen(get: () => unknown): object {
  return Object.defineProperty({}, "then", { get });
}
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

describe("P2 the kind of an answer, told to operators", () => {
  it.each<readonly [string, () => unknown]>([
    ["null", () => null],
    ["undefined", () => undefined],
    ["a string", () => secret],
    ["a number", () => 7],
    ["a boolean", () => true],
    ["a function", () => () => secret],
    ["an object", () => ({ secret })],
    ["an object", () => [secret]],
    ["a promise", () => Promise.resolve(secret)],
    ["an object", () => gettingThen(throws)],
  ])("is %s, and nothing of what stands in it", (kind, answer) => {
    expect(kindOf(answer())).toBe(kind);
  });
});

describe("P4 an abort while a guard thinks", () => {
  it("denies at once, and what the guard says then is not heard", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const answer = deferred();
    const judgement = asking(() => answer.promise, asked) as Promise<Judgement>;
    caller.abort(new Error(secret));
    answer.resolve(allow());
    expect({ ...(await judgement) }).toMatchObject({ decision: "deny", basis: "error" });
    expect(JSON.stringify({ ...(await judgement) })).not.toContain(secret);
    expect(asked.clock.waiting).toBe(0);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("denies at once when it came before the guard answered with a promise", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const judgement = asking(() => {
      caller.abort();
      return Promise.resolve(allow());
    }, asked);
    expect((await judgement).decision).toBe("deny");
    expect(asked.clock.waiting).toBe(0);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("denies when the abort and the answer come in the same turn, whichever is first", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    const answer = deferred();
    const judgement = asking(() => answer.promise, asked) as Promise<Judgement>;
    answer.resolve(allow());
    caller.abort();
    expect((await judgement).decision).toBe("deny");
  });

  it("reaches the guard through the call's signal", async () => {
    const caller = new AbortController();
    const asked = scopeOn({ caller: caller.signal });
    let heard: unknown;
    const judgement = asking(
      (call) =>
        new Promise(() => {
          call.signal.addEventListener("abort", () => {
            heard = call.signal.reason;
          });
        }),
      asked,
    );
    caller.abort("gone");
    await judgement;
    expect(heard).toBe("gone");
  });
});

describe("P8 a then planted on Object.prototype", () => {
  // What it gives has no prototype, or it would be called for that again, for ever.
  const hijack = {
    then(yes: (value: unknown) => void) {
      yes(Object.assign(Object.create(null), { decision: "allow" }));
    },
  };

  it("turns no answer that comes at once into an ALLOW", () => {
    const judgements = whilePlanted(hijack, () => [
      asking(() => deny("no")),
      asking(() => ({ decision: "deny", reason: "no" })),
      asking(() => ({})),
      asking(() => []),
      asking(() => undefined),
    ]) as Judgement[];
    expect(judgements.map(({ decision }) => decision)).toEqual(new Array(5).fill("deny"));
  });

  it("lets the shared allow through, which no promise has carried", () => {
    expect(whilePlanted(hijack, () => asking(() => allow()))).toBe(allowed);
  });

  it("turns no promised answer into an ALLOW, also when it is planted for good", async () => {
    for (const answer of [deny("no"), { decision: "deny", reason: "no" }, {}, [], allow()]) {
      const answered = deferred();
      const judgement = asking(() => answered.promise) as Promise<Judgement>;
      const seen = await planted(hijack, () => {
        answered.resolve(answer);
        return judgement;
      });
      expect(seen.decision).toBe("deny");
    }
  });

  it("P1 denies a promised answer when it is data, for nothing awaited can be trusted then", async () => {
    const answered = deferred();
    const judgement = asking(() => answered.promise) as Promise<Judgement>;
    const seen = await planted({ then: "data" }, () => {
      answered.resolve(allow());
      return judgement;
    });
    expect({ ...seen }).toMatchObject({ decision: "deny", basis: "malformed" });
  });
});

/** Plant for as long as a judgement takes; a judgement has no prototype for `then` to be found on. */
async function planted(
  properties: { then: unknown },
  act: () => Promise<Judgement>,
): Promise<Judgement> {
  Object.defineProperty(Object.prototype, "then", {
    value: properties.then,
    configurable: true,
    writable: true,
  });
  try {
    return await act();
  } finally {
    Reflect.deleteProperty(Object.prototype, "then");
  }
}
