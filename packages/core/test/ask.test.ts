import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ask } from "../src/guard/ask.js";
import { kindOf } from "../src/guard/misanswer.js";
import { allowed, type CheckedDecision } from "../src/guard/read-decision.js";
import { allow, deny, modify } from "../src/guard/verdicts.js";
import {
  asking,
  failOnUnhandledRejections,
  gettingThen,
  proxyOf,
  thenThrowing,
} from "./support/asking.js";
import { callOf, scopeOn } from "./support/calls.js";
import { secret, throws } from "./support/errors.js";

failOnUnhandledRejections();

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
    const checked = asking(() => {
      throw error;
    }, asked) as CheckedDecision;
    expect({ ...checked }).toMatchObject({
      decision: "deny",
      basis: "error",
      reason: "guardrail 'guard' failed",
    });
    expect(JSON.stringify({ ...checked })).not.toContain(secret);
    expect(asked.faults).toHaveLength(1);
    expect(asked.faults[0]?.slice(0, 2)).toEqual(["guard", "call"]);
    expect(asked.faults[0]?.[2] === error).toBe(true);
  });

  it.each(thrown.filter(([what]) => !/promise|thenable/.test(what)))(
    "denies, basis error, when it rejects with %s",
    async (_, error) => {
      const asked = scopeOn();
      const checked = await asking(() => Promise.reject(error), asked);
      expect({ ...checked }).toMatchObject({ decision: "deny", basis: "error" });
      expect(JSON.stringify({ ...checked })).not.toContain(secret);
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

describe("P2 what was wrong with an answer, told to operators", () => {
  const none = "an object without a `decision` of its own";
  const wrong = 'a decision whose `decision` must be "allow", "deny" or "modify", received string';
  it.each<readonly [string, unknown]>([
    [wrong, { decision: "alow" }],
    ["a decision with a member that none has", { decision: "deny", secret }],
    [none, { verdict: "allow" }],
    [none, Object.create({ decision: "allow" })],
    ["a function", Object.assign(() => secret, { decision: "allow" })],
    ["null", null],
    ["undefined", undefined],
    ["a string", "decision"],
    ["what cannot be read", proxyOf("getOwnPropertyDescriptor")],
  ])("is that it was %s", (what, answer) => {
    const asked = scopeOn();
    asking(() => answer, asked);
    expect(asked.faults.map(([, , error]) => (error as Error).message)).toEqual([
      `The guardrail answered ${what}. It answers allow(), deny(reason) or modify(args).`,
    ]);
  });
});

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
