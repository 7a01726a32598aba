import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TooMuchWork } from "../../src/detection/pattern-search.js";
import { compilePatterns, PatternError } from "../../src/detection/patterns.js";

const isFound = (pattern: string, text: string, ignoreCase = false): boolean =>
  compilePatterns([pattern], ignoreCase).foundIn([text]).length > 0;

/** Patterns and texts drawn at random, and what `re.search` of CPython 3.11.7 made of them. */
const drawn: readonly [string, boolean, string, boolean | "refused"][] = JSON.parse(
  readFileSync(new URL("python-re.json", import.meta.url), "utf8"),
);

describe("patterns of Python's re", () => {
  it("are found in 640 drawn texts where Python finds them, and 60 that it refuses are refused", () => {
    const ours = drawn.map(([pattern, ignoreCase, text]) => {
      try {
        return isFound(pattern, text, ignoreCase);
      } catch (error) {
        if (error instanceof PatternError) return "refused";
        throw error;
      }
    });
    expect(ours).toEqual(drawn.map(([, , , found]) => found));
    expect(ours.filter((found) => found === true)).toHaveLength(320);
    expect(ours.filter((found) => found === "refused")).toHaveLength(60);
  });

  it.each([
    ["^\\d{4}$", "the code is 1234", false],
    ["^\\d{4}$", "1234\n", true],
    ["^\\d{4}\\Z", "1234\n", false],
    ["1$\\n", "1\n", true],
    ["^b", "a\nb", false],
    ["(?m)^b$", "a\nb\nc", true],
    ["a.b", "a\nb", false],
    ["(?s)a.b", "a\nb", true],
    ["\\bcafé\\b", "(café)", true],
    ["\\bcaf\\b", "café", false],
    ["(?a)\\bcaf\\b", "café", true],
    ["\\d", "\u0663", true],
    ["(?<!\\d)\\d{3}-\\d{2}(?!\\d)", "ref 123-45, 9", true],
    ["(?<!\\d)\\d{3}-\\d{2}(?!\\d)", "ref 1234-45", false],
    ["a(?=b(?!c))", "abc abd", true],
    ["(?P<word>x)(?#note)y", "xy", true],
    ["(?x) a  # a letter\n b", "ab", true],
    ["[]a]", "]", true],
    ["a{,2}b{", "b{", true],
    ["\\U0001F600", "😀", true],
  ])("has %j find in %j what Python does", (pattern, text, found) => {
    expect(isFound(pattern, text)).toBe(found);
  });

  it.each([
    ["stra\u00dfe", "STRASSE", false],
    ["stra\u00dfe", "STRA\u1e9eE", true],
    ["k", "\u212a", true],
    ["[h-j]", "\u0130", true],
    ["\u03c3", "\u03a3\u03c2", true],
  ])("has %j find in %j, case ignored, what Python does", (pattern, text, found) => {
    expect(isFound(pattern, text, true)).toBe(found);
  });

  it.each([
    ["(a)\\1", "refers back"],
    ["(?P<n>a)(?P=n)", "refers back"],
    ["(a)?(?(1)b|c)", "refers back"],
    ["(?P<n>a)|(?P<n>b)", "two groups of one name"],
    ["a*+", "possessive"],
    ["(?>a)", "atomic"],
    ["(?<=a*)b", "no fixed length"],
    ["\\N{DASH}", "\\N"],
    ["a{3000}{3000}", "repeats a repetition"],
    ["(?:a{3000}){3000}", "too large"],
    ["(?:(?:(?:){1000000000}){1000000000})", "never"],
    ["a".repeat(4_097), "longer than"],
    ["(".repeat(200) + ")".repeat(200), "nest too deeply"],
  ])("refuses %.30s, and says why", (pattern, why) => {
    const compile = () => compilePatterns(["ok", pattern], false);
    if (why === "never") expect(compile).not.toThrow();
    else expect(compile).toThrow(why);
  });

  it("name the index and the pattern that is refused", () => {
    expect(() => compilePatterns(["ok", "(unclosed"], false)).toThrow(
      'has at index 1 a pattern that cannot be run: "(unclosed" has a parenthesis that is not closed',
    );
  });

  it("reports all that match, in the order of the list, and in each of several texts", () => {
    const patterns = compilePatterns(["a", "b", "^c$"], false);
    expect(patterns.foundIn(["ba"])).toEqual(["a", "b"]);
    expect(patterns.foundIn(["x", "c"])).toEqual(["^c$"]);
    expect(patterns.foundIn([])).toEqual([]);
  });

  // Python's own engine takes 29 s for 29 characters: here it would never end.
  it("ends on 200,000 characters that backtracking would never come to the end of", () => {
    expect(isFound("(a+)+$", `${"a".repeat(200_000)}!`)).toBe(false);
    expect(isFound("(a|aa)+b$", "a".repeat(200_000))).toBe(false);
    expect(isFound("(?=(a+)+b)c", "a".repeat(200_000))).toBe(false);
  });

  it("gives up on a text that takes too much work, in place of saying that nothing is there", () => {
    let state = 1;
    const bit = (): string => {
      state = (state * 48_271) % 2_147_483_647;
      return state & 64 ? "a" : "b";
    };
    const text = Array.from({ length: 400_000 }, bit).join("");
    expect(() => isFound("a(a|b){40}c", text)).toThrow(TooMuchWork);
  });

  it("finds the same after it has forgotten what it had learnt", () => {
    const many = Array.from({ length: 0x3000 }, (_, at) => String.fromCodePoint(0x4e00 + at));
    const patterns = compilePatterns(["[\u4e00-\u9fff]{3}!", "\u4e00(?!\u4e01)"], false);
    for (let round = 0; round < 4; round++) {
      expect(patterns.foundIn([`${many.join("")}!`])).toEqual(["[\u4e00-\u9fff]{3}!"]);
      expect(patterns.foundIn([`\u4e00!`])).toEqual(["\u4e00(?!\u4e01)"]);
    }
  });
});
