import { describe, expect, it } from "vitest";
import {
  patternAllows as allows,
  patternDenies as denies,
  patternAllows,
  patternDenies,
} from "../src/guard/tool-names.js";
import { allowAll, forTools } from "../src/index.js";

describe.each([
  ["allows", allows],
  ["denies", denies],
])("a pattern that %s", (_, matches) => {
  it.each([
    ["crm_*", "crm_find", true],
    ["crm_*", "crm_", true],
    ["crm_*", "crm", false],
    ["crm_*", "my_crm_find", false],
    ["*_read", "crm_read", true],
    ["*_read", "crm_reads", false],
    ["a*b*c", "aXbXbXc", true],
    ["a*b*c", "aXcXb", false],
    ["?at", "cat", true],
    ["?at", "at", false],
    ["?at", "chat", false],
    ["*", "anything", true],
    ["*?", "a", true],
    ["*?", "", false],
    ["a.c", "abc", false],
    ["[ab]", "a", false],
    ["(a|b)", "a", false],
    ["^a$", "a", false],
  ])("%s on %s is %s", (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it("takes what a pattern spells out literally, whatever it is", () => {
    expect(matches("größe_*", "größe_x")).toBe(true);
    expect(matches("größe_*", "grosse_x")).toBe(false);
  });

  it("P18 answers in at most the product of both lengths, also where a regular expression would explode", () => {
    expect(matches("a*".repeat(127), `${"a".repeat(255)}!`)).toBe(true);
    expect(matches(`${"a*".repeat(127)}b`, "a".repeat(256))).toBe(false);
  });
});

const unusual = [
  ["white space", "crm_find all"],
  ["a line break", "crm_find\n"],
  ["a letter of no English word", "crm_l\u00f6schen"],
  ["a Cyrillic letter", "crm_f\u0456nd"],
  ["what cannot be seen", "crm_find\u200b"],
  ["a control character", "crm_\u0000"],
  ["a fullwidth letter", "crm_\uff46ind"],
  ["a character of two code units", "crm_\u{1f4a3}"],
  ["half of one", "crm_\ud83d"],
] as const;

describe("a wildcard", () => {
  it.each(unusual)("stands where tools are allowed for no %s", (_, name) => {
    expect(allows("crm_*", name)).toBe(false);
    expect(allows("*", name)).toBe(false);
  });

  it.each(unusual)("stands where tools are denied for %s, too", (_, name) => {
    expect(denies("crm_*", name)).toBe(true);
    expect(denies("*", name)).toBe(true);
    expect(denies(`crm_${"?".repeat([...name].length - 4)}`, name)).toBe(true);
    expect(denies(`?${"?".repeat([...name].length)}`, name)).toBe(false);
  });
});

describe("a name of more than 256 characters", () => {
  const long = (start: string): string => start + "a".repeat(300);

  it("is allowed by no pattern", () => {
    expect(allows("*", "a".repeat(256))).toBe(true);
    for (const pattern of ["*", "crm_*", "*a"]) expect(allows(pattern, long("crm_"))).toBe(false);
  });

  it.each([
    ["crm_*", true],
    ["crm_*_delete", true],
    ["*", true],
    ["*_delete", true],
    ["c?m_*", true],
    ["erp_*", false],
    ["crm_?", false],
    ["crm_find", false],
  ])("is denied by %s: %s", (pattern, expected) => {
    expect(denies(pattern, long("crm_"))).toBe(expected);
  });

  it("is denied by as many question marks as it has characters of two code units", () => {
    expect(denies("?".repeat(150), "😀".repeat(150))).toBe(true);
    expect(denies("?".repeat(149), "😀".repeat(150))).toBe(false);
  });

  it("P18 is denied without a look at all that a pattern could try", () => {
    expect(denies(`${"a*".repeat(127)}b`, "a".repeat(1_000_000))).toBe(true);
  });
});

describe("P5 a pattern of tools", () => {
  it("P5 that allows has printable characters for its wildcards", () => {
    for (const wildcard of ["*", "?"]) {
      for (const [character, isAllowed] of [
        [" ", false],
        ["!", true],
        ["~", true],
        ["\x7f", false],
        ["\x80", false],
      ] as const) {
        expect(patternAllows(`a${wildcard}`, `a${character}`)).toBe(isAllowed);
      }
    }
  });

  it("P5 has for a star nothing that stands before it, too", () => {
    for (const matches of [patternAllows, patternDenies]) {
      expect(matches("abc*bcd", "abcd")).toBe(false);
      expect(matches("abc*bcd", "abcbcd")).toBe(true);
    }
  });

  it("P5 that denies has a whole character for its question mark", () => {
    expect(patternDenies("a?b", "a\uffffb")).toBe(true);
    expect(patternDenies("a?b", "a\u{10000}b")).toBe(true);
    expect(patternDenies("a?b", "a\u{1f600}b")).toBe(true);
    expect(patternDenies("a?b", "a\u{1f600}xb")).toBe(false);
    expect(patternDenies("a*b", "a\u{1f600}xb")).toBe(true);
  });
});

describe("the longest pattern of tools", () => {
  it("P5 has 256 characters", () => {
    const limited = (length: number) => () =>
      forTools([{ pattern: "a".repeat(length) }], allowAll());
    expect(limited(256)).not.toThrow();
    expect(limited(257)).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
  });
});
