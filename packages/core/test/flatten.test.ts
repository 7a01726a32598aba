import { describe, expect, it } from "vitest";
import { chain } from "../src/guard/compose.js";
import { flatten } from "../src/guard/define.js";
import { failOpen } from "../src/guard/fail-open.js";
import { parallel } from "../src/guard/parallel.js";
import { shadow } from "../src/guard/shadow.js";
import type { GuardrailProvider } from "../src/protocol/guardrail.js";
import { provider } from "./support/calls.js";
import { errorOf } from "./support/errors.js";

describe("flatten", () => {
  it("P5 names the two of one name", () => {
    const error = errorOf(() => flatten([provider("a"), provider("b"), provider("a")]));
    expect(error.code).toBe("ERR_DUPLICATE_PROVIDER");
    expect(error.message).toContain("'a'");
  });

  it("P5 names the two of one name also where one stands inside what is asked as one", () => {
    const same = (): GuardrailProvider => provider("same");
    for (const guards of [
      [parallel([same()]), same()],
      [same(), shadow(chain([provider("a"), same()]))],
      [same(), shadow(same())],
      [failOpen(same()), failOpen(parallel([same()]))],
      [failOpen(shadow(same())), same()],
      [parallel([provider("a"), shadow(same())]), parallel([same()])],
      [parallel([provider("a")], { name: "same" }), same()],
      [parallel([same()], { name: "same" })],
    ]) {
      const error = errorOf(() => flatten(guards));
      expect(error.code).toBe("ERR_DUPLICATE_PROVIDER");
      expect(error.message).toContain("'same'");
    }
    expect(() =>
      flatten([shadow(provider("a")), failOpen(provider("b")), parallel([provider("c")])]),
    ).not.toThrow();
  });

  it("P8 knows names as names: constructor and __proto__ are two like others", () => {
    const guards = flatten(
      ["constructor", "__proto__", "toString", "hasOwnProperty"].map((name) => provider(name)),
    );
    expect(guards.map(({ facts }) => facts.name)).toEqual([
      "constructor",
      "__proto__",
      "toString",
      "hasOwnProperty",
    ]);
    expect(errorOf(() => flatten([provider("__proto__"), provider("__proto__")])).code).toBe(
      "ERR_DUPLICATE_PROVIDER",
    );
  });

  it("P3 takes a chain apart, and refuses a copy of one, of which it cannot tell what counts", () => {
    const made = chain([provider("a"), provider("b")]);
    expect(flatten([made]).map(({ facts }) => facts.name)).toEqual(["a", "b"]);
    expect(errorOf(() => flatten([{ ...made }])).code).toBe("ERR_INVALID_PROVIDER");
  });

  it("P2 shows a strange name only in quotes", () => {
    const error = errorOf(() => flatten([provider("a\nb"), provider("a\nb")]));
    expect(error.message).toContain("'a\\u{a}b'");
    expect(error.message).not.toContain("\n");
  });
});
