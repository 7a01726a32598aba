import { ToolstileError } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import { describe, expect, it } from "vitest";

function refusal(options: unknown): unknown {
  try {
    rateLimit(options as never);
  } catch (error) {
    return ToolstileError.isInstance(error) ? `${error.code}: ${error.message}` : error;
  }
  return undefined;
}

const some = { limit: 10, windowMs: 60_000 };

describe("the options of rateLimit", () => {
  it.each<[unknown, string]>([
    [undefined, "the options must be an object, received undefined"],
    [{}, "nothing is limited"],
    [{ key: "tool" }, "nothing is limited"],
    [{ limit: 10 }, "'windowMs' must be a whole number"],
    [{ windowMs: 10 }, "'limit' must be a whole number"],
    [{ ...some, limit: 0 }, "'limit' must be a whole number"],
    [{ ...some, limit: 1.5 }, "'limit' must be a whole number"],
    [{ ...some, limit: 1e12 }, "'limit' must be a whole number"],
    [{ ...some, windowMs: Number.POSITIVE_INFINITY }, "'windowMs' must be a whole number"],
    [{ ...some, windowMs: 0.5 }, "'windowMs' must be a whole number"],
    [
      { ...some, algorithm: "fixed" },
      '\'algorithm\' must be one of "log", "sub-windows", "gcra", received string',
    ],
    [{ ...some, algorithm: "log", limit: 2_000_000 }, 'Use "sub-windows"'],
    [{ ...some, burst: 2 }, "'burst' must be left out unless the algorithm is \"gcra\""],
    [{ ...some, algorithm: "gcra", burst: 11 }, "'burst' must be a whole number from 1 to 10"],
    [{ ...some, limits: [some] }, "'limit' must not stand beside 'limits'"],
    [{ limits: [] }, "'limits' must have at least 1 item, received 0."],
    [{ limits: some }, "'limits' must be an array of { limit, windowMs }"],
    [
      { limits: Object.assign([], { 1: some }) },
      "'limits[0]' must be an object of options, received undefined",
    ],
    [{ limits: new Array(1) }, "'limits[0]' must be an object of options, received undefined"],
    [{ ...some, key: Object.assign([], { 1: "tool" }) }, "'key' must be one of 'tool', 'agent'"],
    [{ limits: [some, { limit: 1 }] }, "'limits[1].windowMs' must be a whole number"],
    [
      { limits: [{ ...some, window: 1 }] },
      "ERR_UNKNOWN_OPTION: rateLimit(): 'limits[0]' has no option 'window'",
    ],
    [{ ...some, window: 1 }, "Did you mean 'windowMs'?"],
    [{ ...some, key: "user" }, "'key' must be one of 'tool', 'agent'"],
    [{ ...some, key: "constructor" }, "'key' must be one of 'tool', 'agent'"],
    [{ ...some, key: "all" }, "('session' counts all tools of a session together)"],
    [{ ...some, reason: "" }, "'reason' must be a reason, as text"],
    [{ ...some, key: [] }, "'key' must be one of 'tool', 'agent'"],
    [{ ...some, key: ["tool", () => "x"] }, "'key' must be one of 'tool', 'agent'"],
    [{ ...some, cost: -1 }, "'cost' must be a number of units"],
    [{ ...some, cost: "1" }, "'cost' must be a number of units"],
    [{ ...some, concurrency: 0 }, "'concurrency' must be a whole number"],
    [{ ...some, maxKeys: 0 }, "'maxKeys' must be a whole number"],
    [{ ...some, now: 0 }, "'now' must be a function"],
    [{ ...some, name: "" }, "'name' must be a non-empty string"],
    [{ ...some, store: {} }, "'store' must be a function"],
    [{ ...some, store: () => ({}) }, "'store' must return an object with a reserve() function"],
    [
      { ...some, store: () => ({ reserve() {} }), maxKeys: 5 },
      "'maxKeys' must not stand beside 'store'",
    ],
    [
      { ...some, store: () => ({ reserve() {} }), now: () => 0 },
      "'now' must not stand beside 'store'",
    ],
  ])("P5 are refused, and the refusal names what is wrong: %j", (options, message) => {
    expect(refusal(options)).toContain(message);
    expect(refusal(options)).toMatch(/^ERR_(INVALID|UNKNOWN)_OPTION: /);
  });

  it.each<[string, unknown]>([
    [
      "members of a class",
      new (class {
        limit = 10;
        windowMs = 60_000;
        get concurrency() {
          return 1;
        }
      })(),
    ],
    ["inherited in part", Object.assign(Object.create({ concurrency: 1 }), some)],
    ["set by __proto__", { ...some, __proto__: { concurrency: 1 } }],
    [
      "a limit's and inherited in part",
      { limits: [Object.assign(Object.create({ burst: 1 }), some)] },
    ],
  ])("P5 are refused where they are %s: a limit could be lost without a word", (_, options) => {
    expect(refusal(options)).toMatch(
      /^ERR_INVALID_OPTION: rateLimit\(\): .* must be a plain object/,
    );
  });

  it("P5 are read also where they are hidden", () => {
    const hidden = Object.defineProperty({ ...some }, "concurrency", { value: 0 });
    expect(refusal(hidden)).toContain("'concurrency' must be a whole number");
  });

  it("tell a store what to hold the limiter to", () => {
    let told: unknown;
    rateLimit({
      limits: [some, { limit: 5_000, windowMs: 1_000 }],
      concurrency: 4,
      cost: () => 2,
      name: "mail-limit",
      store: (policy) => {
        told = policy;
        return { reserve: () => ({ granted: true, commit() {}, giveBack() {} }) };
      },
    });
    expect(told).toMatchObject({
      name: "mail-limit",
      limits: [{ algorithm: "log" }, { algorithm: "sub-windows" }],
      concurrency: 4,
      weighted: true,
    });
  });
});

describe("the terms of a limit", () => {
  it.each([
    [
      { limit: 1_000, windowMs: 60_000 },
      { algorithm: "log", bound: 1_000, lateMs: 0 },
    ],
    [
      { limit: 1_001, windowMs: 60_000 },
      { algorithm: "sub-windows", bound: 1_001, lateMs: 7_500 },
    ],
    [
      { limit: 1_001, windowMs: 3 },
      { algorithm: "sub-windows", bound: 1_001, lateMs: 1 },
    ],
    [
      { limit: 10, windowMs: 60_000, algorithm: "gcra" },
      { burst: 10, bound: 20, lateMs: 0 },
    ],
    [
      { limit: 10, windowMs: 60_000, algorithm: "gcra", burst: 1 },
      { burst: 1, bound: 11 },
    ],
  ] as const)("say what %j amounts to", (limit, terms) => {
    expect(rateLimit(limit).limits).toMatchObject([terms]);
  });
});
