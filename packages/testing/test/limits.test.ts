import {
  allow,
  deny,
  type GuardrailProvider,
  modify,
  rewrite,
  type ToolCall,
} from "@toolstile/core";
import { describe, expect, it } from "vitest";
import {
  call,
  type KitLimits,
  type ProviderCases,
  result,
  type TestFunction,
  testProvider,
  testResultGuardrail,
} from "../src/index.js";
import { failingSentences } from "./failing-sentences.js";
import { cases, good, judge } from "./providers.js";
import { modifies, planted, pure, ranModified, settled, stray, thawed } from "./sentences.js";

const searches: ProviderCases = {
  allowed: call({ query: "oolong" }),
  denied: call({}, "send_mail"),
};

/** Every second question is one too many, whichever it is. */
const counting = (): GuardrailProvider => {
  let asked = 0;
  return {
    name: "counting",
    evaluate: (each) =>
      judge(each).decision === "deny" || ++asked % 2 === 0 ? deny("no") : allow(),
  };
};

const times = { made: 0 };
const stamping = (): GuardrailProvider => ({
  name: "stamping",
  evaluate: ({ toolName, args }) =>
    toolName === "search"
      ? modify({ ...args, number: ++times.made })
      : deny("only searches may run"),
});

const shared = { taken: 0 };
const remembering = (): GuardrailProvider => ({
  ...good(),
  admit: () => (++shared.taken > 1_000_000 ? deny("full") : allow()),
  settle: () => {
    shared.taken = Math.max(0, shared.taken - 1);
  },
});

/** A client that meets what it did not send. */
const remote = (): GuardrailProvider => ({
  name: "remote",
  evaluate: async (asked: ToolCall) => {
    const sent: Record<string, unknown> = {};
    for (const key in sent) throw new Error(`unexpected ${key}`);
    return judge(asked);
  },
});

/** Runs the tests that are registered, and lists the skipped ones. */
async function tried(make: () => GuardrailProvider, given: ProviderCases) {
  const skipped: string[] = [];
  const failed = await failingSentences((it) => {
    const skip = (name: string): unknown => skipped.push(name);
    testProvider(
      Object.assign((...test: Parameters<TestFunction>) => it(...test), { skip }),
      make,
      given,
    );
  });
  return { skipped, failed: [...failed.keys()] };
}

describe("a limit", () => {
  it.each<[keyof KitLimits, () => GuardrailProvider, ProviderCases, string[]]>([
    ["deterministic", counting, searches, [pure, thawed, planted]],
    ["offline", remote, cases, [planted]],
    [
      "idempotent",
      stamping,
      { modified: call({ q: "tea" }), denied: call({}, "send_mail") },
      [settled],
    ],
  ])(
    "of a guard that cannot be %s skips, with its reason, the tests that need it",
    async (limit, make, given, taken) => {
      const without = await tried(make, given);
      const why = "it is made so";
      const stated = { deterministic: limit === "idempotent" ? why : undefined, [limit]: why };
      const { skipped, failed } = await tried(make, { ...given, cannot: stated });
      for (const sentence of taken) {
        expect(without.failed).toContain(sentence);
        expect(skipped).toContain(`${sentence} (cannot be ${limit}: it is made so)`);
      }
      expect(without.skipped).toEqual([]);
      expect(failed).toEqual([]);
    },
  );

  it("of a store that all share skips the test that needs a fresh guard", async () => {
    const { skipped, failed } = await tried(remembering, {
      ...cases,
      cannot: { fresh: "one store" },
    });
    expect(skipped).toEqual([`${stray} (cannot be fresh: one store)`]);
    expect(failed).toEqual([]);
  });

  it("of a judge of results skips what it does to them", () => {
    const skipped: string[] = [];
    const skip = (name: string): unknown => skipped.push(name);
    const asked = call({ query: "oolong" });
    testResultGuardrail(
      Object.assign((): unknown => undefined, { skip }),
      () => ({ name: "j", evaluateResult: () => rewrite({ content: `${++times.made}` }) }),
      {
        rewritten: { call: asked, result: result(asked, "a tea") },
        cannot: { idempotent: "it numbers them" },
      },
    );
    expect(skipped).toEqual([
      "leaves alone what it rewrote (cannot be idempotent: it numbers them)",
    ]);
  });

  it("leaves a guard held to what it decides", async () => {
    const given = {
      modified: call({ q: "tea" }),
      cannot: { idempotent: "no", deterministic: "no" },
    };
    const { failed } = await tried(() => ({ name: "idle", evaluate: () => allow() }), given);
    expect(failed).toContain(modifies);
    expect(failed).not.toContain(ranModified);
  });

  it.each<[string, KitLimits, string]>([
    ["that is not known", { determinstic: "no" } as KitLimits, "Did you mean 'deterministic'?"],
    ["without a reason", { offline: "" }, "'offline' must be"],
    [
      "that takes no test away",
      { idempotent: "no" },
      "'cannot.idempotent' takes no test of these cases away.",
    ],
  ])("%s is refused", (_, cannot, message) => {
    expect(() => testProvider(it, good, { ...searches, cannot })).toThrow(message);
  });
});
