import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { ToolstileError } from "../src/errors/error.js";
import { didYouMean, editDistance, nearest, quoted } from "../src/errors/names.js";
import { checkOptions } from "../src/errors/options.js";

function thrown(act: () => unknown): ToolstileError {
  try {
    act();
  } catch (error) {
    if (error instanceof ToolstileError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("quoted", () => {
  it.each([
    ["send_mail", "'send_mail'"],
    ["", "''"],
    ["it's", "'it\\'s'"],
    ["a\\b", "'a\\\\b'"],
    ["a\nb", "'a\\u{a}b'"],
    ["\u0000", "'\\u{0}'"],
    ["\u007f", "'\\u{7f}'"],
    ["раypal", "'\\u{440}\\u{430}ypal'"],
    ["\u202egnp", "'\\u{202e}gnp'"],
    ["😀", "'\\u{1f600}'"],
    ["\ud83d", "'\\u{d83d}'"],
    ["\u{e0041}", "'\\u{e0041}'"],
  ])("P2 writes %j as %s", (name, shown) => {
    expect(quoted(name)).toBe(shown);
  });

  it("P2 cuts a name after 64 units, and says so", () => {
    expect(quoted("x".repeat(64))).toBe(`'${"x".repeat(64)}'`);
    expect(quoted(`${"x".repeat(64)}y`)).toBe(`'${"x".repeat(64)}…'`);
  });
});

describe("nearest", () => {
  it.each([
    ["rate_limit", ["rate-limit", "allowlist"], "rate-limit"],
    ["Serch", ["search", "send"], "search"],
    ["SEND_MAIL", ["send_mail"], "send_mail"],
    ["evaluateResults", ["evaluate", "evaluateResult"], "evaluateResult"],
  ])("P5 takes %j among %j for %j", (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected);
  });

  it("P5 offers nothing when no candidate is near", () => {
    expect(nearest("weather", ["send_mail", "delete_file"])).toBeUndefined();
    expect(nearest("weather", [])).toBeUndefined();
  });

  it("P5 offers two slips off a short name and not three", () => {
    expect(nearest("abcd", ["abxy"])).toBe("abxy");
    expect(nearest("abcd", ["axyz"])).toBeUndefined();
  });

  it("P5 offers a third of a long name and no more", () => {
    expect(nearest("abcdefghijkl", ["abcdefghwxyz"])).toBe("abcdefghwxyz");
    expect(nearest("abcdefghijkl", ["abcdefgvwxyz"])).toBeUndefined();
  });

  it("P17 offers no name that is far longer, even if both begin with the same 64 units", () => {
    const name = "x".repeat(64);
    expect(nearest(name, ["x".repeat(85)])).toBe("x".repeat(85));
    expect(nearest(name, ["x".repeat(86)])).toBeUndefined();
  });

  it("offers the nearest of several, and the first of equals", () => {
    expect(nearest("cart", ["cat", "card", "cart1"])).toBe("cat");
    expect(nearest("cart", ["crt12", "card"])).toBe("card");
  });
});

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["abc", "", 3],
    ["kitten", "sitting", 3],
    ["flaw", "lawn", 2],
    ["same", "same", 0],
    ["exceute", "execute", 1],
    ["evalaute", "evaluate", 1],
    ["ab", "ba", 1],
  ])("of %j and %j is %d", (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
  });

  it("P17 looks at 64 units of a name at most", () => {
    expect(editDistance("x".repeat(1_000_000), "y".repeat(1_000_000))).toBe(64);
  });
});

describe("didYouMean", () => {
  it("asks, with the name quoted, or says nothing", () => {
    expect(didYouMean("serch", ["search"])).toBe(" Did you mean 'search'?");
    expect(didYouMean("weather", ["search"])).toBe("");
  });
});

describe("checkOptions", () => {
  it("takes any part of what is known", () => {
    expect(() => checkOptions("limiter()", {}, ["max", "per"])).not.toThrow();
    expect(() => checkOptions("limiter()", { max: 1, per: 2 }, ["max", "per"])).not.toThrow();
  });

  it("P5 names an unknown option, the nearest right one, and all there are", () => {
    const error = thrown(() => checkOptions("limiter()", { maxx: 1 }, ["max", "per"]));
    expect(error.code).toBe("ERR_UNKNOWN_OPTION");
    expect(error.message).toBe(
      "limiter() has no option 'maxx'. Did you mean 'max'? It takes: max, per.",
    );
  });

  it("P5 says when there is no option at all", () => {
    const error = thrown(() => checkOptions("allowAll()", { unsafe: true }, []));
    expect(error.message).toBe("allowAll() has no option 'unsafe'. It takes: none.");
  });

  it.each([
    ["null", null],
    ["undefined", undefined],
    ["text", "max"],
    ["a list", ["max"]],
    ["a function", () => ({})],
    ["a map", new Map([["max", 1]])],
    ["a set", new Set(["max"])],
    ["a promise", Promise.resolve({ max: 1 })],
    ["a date", new Date(0)],
    ["an abort controller", new AbortController()],
  ])("P5 refuses %s in the place of options", (_, options) => {
    const error = thrown(() => checkOptions("limiter()", options, ["max"]));
    expect(error.code).toBe("ERR_INVALID_OPTION");
    expect(error.message).toMatch(
      /^limiter\(\): the options must be a plain object, received [a-z ]+\.$/,
    );
  });

  it("takes options without a prototype, of another realm, and of a class that has some", () => {
    class RunnerContext {
      max = 1;
    }
    const ofAnotherRealm: unknown = runInNewContext("({})");
    const bare = Object.create(null);
    for (const options of [bare, ofAnotherRealm, new RunnerContext()]) {
      expect(() => checkOptions("limiter()", options, ["max"])).not.toThrow();
    }
  });

  it("P2 never repeats the value of an option", () => {
    const error = thrown(() => checkOptions("limiter()", { key: "hunter2" }, ["max"]));
    expect(error.message).not.toContain("hunter2");
  });
});
