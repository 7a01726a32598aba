import { describe, expect, it } from "vitest";
import { Meter } from "../../src/cost/meter.js";
import { backtrackingCost, trimPattern } from "../../src/patterns/backtracking.js";
import { unicodeProperty } from "../../src/patterns/code-points.js";
import { PatternCompiler } from "../../src/patterns/pattern.js";
import { parsePattern } from "../../src/patterns/syntax.js";

const pattern = (source: string, limit = 65_536) =>
  new PatternCompiler(new Meter(1e9), limit).compile(source);
const degree = (source: string) =>
  backtrackingCost(trimPattern(parsePattern(source, unicodeProperty))).degree;

describe("P18 what is proved of backtracking", () => {
  it.each([
    "^a$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^https?://",
    "^(?:GET|POST|PUT)$",
    "^[0-9a-f]{8}-[0-9a-f]{4}$",
  ])("P18 %s does a fixed amount of work", (source) => {
    expect(degree(source)).toBe(0);
  });

  it.each([
    "^[^@\\s]+@[^@\\s]+$",
    "^[a-z]+(?:\\.[a-z]+)*$",
    "^.{1,5000}$",
    "^AS\\d+$",
    "\\S",
    "[a-z]+",
    "abc",
    "^(?:[a-z]+;)*$",
  ])("P18 %s is linear", (source) => {
    expect(degree(source)).toBe(1);
  });

  it.each([
    ["x*y", 2],
    ["^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$", 2],
    ["^a*a*$", 2],
    ["a*a*b", 3],
    ["^\\w+\\d+$", 2],
    ["(.*)x(.*)y", 4],
    ["^(?:[a-z]+\\.)*[a-z]+$", 2],
    ["^a?(?:ab)*a{0,99}b$", 2],
  ])("P18 %s is seen to be worse than linear", (source, least) => {
    expect(degree(source)).toBeGreaterThanOrEqual(least);
  });

  it.each([
    "^(a+)+$",
    "^(a*)*$",
    "^(a|a)*$",
    "^(x|x)*$",
    "^(a|ab|b)*c",
    "^(a?){50}a{50}$",
    "^(?:a?b?)*$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^(?:(?:ab|a)(?:b|c)?)*$",
    "^(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)$",
    "^(?:\\b)*a$",
  ])("P18 of %s nothing is proved", (source) => {
    expect(degree(source)).toBe(Number.POSITIVE_INFINITY);
  });

  it("trims what may follow without an end in sight, and what it hides", () => {
    expect(degree("^b(?:(?:a+)+c)*")).toBe(0);
    expect(degree("^b(?:(?:a+)+c)+")).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("P18 a hostile text", () => {
  // Exponential or quadratic, each of these would not come back for hours.
  it.each([
    ["^(a+)+$", "a"],
    ["^(a|a)*$", "a"],
    ["a*a*b", "a"],
    ["(.*)x(.*)y", "x"],
    ["x*y", "x"],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a"],
    ["(?:a|b|ab)*c", "ab"],
    ["^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$", "@."],
    ["^(?:[a-z]+\\.)*[a-z]+$", "a."],
    ["(a?){50}a{50}!", "a"],
  ])("P18 is answered by %s", (source, unit) => {
    const hostile = `${unit.repeat(30_000)}!`;
    expect(pattern(source).test(hostile.slice(0, 59_999))).toBeTypeOf("boolean");
  });

  it("P18 ends the check where RE2 meets a text beyond the limit, and natively linear ones go on", () => {
    expect(pattern("(a|b|ab)*c", 10).test("ababababc")).toBe(true);
    expect(() => pattern("(a|b|ab)*c", 10).test("abababababc")).toThrow();
    expect(pattern("^[ab]*c$", 10).test("abababababc")).toBe(true);
  });

  it("P18 charges a long text to the meter", () => {
    const meter = new Meter(100_000);
    const re2 = new PatternCompiler(meter, 65_536).compile("(a|b|ab)*c");
    expect(() => re2.test("a".repeat(60_000))).toThrow();
    meter.refill();
    const native = new PatternCompiler(meter, 65_536).compile("^[a-z]+(?:\\.[a-z]+)*$");
    expect(() => native.test("a".repeat(1_000_000))).toThrow();
  });

  it.each([
    ["(?:(?:a{500}){500}|a)*c", "larger than 1000"],
    ["(?:(?:a{0,30}b?){30})*c", "larger than 1000"],
    [`${"(".repeat(200)}a${")".repeat(200)}`, "nest too deeply"],
    ["a".repeat(5000), "longer than 4096"],
  ])("P18 refuses %s", (source, reason) => {
    expect(() => pattern(source)).toThrow(reason);
  });
});

describe("reading a pattern", () => {
  it.each([
    ["(a)\\1", "backreference"],
    ["(?<n>a)\\k<n>", "backreference"],
    ["(?<=a)", "lookbehind"],
    ["(?<!a)", "lookbehind"],
    ["a+(?=bc)", "lookahead that cannot be taken apart"],
    ["^(?:(?!--)[a-z-])+$", "lookahead that cannot be taken apart"],
    ["^(?=(?!a)b)c", "lookahead that cannot be taken apart"],
    ["(?=a)*b", "repeats an assertion"],
    ["(?i:a)", "modifier"],
    ["a**", "nothing to repeat"],
    ["*", "nothing to repeat"],
    ["^*", "repeats an assertion"],
    ["a{2,1}", "out of order"],
    ["[b-a]", "out of order"],
    ["(a", "unmatched '('"],
    ["a)", "unmatched ')'"],
    ["[a", "unmatched '['"],
    ["[a-", "unmatched '['"],
    ["a\\", "ends in a backslash"],
    ["\\p{Nonsense}", "no Unicode property"],
    ["\\p{L", "unfinished"],
    ["\\pL", "unfinished"],
    ["\\p{}", "no Unicode property"],
    ["\\u{110000}", "malformed"],
    ["\\u12", "malformed"],
    ["\\xg1", "malformed"],
    ["\\a", "does not know"],
    ["\\Z", "does not know"],
    ["\\07", "does not know"],
    ["\\c1", "does not know"],
    ["(?<n", "unfinished group name"],
  ])("refuses %s", (source, reason) => {
    expect(() => pattern(source)).toThrow(reason);
  });

  it.each([
    ["^\\d$", "5", "\u09EA"],
    ["^\\s$", "\uFEFF", "\u180E"],
    ["^\\w$", "_", "é"],
    ["^.$", "\u{1F600}", "\u2028"],
    ["^a$", "a", "a\n"],
    ["^[^]$", "\n", ""],
    ["^[]?$", "", "a"],
    ["^[\\b]$", "\b", "b"],
    ["^\\cA\\0\\x41\\u0042\\u{43}\\t$", "\u0001\u0000ABC\t", "A"],
    ["^\\ud83d\\ude00{2}$", "\u{1F600}\u{1F600}", "\u{1F600}"],
    ["^[\u{1F600}-\u{1F64F}]$", "\u{1F610}", "\ud83d"],
    ["^\\p{Lu}\\P{Lu}$", "Éé", "éÉ"],
    ["^\\p{Script=Greek}+$", "αβγ", "abc"],
    ["\\bcat\\b", "a cat", "concat"],
    ["\\Bcat", "concat", "a cat"],
    ["^a{,2}$", "a{,2}", "aa"],
    ["^{a}]$", "{a}]", "a"],
    ["^\\@\\_\\-\\ $", "@_- ", "@"],
    ["^[\\w-.]+$", "a-.", "!"],
    ["^[\\w.-]+$", "a-.", "!"],
    ["^(?:a|)b??c+?(?<n>d)$", "bccd", "abbcd"],
    ["^a{0}b$", "b", "ab"],
    ["(?:^a|^b)c", "bc", "abc"],
    ["a(?:$|b)", "xa", "ac"],
    // The same through RE2.
    ["^(?:\\s|\\s\\d)*x$", "\uFEFF5x", "\u180Ex"],
    ["^(?:.|..)*x$", "\u{1F600}x", "\nx"],
    ["^(?:[]|a|aa)*x$", "aax", "b"],
    ["^(?:[^]|a)*x$", "a\nx", "y"],
    ["^(?:a|aa)*\\bx?$", "aa", "aax"],
    ["^(?:\\p{L}|é)*\\.$", "éß.", "5."],
  ])("%s matches %j and not %j", (source, yes, no) => {
    expect([pattern(source).test(yes), pattern(source).test(no)]).toEqual([true, false]);
  });
});
