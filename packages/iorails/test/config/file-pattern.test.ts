import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellPattern } from "../../src/config/file-pattern.js";

describe("shellPattern", () => {
  it.each([
    ["a.yml", "a.yml", true],
    ["a.yml", "A.yml", false],
    ["a.yml", "a.ym", false],
    ["a.yml", "*", true],
    ["a.yml", "*.yml", true],
    ["a.yml", "*.y?l", true],
    ["a.yml", "?.yml", true],
    ["ab.yml", "?.yml", false],
    ["aab", "*ab", true],
    ["aXbXc", "a*b*c", true],
    ["aXb", "a*b*c", false],
    ["b", "[abc]", true],
    ["d", "[a-c]", false],
    ["d", "[!a-c]", true],
    ["]", "[]a]", true],
    ["-", "[a-]", true],
    ["b", "[c-a]", false],
    ["b", "[!c-a]", true],
    ["c", "[a-ce-g]", true],
    ["d", "[a-ce-g]", false],
    ["^", "[^a]", true],
    ["!", "[!]", false],
    ["[!]", "[!]", true],
    ["\\d", "\\d", true],
    ["\n", "?", true],
    ["😀", "[😀-😂]", true],
    ["[", "[", true],
    ["[a", "[a", true],
    ["axyml", "a.yml", false],
    ["", "", true],
    ["", "*", true],
    ["", "?", false],
  ])("of %j and %j is %j", (name, pattern, fits) => {
    expect(shellPattern(pattern)(name)).toBe(fits);
  });

  it("agrees with a regular expression", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "*", "?"), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b")), letters, (name, pattern) => {
        const source = pattern.map((c) => (c === "*" ? ".*" : c === "?" ? "." : c)).join("");
        const expected = new RegExp(`^${source}$`).test(name.join(""));
        expect(shellPattern(pattern.join(""))(name.join(""))).toBe(expected);
      }),
    );
  });

  it("takes no longer for many stars", () => {
    expect(shellPattern(`${"*a".repeat(200)}*b`)("a".repeat(2000))).toBe(false);
  });
});
